import Foundation

/// The end of `espbench serve`, by a signal or a key, and its other keys.
struct ServeKeyboard: Sendable {
    /// Whether keys are read: on a terminal, or if asked for.
    let isUsed: Bool
    private let output: Output

    /// - Parameter takesKeys: whether keys are read from standard input even if it is no terminal.
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
        // From the first printed address on a signal must end the program cleanly.
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
