internal import BLECore
import CommandSupport
import Foundation
import Synchronization

/// Answers a pairing's requests from the options of the command line, or by asking at the terminal.
final class PairingPrompt: Sendable {
    private let passkey: UInt32?
    private let confirms: Bool
    private let output: Output
    private let ask: (@Sendable (String) async -> String?)?
    private let refusal = Mutex<CommandFailure?>(nil)
    private let waits = Mutex(false)

    /// Answers with these options; `ask` is `nil` if no user can be asked.
    init(
        passkey: UInt32?, confirms: Bool, _ output: Output, ask: (@Sendable (String) async -> String?)?
    ) {
        self.passkey = passkey
        self.confirms = confirms
        self.output = output
        self.ask = ask
    }

    /// Answers with the options of a command line, and asks at the terminal if there is one.
    convenience init(_ options: PeerOptions?, _ environment: Environment, _ output: Output) {
        self.init(passkey: options?.passkey, confirms: options?.yes ?? false, environment, output)
    }

    /// Answers with these options, and asks at the terminal if there is one.
    convenience init(passkey: UInt32?, confirms: Bool, _ environment: Environment, _ output: Output) {
        let ask: @Sendable (String) async -> String? = { question in
            output.prompt(question)
            return await LineInput.line()
        }
        let canAsk = environment.errorIsTerminal && RawTerminal.isInForeground
        self.init(passkey: passkey, confirms: confirms, output, ask: canAsk ? ask : nil)
    }

    /// True from a question to this user until it is answered, and from a passkey that the peer's user must enter.
    var isWaiting: Bool { waits.withLock { $0 } }

    /// A step of the command has ended or begins: a passkey that was shown before has been entered, or is void.
    func beginStep() { waits.withLock { $0 = false } }

    /// Why this side refused a pairing; `nil`: it has refused none.
    var failure: CommandFailure? { refusal.withLock { $0 } }

    /// The answer to `input`; after a refusal, ``failure`` has the reason.
    func answer(_ input: PairingInput) async -> PairingAnswer {
        switch input {
        case .displayPasskey:
            let passkey = passkey ?? UInt32.random(in: 0...999_999)
            show(passkey)
            return .passkey(passkey)
        case .enterPasskey: return await enterPasskey()
        case .compareNumbers(let number): return .confirm(await confirm(number))
        case .outOfBand:
            refuse("the peer pairs with out-of-band data, which this command has no option for", "central.outOfBand")
            return .cancel
        }
    }

    /// Shows a passkey to the user.
    func show(_ passkey: UInt32) {
        waits.withLock { $0 = true }
        output.note("passkey: \(PasskeyText.text(passkey))  (enter it on the peer)")
    }

    private func enterPasskey() async -> PairingAnswer {
        if let passkey { return .passkey(passkey) }
        guard let ask = waitingAsk else {
            refuse("the peer displays a passkey, which nobody can enter here", "central.passkey")
            return .cancel
        }
        while let text = await ask("passkey that the peer displays: ") {
            if let passkey = PasskeyText.passkey(text) { return .passkey(passkey) }
            output.note("a passkey has six digits")
        }
        refuse("no passkey was entered", "central.passkey")
        return .cancel
    }

    private func confirm(_ number: UInt32) async -> Bool {
        output.note("number: \(PasskeyText.text(number))")
        if confirms { return true }
        guard let ask = waitingAsk else {
            refuse("the peer shows a number, which nobody can compare here", "central.compare")
            return false
        }
        while let text = await ask("does the peer show the same number? [y/n] ") {
            switch text.lowercased() {
            case "y", "yes": return true
            case "n", "no":
                refuse("the numbers are not the same, so another device may be in between", "")
                return false
            default: continue
            }
        }
        return false
    }

    /// Asks this user, who takes his time.
    private var waitingAsk: ((String) async -> String?)? {
        guard let ask else { return nil }
        return { [self] question in
            waits.withLock { $0 = true }
            defer { waits.withLock { $0 = false } }
            return await ask(question)
        }
    }

    private func refuse(_ message: String, _ code: String) {
        refusal.withLock { $0 = CommandFailure(.peerRefused, "pairing: \(message)", code: code) }
    }
}

/// Lines of standard input.
enum LineInput {
    /// The next line, without its line ending; `nil` at the end of the input. Blocks a separate thread.
    static func line() async -> String? {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: readLine()) }
            thread.start()
        }
    }
}
