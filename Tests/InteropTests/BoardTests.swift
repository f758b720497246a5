import BLECore
import Testing
import VirtualBoard

/// Bumble as the central of virtual boards.
@Suite(.enabled(if: BumbleScript.isInstalled, "Scripts/test installs Bumble"), .timeLimit(.minutes(2)))
struct BoardInteropTests {
    @Test func calculator() async throws {
        try await InteropBench.run { bench in
            let board = try await BoardBuilds.shared.board("Calculator", on: bench)
            await board.powerOn()
            try await BumbleScript("calculator", [bench.port, board.bluetoothAddress.description]).finish()
        }
    }
}
