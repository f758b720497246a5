import BLERadio
import Testing

/// Bumble's host on our controllers, on both sides.
@Suite(.enabled(if: BumbleScript.isInstalled, "Scripts/test installs Bumble"), .timeLimit(.minutes(10)))
struct ControllerInteropTests {
    private static let kinds = [
        ("4.2", ControllerPersonality.esp32), ("5.0", .bluetooth5_0), ("extended", .extended),
    ]

    @Test(arguments: kinds) func bumbleHostsOnBothSidesWork(kind: String, personality: ControllerPersonality)
        async throws
    {
        try await InteropBench.run(personality) { bench in
            try await BumbleScript("both", [bench.port, kind]).finish()
            if kind == "extended", Tshark.isInstalled { try await Tshark.check(bench.capture) }
        }
    }

    /// Every command in a controller's supported commands, compared with Bumble's controller.
    @Test(arguments: kinds) func supportedCommandsAreAnsweredLikeBumbles(
        kind: String, personality: ControllerPersonality
    ) async throws {
        try await InteropBench.run(personality) { bench in
            try await BumbleScript("answers", [bench.port, kind]).finish()
        }
    }

    /// Extended advertising, PHYs, and private addresses that the controllers generate and resolve.
    @Test func extendedAdvertisingPHYsAndPrivacyWork() async throws {
        try await InteropBench.run(.extended) { bench in
            try await BumbleScript("modern", [bench.port]).finish()
        }
    }
}
