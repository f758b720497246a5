internal import BLECentral
internal import BenchExecutor
internal import DBus
internal import MonotonicTime

/// bluetoothd's discovery for this client, which runs while this client scans or waits for a device that bluetoothd
/// does not know. Changes are made one at a time: bluetoothd refuses a start until it has answered a stop
/// (`InProgress`).
extension BlueZCentral {
    /// How long the kernel scans before this central restarts the scan. The kernel has controllers report each peer
    /// once, and loses reports that arrive before its state is "discovering" (Linux 6.1): such a peer would not be
    /// reported for the rest of the scan. The kernel connects to a peer when a report of it arrives, also during a
    /// discovery.
    private static let roundTime = Duration.seconds(2)

    /// Starts or stops bluetoothd's discovery as needed, after the previous change has completed; returns the error of
    /// a failure.
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
            // With any filter of signal strength BlueZ reports each change of the strength, not only changes of at
            // least 8 dB.
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

    /// Schedules a restart of the kernel's scan after a round; `number` identifies the discovery.
    private func scheduleRound(_ number: Int) {
        discovery = number
        schedule(at: executor.now.advanced(by: Self.roundTime)) { if $0.discovery == number { $0.endRound() } }
    }

    /// Begins a round at once, for a connection to a peer that the controller has already reported in the current
    /// round.
    func endRound() {
        guard isDiscovering else { return }
        let number = discovery
        Task(executorPreference: executor) { await self.updateDiscovery(afterRound: number) }
    }

    private func beginAnew(_ number: Int) async -> CentralError? {
        guard isDiscovering, discovery == number, let session else { return nil }
        // Errors are ignored: without an adapter the session ends; after another failure the next round tries again.
        _ = try? await call("scan", session.adapter, BlueZ.adapter, "StopDiscovery")
        _ = try? await call("scan", session.adapter, BlueZ.adapter, "StartDiscovery")
        if isDiscovering, discovery == number { scheduleRound(nextOperation()) }
        return nil
    }
}
