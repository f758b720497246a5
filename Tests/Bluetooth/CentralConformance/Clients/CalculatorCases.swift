import BLECentral
import BLEClients
import BLECore
import BenchExecutor
import MonotonicTime

extension ClientConformance {
    static let calculatorCases = [
        Case("the calculator takes 0, and shows results below 0 and above 255, with their operands") { suite in
            try await suite.calculator { calculator in
                try await calculator.expect("9 × 6 = 54", after: "9x6=")
                try await calculator.expect("0 + 0 = 0", after: "0+0=")
                try await calculator.expect("2 - 9 = -7 (249 in the calculator's 8 bits)", after: "2-9=")
                try await calculator.expect("200 + 100 = 300 (44 in the calculator's 8 bits)", after: "200+100=")
                // What is pressed before the answer changes nothing.
                try await calculator.expect("7 × 0 = 0", after: "7x0=12+3=")
            }
        },
        Case("the calculator's answers of another length or value are shown as such, and unasked ones are not") {
            suite in
            try await suite.calculator { calculator in
                try await suite.conduct(.empty, ClientPeers.calculator)
                try await calculator.expect("9 × 6 = ? expected 1 byte, got 0", after: "9x6=")
                try await suite.conduct(.long, ClientPeers.calculator)
                try await calculator.expect("9 × 6 = ? expected 1 byte, got 2", after: "9x6=")
                try await suite.conduct(.wrong, ClientPeers.calculator)
                try await calculator.expect("9 × 6 = 54, but the calculator answered 55", after: "9x6=")
                try await suite.conduct(.twice, ClientPeers.calculator)
                try await calculator.expect("5 + 3 = 8", after: "5+3=")
                try await suite.conduct(.faultless, ClientPeers.calculator)
                try await calculator.expect("9 - 2 = 7", after: "9-2=")
            }
        },
        Case("a calculator that answers nothing ends the calculation, not the connection") { suite in
            try await suite.calculator { calculator in
                try await suite.conduct(.silent, ClientPeers.calculator)
                try await calculator.expect("9 × 6 = ? no answer within 5.0 seconds", after: "9x6=")
                try await suite.conduct(.faultless, ClientPeers.calculator)
                try await calculator.expect("9 × 6 = 54", after: "9x6=")
            }
        },
        Case("a calculator that is switched off in the middle forgets what was entered, and is connected again") {
            suite in
            try await suite.calculator { calculator in
                try await suite.conduct(.vanishing, ClientPeers.calculator)
                try await calculator.press("9x6=")
                let lost = try await calculator.wait("the loss") { $0.link != .connected }
                try suite.expect(
                    lost.display == "9 × 6 = ? the connection ended" && !lost.isKeypadShown,
                    "no result and no keypad, got \(lost)")
                let again = try await calculator.wait("the connection") { $0.link == .connected }
                try suite.expect(again.display == "", "nothing to be entered, got \(again.display)")
                // It was subscribed before it was shown as connected.
                try await calculator.expect("9 × 6 = 54", after: "9x6=")
            }
        },
        Case("a calculator that disconnects in the middle is connected again") { suite in
            try await suite.calculator { calculator in
                try await suite.conduct(.disconnecting, ClientPeers.calculator)
                try await calculator.press("9x6=")
                let lost = try await calculator.wait("the loss") { $0.link != .connected }
                try suite.expect(lost.display == "9 × 6 = ? the connection ended", "no result, got \(lost.display)")
                _ = try await calculator.wait("the connection") { $0.link == .connected }
                try await calculator.expect("5 + 3 = 8", after: "5+3=")
            }
        },
        Case("a calculator that fails while it is connected to is tried again, and told when it is given up") { suite in
            try await suite.calculator { calculator in
                try await suite.conduct(.vanishingNext, ClientPeers.calculator)
                await calculator.client.disconnect()
                await calculator.client.connect()
                let link = try await calculator.wait("the end of the tries") { model in
                    switch model.link {
                    case .failed: true
                    case .connecting(let number): number > 1
                    default: false
                    }
                }.link
                guard case .connecting = link else { throw ConformanceFailure("expected another try, got \(link)") }
                _ = try await calculator.wait("the connection") { $0.link == .connected }
            }
            // Without another try it is given up.
            try await suite.calculator { calculator in
                try await suite.conduct(.vanishingNext, ClientPeers.calculator)
                await calculator.client.disconnect()
                let client = CalculatorClient(
                    suite.central, policy: ReconnectionPolicy(tries: 0, timeout: .seconds(10)))
                await client.connect()
                let end = try await suite.first("the end of the tries", of: await client.states()) { model in
                    switch model.link {
                    case .failed, .connected: true
                    default: false
                    }
                }
                try suite.expect(
                    end.status.hasPrefix("Connection error: ") && !end.isKeypadShown,
                    "a connection error and no keypad, got \(end.status)")
                // Also when the calculator is back.
                try await suite.sleep(ConformancePeer.absence + .seconds(1))
                let later = await client.state.link
                try suite.expect(later == end.link, "no further try, got \(later)")
                await client.disconnect()
            }
        },
        Case("a search for a calculator that is not there ends") { suite in
            let client = CalculatorClient(suite.central) { _ in false }
            let states = await client.states()
            await client.connect()
            _ = try await suite.first("no calculator", of: states) { $0.status == "No calculator found" }
            await client.disconnect()
        },
    ]

    private func calculator(_ body: @Sendable (Calculator) async throws -> Void) async throws {
        let policy = ReconnectionPolicy(tries: 5, timeout: .seconds(10))
        let calculator = Calculator(suite: self, client: CalculatorClient(central, policy: policy))
        await calculator.client.connect()
        do {
            _ = try await calculator.wait("the connection") { $0.link == .connected }
            try await body(calculator)
        } catch {
            await calculator.client.disconnect()
            throw error
        }
        await calculator.client.disconnect()
        let link = await calculator.client.state.link
        try expect(link == .disconnected, "no connection at the end, got \(link)")
    }
}

/// A calculator's client, and its user.
private struct Calculator: Sendable {
    let suite: ClientConformance
    let client: CalculatorClient

    /// Presses keys: digits, `+`, `-`, `x`, `=`.
    func press(_ keys: String) async throws {
        for key in keys {
            let pressed: CalculatorModel.Key =
                switch key {
                case "+": .operation(.add)
                case "-": .operation(.subtract)
                case "x": .operation(.multiply)
                case "=": .equals
                default: .digit(UInt8(key.wholeNumberValue ?? 0))
                }
            await client.press(pressed)
        }
        let model = await client.state
        try suite.expect(model.isCalculating, "a calculation, got \(model)")
    }

    /// Presses keys, and waits for what is displayed then.
    func expect(_ display: String, after keys: String) async throws {
        try await press(keys)
        let model = try await wait("the answer") { !$0.isCalculating }
        try suite.expect(model.display == display, "'\(display)', got '\(model.display)'")
    }

    /// The first state that is wanted: the present one, or a later one.
    func wait(
        _ what: String, where isWanted: @escaping @Sendable (CalculatorModel) -> Bool
    ) async throws -> CalculatorModel {
        try await suite.first(what, of: await client.states(), where: isWanted)
    }
}
