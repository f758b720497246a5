import CommandSupport
import Foundation

/// The end of `espbench serve`, by a signal or a key, and its other keys.
struct ServeKeyboard: Sendable {
    /// True if keys are read: on a terminal, or on request.
    let isUsed: Bool
    private let output: Output

    /// - Parameter takesKeys: whether keys are read from standard input even if it is not a terminal.
    init(takesKeys: Bool, _ output: Output) {
        isUsed = takesKeys || RawTerminal.isInForeground
        self.output = output
    }

    /// Calls `serve` with a function that returns when the user ends the program.
    ///
    /// - Parameters:
    ///   - names: the served boards.
    ///   - help: the line about the keys.
    ///   - perform: performs a key on the board with an index; returns `false` if it has no function.
    func run(
        boards names: [String], help: String, perform: @escaping @Sendable (ServeKey, Int) async -> Bool,
        _ serve: (_ untilEnd: () async -> Void) async throws -> Void
    ) async throws {
        let terminal = isUsed ? RawTerminal() : nil
        defer { terminal?.leave() }
        // Once the first address is printed, a signal must end the program cleanly.
        let (signals, continuation) = AsyncStream.makeStream(of: Never.self)
        EndingSignals.watch { _ in continuation.finish() }
        defer { EndingSignals.end() }
        try await serve {
            await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    for await _ in signals {}
                    return true
                }
                if isUsed {
                    // In the background, reading fails instead of stopping the process.
                    signal(SIGTTIN, SIG_IGN)
                    signal(SIGTTOU, SIG_IGN)
                    output.note(help)
                    group.addTask { await handleKeys(names, help, perform) }
                }
                while let isOver = await group.next() {
                    if isOver { break }
                }
                group.cancelAll()
            }
            terminal?.leave()
        }
    }

    /// Performs typed keys; returns `true` at the quit key, `false` at the end of input.
    private func handleKeys(
        _ names: [String], _ help: String, _ perform: (ServeKey, Int) async -> Bool
    ) async -> Bool {
        var chosen = 0
        for await bytes in KeyboardInput.bytes(until: ServeKey.quitByte) {
            for byte in bytes where byte != 0x0A && byte != 0x0D {
                switch ServeKey(byte, boardCount: names.count) {
                case .quit: return true
                case .choose(let index):
                    chosen = index
                    output.note("keys control \(index + 1) \(names[index])")
                case let key?:
                    if await !perform(key, chosen) { output.note(help) }
                case nil: output.note(help)
                }
            }
        }
        return false
    }
}

/// The function of a key on the terminal of `espbench serve`.
enum ServeKey: Equatable {
    /// Presses the BOOT button briefly, or releases it if it is held.
    case pressBoot
    /// Holds the BOOT button, or releases it.
    case holdBoot
    /// Presses the reset button.
    case reset
    /// Restarts the chip into its serial loader.
    case resetIntoLoader
    /// Switches the power off or on.
    case power
    /// Selects the board that the other keys control, by its index.
    case choose(Int)
    /// Ends the program.
    case quit

    static let quitByte = UInt8(ascii: "q")

    /// The function of a typed byte if `boardCount` boards are served; `nil` if it has none.
    init?(_ byte: UInt8, boardCount: Int) {
        switch byte {
        case Self.quitByte: self = .quit
        case UInt8(ascii: "b") where boardCount > 0: self = .pressBoot
        case UInt8(ascii: "B") where boardCount > 0: self = .holdBoot
        case UInt8(ascii: "r") where boardCount > 0: self = .reset
        case UInt8(ascii: "l") where boardCount > 0: self = .resetIntoLoader
        case UInt8(ascii: "p") where boardCount > 0: self = .power
        case UInt8(ascii: "1")...UInt8(ascii: "9") where boardCount > 1:
            let index = Int(byte - UInt8(ascii: "1"))
            guard index < boardCount else { return nil }
            self = .choose(index)
        default: return nil
        }
    }

    /// One line of help about the keys.
    static func help(boardCount: Int) -> String {
        guard boardCount > 0 else { return "keys: q quit" }
        let choice = boardCount > 1 ? "1-\(min(boardCount, 9)) choose the board, " : ""
        return
            "keys: \(choice)b press BOOT, B hold or release BOOT, r reset, l restart into the loader, p power off or on, q quit"
    }
}
