import ArgumentParser
internal import BenchExecutor
internal import BLECentral
internal import BLEClients
import CommandSupport

/// `espbench calculator`.
struct CalculatorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calculator",
        abstract: "Calculate with a calculator peripheral.",
        discussion: """
            Finds the calculator, connects, and performs the given calculations in order: 9x6 2-9. Without \
            calculations it reads keys: digits, + - x, = or Enter, Backspace, c clears, d disconnects or connects, q \
            quits. A connection that is lost is tried again three times, 1 s apart.
            """, shouldDisplay: false)

    @Option(help: PeerOptions.peer)
    var peer: String?

    @OptionGroup var central: CentralOption

    @Argument(help: ArgumentHelp("What to calculate: two numbers from 0 to 255, and +, - or x between them."))
    var calculations: [String] = []

    func validate() throws {
        for calculation in calculations where Calculation(calculation) == nil {
            throw ValidationError(
                "Expected two numbers from 0 to 255 with +, - or x between them, got '\(calculation)'.")
        }
    }

    func run() throws {
        ClosedPipe.letWritesFail()
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try ClientSession.run(central, takesKeys: calculations.isEmpty, environment, output) { central in
            let selector = try command.peer.map {
                try PeerSelector($0, hidesAddresses: !central.abilities.contains(.address))
            }
            let client = CalculatorClient(central) { advertisement in
                selector?.matches(advertisement) ?? advertisement.offersCalculator
            }
            await client.connect()
            do {
                if command.calculations.isEmpty {
                    await CalculatorKeyboard(client, environment, output).run()
                    // A user at a terminal has already seen the failure.
                    if !ClientSession.isAtTerminal(environment) {
                        try await client.state.link.checkGoesOn("calculator")
                    }
                } else {
                    try await command.calculate(client, output)
                }
            } catch {
                await client.disconnect()
                throw error
            }
            await client.disconnect()
        }
    }

    private func calculate(_ client: CalculatorClient, _ output: Output) async throws {
        try await Self.wait(for: client) { $0.link == .connected }
        for calculation in calculations.compactMap(Calculation.init) {
            for key in calculation.keys { await client.press(key) }
            let model = try await Self.wait(for: client) { !$0.isCalculating }
            output.data(model.display + "\n")
            guard case .value(let request, let byte) = model.answer else {
                throw CommandFailure(.linkFailed, "the calculator did not answer", code: "central.timedOut")
            }
            guard byte == UInt8(truncatingIfNeeded: request.operation.result(request.a, request.b)) else {
                throw CommandFailure(.mismatch, "the calculator's answer is wrong")
            }
        }
    }

    /// The first state for which `isOver` is true.
    ///
    /// - Throws: ``CommandFailure`` when no such state can follow.
    @discardableResult
    private static func wait(
        for client: CalculatorClient, _ isOver: (CalculatorModel) -> Bool
    ) async throws -> CalculatorModel {
        for await model in await client.states() {
            if isOver(model) { return model }
            try model.link.checkGoesOn("calculator")
        }
        throw CancellationError()
    }
}
