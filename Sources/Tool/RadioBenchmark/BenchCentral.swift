import BLECentral
import BLECentralHCI
import BLECore
import BLERadio
import BenchExecutor

/// The other host, by the public central API; counts notifications.
actor BenchCentral {
    nonisolated let executor: BenchExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated let central: HCICentral
    private var expected = 0
    private var waiter: CheckedContinuation<Void, Never>?
    private var awaitsPasskey = false
    private var pairingWaiter: CheckedContinuation<Void, Never>?

    init(_ executor: BenchExecutor, _ radio: Radio) async throws {
        self.executor = executor
        central = HCICentral(
            executor: executor, transport: await radio.attach(address: DeviceAddress(0x0200_0000_0001, .public)))
        central.events.setHandler(on: executor) { event in self.assumeIsolated { $0.handle(event) } }
        try await central.powerOn()
        try await central.setSecurity(
            CentralSecurity(ioCapability: .keyboardOnly, secureConnections: .only))
    }

    /// Returns when `count` notifications have been received.
    func waitForNotifications(_ count: Int) async {
        expected += count
        if expected > 0 { await withCheckedContinuation { waiter = $0 } }
    }

    /// Pairs by Passkey Entry; the peripheral displays the passkey.
    func pair(_ connection: ConnectionID) async throws {
        async let security = central.pair(connection)
        if !awaitsPasskey { await withCheckedContinuation { pairingWaiter = $0 } }
        awaitsPasskey = false
        try await central.answerPairing(.passkey(BenchPeripheral.passkey), on: connection)
        guard try await security.isAuthenticated else {
            throw CentralError(.invalidState, "pair: expected an authenticated key")
        }
    }

    private func handle(_ event: CentralEvent) {
        switch event {
        case .notification:
            expected -= 1
            guard expected <= 0 else { return }
            waiter?.resume()
            waiter = nil
        case .pairingInput(_, .enterPasskey):
            awaitsPasskey = true
            pairingWaiter?.resume()
            pairingWaiter = nil
        default: break
        }
    }
}
