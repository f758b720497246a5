internal import BLECentral
internal import BenchExecutor
internal import DBus
internal import MonotonicTime

/// The discovery that bluetoothd does for this client: while it scans, and while it waits for a device that bluetoothd does not
/// know. Changes are done one after the other: bluetoothd refuses a start while it has not answered a stop (`InProgress`).
extension BlueZCentral {
    /// How long the kernel scans before this central lets it restart. It lets controllers report each peer once,
    /// and loses what is reported before its state says that it discovers (Linux 6.1): such a peer would not be heard
    /// for the rest of the scan. It connects to a peer when it hears it, also while it scans for others.
    private static let roundTime = Duration.seconds(2)

    /// Lets bluetoothd discover if somebody needs it, and not otherwise, when it has done what was wanted before; returns why it
    /// could not.
    func updateDiscovery(afterRound round: Int? = nil) async -> CentralError? {
        let former = discoveryUpdate
        let update = Task(executorPreference: executor) { () -> CentralError? in
            _ = await former?.value
            if let round { return await self.beginAnew(round) }
            return await self.applyDiscovery()
        }
        discoveryUpdate = update
        return await update.value
    }

    private func applyDiscovery() async -> CentralError? {
        let isWanted = isScanning || searchCount > 0
        guard isWanted != isDiscovering else { return nil }
        do throws(CentralError) {
            let session = try currentSession(isWanted ? "scan" : "stop scanning")
            guard isWanted else {
                isDiscovering = false
                try await call("stop scanning", session.adapter, BlueZ.adapter, "StopDiscovery")
                return nil
            }
            // Any filter of signal strength lets BlueZ report all of its changes, not those of 8 dB only.
            let filter = DBusValue.options([
                "Transport": .string("le"), "DuplicateData": .boolean(true), "RSSI": .int16(-127),
            ])
            try await call("scan", session.adapter, BlueZ.adapter, "SetDiscoveryFilter", [filter])
            try await call("scan", session.adapter, BlueZ.adapter, "StartDiscovery")
            isDiscovering = true
            scheduleRound(nextOperation())
            return nil
        } catch {
            return error
        }
    }

    /// Lets the kernel restart its scan after each round; `number` is that of the discovery.
    private func scheduleRound(_ number: Int) {
        discovery = number
        schedule(at: executor.now.advanced(by: Self.roundTime)) { if $0.discovery == number { $0.endRound() } }
    }

    /// Begins a round at once: for somebody who was connected to after he was heard in this one.
    func endRound() {
        guard isDiscovering else { return }
        let number = discovery
        Task(executorPreference: executor) { await self.updateDiscovery(afterRound: number) }
    }

    private func beginAnew(_ number: Int) async -> CentralError? {
        guard isDiscovering, discovery == number, let session else { return nil }
        // Without an adapter the session ends; after another failure the next round tries it again.
        _ = try? await call("scan", session.adapter, BlueZ.adapter, "StopDiscovery")
        _ = try? await call("scan", session.adapter, BlueZ.adapter, "StartDiscovery")
        if isDiscovering, discovery == number { scheduleRound(nextOperation()) }
        return nil
    }
}
