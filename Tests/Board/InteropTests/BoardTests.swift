import BLECore
import BenchExecutor
import Synchronization
import Testing
import VirtualBoard

/// Bumble as the central of virtual boards.
@Suite(.enabled(if: BumbleScript.isInstalled, "Scripts/test installs Bumble"), .timeLimit(.minutes(10)))
struct BoardInteropTests {
    @Test func calculator() async throws {
        try await InteropBench.run { bench in
            let board = try await BoardBuilds.shared.board("Calculator", on: bench)
            await board.powerOn()
            try await BumbleScript("calculator", [bench.port, board.bluetoothAddress.description]).finish()
        }
    }

    /// The lock from its first boot on: refused pairings, pairing with the passkey of its console, and the bond, also
    /// after a power loss.
    @Test(arguments: ["open", "private"]) func lock(privacy: String) async throws {
        try await InteropBench.run { bench in
            let board = try await BoardBuilds.shared.board("ServoLock", on: bench)
            let console = BoardConsole(bench.executor)
            await board.setObserver { console.take($0) }
            await board.powerOn()
            let script = try BumbleScript("lock", [bench.port, board.bluetoothAddress.description, privacy])
            try await script.wait(for: "ready")
            script.send(String(try await console.next(after: "Passkey: ").prefix(6)))
            if privacy == "open" {
                try await script.wait(for: "wrong passkey")
                let delay = try await console.next(after: "in a row - locked for ")
                let seconds = try #require(Int(delay.prefix { $0.isNumber }))
                try await BenchClock(bench.executor).sleep(for: .seconds(seconds))
                script.send(String(try await console.next(after: "Passkey: ").prefix(6)))
            }
            try await script.wait(for: "came back")
            try await board.powerOff()
            await board.powerOn()
            _ = try await console.next(after: "Starting BLE work!")
            script.send("go on")
            try await script.finish()
        }
    }
}

/// A board's output, with functions that wait for it.
private final class BoardConsole: Sendable {
    private let executor: BenchExecutor
    private let text = Mutex("")

    init(_ executor: BenchExecutor) {
        self.executor = executor
    }

    func take(_ event: VirtualBoardEvent) {
        if case .console(let bytes) = event { text.withLock { $0 += String(decoding: bytes, as: UTF8.self) } }
    }

    /// Waits for a line with `words`; returns the text after them, and removes the line and all before it.
    func next(after words: String) async throws -> String {
        for _ in 0..<60_000 {
            let found = text.withLock { text -> String? in
                guard let range = text.firstRange(of: words), let end = text[range.upperBound...].firstIndex(of: "\r\n")
                else { return nil }
                defer { text = String(text[end...]) }
                return String(text[range.upperBound..<end])
            }
            if let found { return found }
            try await BenchClock(executor).sleep(for: .milliseconds(2))
        }
        throw BumbleScript.Failure(
            description: "expected a line with \"\(words)\", the console said:\n\(text.withLock { $0 })")
    }
}
