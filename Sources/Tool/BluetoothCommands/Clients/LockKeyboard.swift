package import BLEClients
package import BLECore
import CommandSupport

/// A lock's keys, and one line for each event. While a pairing requests a passkey, keys enter the passkey.
package actor LockKeyboard {
    private static let help = "keys: l lock, u unlock, t toggle, d disconnect or connect, q quit"

    private let passkey: UInt32?
    private let output: Output
    private let isTerminal: Bool
    /// The request of a pairing, and the digits typed so far.
    private var question: (continuation: CheckedContinuation<PairingAnswer, Never>, digits: String)?
    /// Signals a change, for ``waitUntilReady(_:)``.
    private let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    package init(_ passkey: UInt32?, _ environment: Environment, _ output: Output) {
        self.passkey = passkey
        self.output = output
        isTerminal = ClientSession.isAtTerminal(environment)
    }

    /// Answers a pairing's request.
    package func answer(_ input: PairingInput) async -> PairingAnswer {
        guard input == .enterPasskey else { return .cancel }
        if let passkey { return .passkey(passkey) }
        output.note("passkey that the lock shows: six digits, then Enter; Enter alone refuses")
        endQuestion()
        return await withCheckedContinuation {
            question = ($0, "")
            change.yield()
        }
    }

    /// Runs until the quit key, the end of the input, or the task's cancellation.
    package func run(_ client: LockClient) async {
        output.note(Self.help)
        let showing = Task { await show(client) }
        for await bytes in KeyboardInput.bytes(until: nil) {
            if await !press(bytes, client) { break }
        }
        endQuestion()
        for await view in await client.states() where !view.isBusy { break }
        showing.cancel()
        await showing.value
    }

    /// Refuses the pairing's request, if there is one: the pairing may have ended by itself.
    private func endQuestion() {
        question?.continuation.resume(returning: .cancel)
        question = nil
    }

    /// Handles typed bytes; false if the program must end.
    private func press(_ bytes: [UInt8], _ client: LockClient) async -> Bool {
        for byte in bytes {
            // A user at a terminal sees when the lock is ready; a program's keys wait.
            if !isTerminal { await waitUntilReady(client) }
            if question != nil {
                type(byte)
                continue
            }
            switch Character(Unicode.Scalar(byte)) {
            case "l": await client.perform(.lock)
            case "u": await client.perform(.unlock)
            case "t": await client.toggle()
            case "d": await toggleConnection(client)
            case "q", "\u{04}": return false
            default: break
            }
        }
        return true
    }

    /// Handles a key of the passkey.
    private func type(_ byte: UInt8) {
        guard let (continuation, former) = question else { return }
        var digits = former
        switch byte {
        case 0x30...0x39:
            if digits.utf8.count < 6 { digits.unicodeScalars.append(Unicode.Scalar(byte)) }
            question = (continuation, digits)
        case 0x08, 0x7F:
            question = (continuation, String(digits.dropLast()))
        case 0x0A, 0x0D:
            if let passkey = PasskeyText.passkey(digits) {
                question = nil
                continuation.resume(returning: .passkey(passkey))
            } else if digits.isEmpty {
                question = nil
                continuation.resume(returning: .cancel)
            } else {
                output.note("a passkey has six digits")
                question = (continuation, "")
            }
        default: break
        }
    }

    private func toggleConnection(_ client: LockClient) async {
        switch await client.state.link {
        case .disconnected, .notFound, .failed, .unavailable: await client.connect()
        case .searching, .connecting, .connected: await client.disconnect()
        }
    }

    /// Waits until a key has an effect: until a pairing requests input, or no operation is in progress.
    private func waitUntilReady(_ client: LockClient) async {
        guard await !isReady(client) else { return }
        for await _ in changes {
            if await isReady(client) { return }
        }
    }

    private func isReady(_ client: LockClient) async -> Bool {
        let view = await client.state
        if question != nil { return true }
        switch view.link {
        case .searching, .connecting: return false
        case .connected: return !view.isBusy
        case .unavailable, .disconnected, .notFound, .failed: return true
        }
    }

    private func show(_ client: LockClient) async {
        var shown: [String] = []
        for await view in await client.states() {
            // The new log continues the old one, unless its beginning was dropped.
            let new = view.log.starts(with: shown) ? Array(view.log.dropFirst(shown.count)) : view.log.suffix(1)
            for line in new { output.data(line + "\n") }
            shown = view.log
            // Uses the current state, since `view` may be older than the request.
            if await !client.state.isBusy { endQuestion() }
            change.yield()
        }
    }
}
