package import BLEClients
import CommandSupport

/// A calculator's keys and display. On a terminal the display is one line that is updated; otherwise each change prints
/// a line.
struct CalculatorKeyboard: Sendable {
    private static let help = "keys: 0-9 + - x, = or Enter, Backspace, c clear, d disconnect or connect, q quit"

    private let client: CalculatorClient
    private let output: Output
    private let isTerminal: Bool

    init(_ client: CalculatorClient, _ environment: Environment, _ output: Output) {
        self.client = client
        self.output = output
        isTerminal = ClientSession.isAtTerminal(environment)
    }

    /// Runs until the quit key, the end of the input, or the task's cancellation.
    func run() async {
        output.note(Self.help)
        let display = Task { await show() }
        for await bytes in KeyboardInput.bytes(until: nil) {
            if await !press(bytes) { break }
        }
        // Waits for an answer that is still pending.
        for await model in await client.states() where !model.isCalculating { break }
        display.cancel()
        await display.value
        if isTerminal { output.data("\n") }
    }

    /// Handles typed bytes; false if the program must end.
    private func press(_ bytes: [UInt8]) async -> Bool {
        for byte in bytes {
            switch CalculatorKey(byte) {
            case .quit: return false
            case .toggleConnection: await toggle()
            case .press(let key):
                // A user at a terminal sees when the calculator is ready; a program's keys wait.
                if !isTerminal { await waitUntilReady() }
                await client.press(key)
            case nil: break
            }
        }
        return true
    }

    private func toggle() async {
        switch await client.state.link {
        case .disconnected, .notFound, .failed, .unavailable: await client.connect()
        case .searching, .connecting, .connected: await client.disconnect()
        }
    }

    private func waitUntilReady() async {
        for await model in await client.states() {
            switch model.link {
            case .searching, .connecting: continue
            case .connected where model.isCalculating: continue
            default: return
            }
        }
    }

    private func show() async {
        var shown = ""
        for await model in await client.states() {
            let line = [model.status, model.display].filter { !$0.isEmpty }.joined(separator: "   ")
            guard line != shown else { continue }
            shown = line
            // Returns to the first column, and erases the rest of the former line.
            output.data(isTerminal ? "\r\(line)\u{1B}[K" : line + "\n")
        }
    }
}

/// A calculation as users write it: `9x6`.
package struct Calculation: Hashable, Sendable {
    /// The keys that enter the calculation, with `=`.
    package let keys: [CalculatorModel.Key]

    /// Reads `9x6`, `9*6`, `9×6` or `2 - 9`; `nil` for anything else.
    package init?(_ text: String) {
        let text = text.filter { $0 != " " }
        let parts = text.split(omittingEmptySubsequences: false) { Self.operation($0) != nil }
        guard parts.count == 2, let operation = text.lazy.compactMap(Self.operation).first,
            parts.allSatisfy({ UInt8($0) != nil && $0.allSatisfy(\.isNumber) })
        else { return nil }
        let operands = parts.map { $0.utf8.map { CalculatorModel.Key.digit($0 &- 0x30) } }
        keys = operands[0] + [.operation(operation)] + operands[1] + [.equals]
    }

    /// The operation of a character.
    static func operation(_ character: Character) -> CalculatorOperation? {
        switch character {
        case "+": .add
        case "-", "−": .subtract
        case "x", "X", "*", "×": .multiply
        default: nil
        }
    }
}

/// The function of a typed character.
enum CalculatorKey: Hashable, Sendable {
    /// A key of the calculator.
    case press(CalculatorModel.Key)
    /// Disconnects, or connects.
    case toggleConnection
    /// Ends the program.
    case quit

    /// The function of a typed byte; `nil`: none.
    init?(_ byte: UInt8) {
        let character = Character(Unicode.Scalar(byte))
        switch character {
        case "0"..."9": self = .press(.digit(byte - 0x30))
        case "=", "\r", "\n": self = .press(.equals)
        case "\u{08}", "\u{7F}": self = .press(.back)
        case "c", "C": self = .press(.clear)
        case "d", "D": self = .toggleConnection
        case "q", "Q", "\u{04}": self = .quit
        default:
            guard let operation = Calculation.operation(character) else { return nil }
            self = .press(.operation(operation))
        }
    }
}
