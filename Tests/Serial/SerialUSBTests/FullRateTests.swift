import Testing

/// A board that prints at 3 Mbaud without pause.
@Suite(
    .enabled(if: EmulatedBus.isAvailable, "needs umockdev and libumockdev-dev: Scripts/test installs them"),
    .serialized, .timeLimit(.minutes(10)))
struct FullRateTests {
    @Test(arguments: EmulatedDeviceTests.uarts + EmulatedDeviceTests.chips)
    func noByteIsLost(kind: EmulatedDeviceTests.Kind) async throws {
        let bus = try await EmulatedBus("\(kind.name)=source:1000000")
        let probe = try bus.probe()
        try await probe.expect("open a \(kind.address)", "ok open")
        try await probe.expect("lines-of-source a 1000000", "ok all 1000000")
        await probe.end()
        await bus.end()
    }
}
