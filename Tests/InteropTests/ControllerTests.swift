import BLERadio
import Testing

/// Bumble's host on our controllers, on both sides.
@Suite(.enabled(if: BumbleScript.isInstalled, "Scripts/test installs Bumble"), .timeLimit(.minutes(2)))
struct ControllerInteropTests {
    @Test(arguments: [
        ("4.2", ControllerPersonality.esp32), ("5.0", .bluetooth5_0), ("extended", .extended),
    ])
    func both(kind: String, personality: ControllerPersonality) async throws {
        try await InteropBench.run(personality) { bench in
            try await BumbleScript("both", [bench.port, kind]).finish()
        }
    }
}
