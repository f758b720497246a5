import Testing

/// Chips whose USB vanishes in a reset and comes back.
@Suite(
    .enabled(if: EmulatedBus.isAvailable, "needs umockdev and libumockdev-dev: Scripts/test installs them"),
    .serialized, .timeLimit(.minutes(10)))
struct ReturningDeviceTests {
    @Test(arguments: EmulatedDeviceTests.chips)
    func aReadGoesOnWhenTheDeviceIsBack(kind: EmulatedDeviceTests.Kind) async throws {
        let bus = try await EmulatedBus(kind.name)
        let probe = try bus.probe()
        try await probe.expect("open a \(kind.address)", "ok open")
        let before = try bus.events().count { $0 == "plugged 1-1" }
        // RTS resets the chip into its application.
        try await probe.expect("lines a 0 1", "ok set")
        try await probe.expect("lines a 0 0", "ok set")
        try await bus.waitFor(before + 1, "plugged 1-1")
        // Both interfaces of the device that came back are claimed again.
        try await bus.waitFor(2, "claimed 1-1 1")
        try await probe.expect("discard a", "ok discarded")
        #expect(try await probe("collect a 300 3000").contains("invalid header"))
        // The rate belongs to the port, not to the device that has gone.
        try await probe.expect("rate a 230400", "ok set")
        await probe.end()
        // The kernel's drivers get both interfaces back, the first one last.
        let attached = try bus.events().suffix(4).filter { $0.hasPrefix("attached ") }
        #expect(attached == ["attached 1-1 1", "attached 1-1 0"])
        await bus.end()
    }

    @Test(arguments: EmulatedDeviceTests.chips)
    func aDeviceThatStaysAwayIsDisconnected(kind: EmulatedDeviceTests.Kind) async throws {
        let bus = try await EmulatedBus(kind.name)
        let probe = try bus.probe()
        try await probe.expect("open a \(kind.address)", "ok open")
        // A call that waits for it can be cancelled. The probe begins it: this process may be late by seconds.
        try probe.begin("cancel-write-away a")
        try await bus.setPlugged(false)
        #expect(try await probe.answer() == "ok cancelled")
        let error =
            "error disconnected \(kind.address): the device vanished and did not come back within 5 s; was it unplugged?"
        try await probe.expectEnd("a", error)
        for call in ["write a 55", "lines a 0 0", "rate a 9600", "discard a"] { try await probe.expect(call, error) }
        await probe.end()
        await bus.end()
    }
}
