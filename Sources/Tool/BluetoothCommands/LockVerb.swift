import ArgumentParser
internal import BLECentral
internal import BLEClients
internal import BLECore
import CommandSupport

/// `espbench lock`.
struct LockVerb: ParsableCommand {
    /// The actions, performed one after the other.
    enum Action: String, CaseIterable, ExpressibleByArgument {
        case lock, unlock, toggle, status
    }

    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock and unlock the servo lock.",
        discussion: """
            Finds the lock, connects, and performs the given actions: lock, unlock, toggle, status. Pairs when the \
            lock refuses a command; the lock shows the passkey on its console. Without actions it reads keys: l locks, \
            u unlocks, t toggles, d disconnects or connects, q quits; a passkey is typed when it is asked for. A \
            connection that is lost is tried again three times, 1 s apart.
            """, shouldDisplay: false)

    @Option(help: PeerOptions.peer)
    var peer: String?

    @Option(
        help: ArgumentHelp("When pairing: the six digits that the lock shows. (default: ask)", valueName: "digits"),
        transform: PeerOptions.passkey)
    var passkey: UInt32?

    @OptionGroup var central: CentralOption

    @Argument(help: "What to do, one after the other.")
    var actions: [Action] = []

    func run() throws {
        ClosedPipe.letWritesFail()
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try ClientSession.run(central, keepsBonds: true, takesKeys: actions.isEmpty, environment, output) { central in
            let selector = try command.peer.map {
                try PeerSelector($0, hidesAddresses: !central.abilities.contains(.address))
            }
            let keyboard = LockKeyboard(command.passkey, environment, output)
            let prompt = PairingPrompt(passkey: command.passkey, confirms: false, environment, output)
            let client = LockClient(central) { advertisement in
                selector?.matches(advertisement) ?? advertisement.offersLock
            } answer: { input in
                command.actions.isEmpty ? await keyboard.answer(input) : await prompt.answer(input)
            }
            await client.connect()
            do {
                if command.actions.isEmpty {
                    await keyboard.run(client)
                    // A user at a terminal has already seen the failure.
                    if !ClientSession.isAtTerminal(environment) { try await Self.check(client.state) }
                } else {
                    try await command.perform(client, prompt, output)
                }
            } catch {
                await client.disconnect()
                throw error
            }
            await client.disconnect()
        }
    }

    private func perform(_ client: LockClient, _ prompt: PairingPrompt, _ output: Output) async throws {
        try await Self.wait(for: client) { $0.link == .connected }
        for action in actions {
            let view = await client.state
            let wanted: LockCommand? =
                switch action {
                case .lock: .lock
                case .unlock: .unlock
                case .toggle: view.opposite
                case .status: nil
                }
            if let wanted, view.allows(wanted) {
                await client.perform(wanted)
                let end = try await Self.wait(for: client) { !$0.isBusy }
                if case .failed = end.outcome, let failure = prompt.failure { throw failure }
                try Self.check(end)
            }
            let bolt = await client.state.bolt
            guard bolt != .unknown else {
                throw CommandFailure(
                    .peerRefused, "the lock tells only its owners where its bolt is", code: "central.needsPairing")
            }
            output.data("\(bolt.rawValue)\n")
        }
    }

    /// Throws if the connection has ended, or the last command has failed.
    private static func check(_ view: LockModel) throws(CommandFailure) {
        try view.link.checkGoesOn("lock")
        if case .failed(let command, let why) = view.outcome {
            throw CommandFailure(.peerRefused, "\(command.rawValue): \(why)", code: "lock.refused")
        }
    }

    /// The first state for which `isOver` is true.
    ///
    /// - Throws: ``CommandFailure`` when no such state can follow.
    @discardableResult
    private static func wait(for client: LockClient, _ isOver: (LockModel) -> Bool) async throws -> LockModel {
        for await view in await client.states() {
            if isOver(view) { return view }
            try view.link.checkGoesOn("lock")
        }
        throw CancellationError()
    }
}
