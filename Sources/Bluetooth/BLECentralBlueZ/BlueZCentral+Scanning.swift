public import BLECentral
import BLECore
import BenchExecutor
import DBus
import MonotonicTime

extension BlueZCentral {
    /// Starts scanning, or changes the filter; returns when BlueZ discovers. It always scans actively.
    ///
    /// BlueZ reports a peer when something about it changes, such as its signal strength, so that
    /// ``ScanFilter/allowsDuplicates`` reports those changes and not every advertisement. What a peer advertises that
    /// BlueZ has connected to before includes the name and services it had then.
    public func startScanning(_ filter: ScanFilter) async throws(CentralError) {
        try await discover()
        reporter = ScanReporter(filter)
        // Those that are heard already: no signal will tell of them.
        for path in tree.paths(with: BlueZ.device) { reportAdvertisement(path) }
    }

    /// Stops scanning; returns when BlueZ has stopped.
    public func stopScanning() async throws(CentralError) {
        reporter = nil
        try await stopDiscovering()
    }

    /// How long the kernel scans before this central lets it begin anew. It lets controllers report each peer once,
    /// and loses what is reported before its state says that it discovers (Linux 6.1): such a peer would not be heard
    /// for the rest of the scan.
    private static let roundTime = Duration.seconds(2)

    /// Starts the discovery of this client, if it does not run.
    func discover() async throws(CentralError) {
        let session = try currentSession("scan")
        guard !isDiscovering else { return }
        // Any filter of signal strength lets BlueZ report all of its changes, not those of 8 dB only.
        let filter = DBusValue.options([
            "Transport": .string("le"), "DuplicateData": .boolean(true), "RSSI": .int16(-127),
        ])
        try await call("scan", session.adapter, BlueZ.adapter, "SetDiscoveryFilter", [filter])
        try await call("scan", session.adapter, BlueZ.adapter, "StartDiscovery")
        isDiscovering = true
        lastOperation += 1
        scheduleRound(lastOperation)
    }

    /// Lets the kernel begin anew after a round, again and again; `number` is that of the discovery.
    private func scheduleRound(_ number: Int) {
        discovery = number
        executor.schedule(at: executor.now.advanced(by: Self.roundTime)) { [weak self] in
            self?.assumeIsolated { central in
                guard central.isDiscovering, central.discovery == number else { return }
                central.round = Task(executorPreference: central.executor) { await central.restart(number) }
            }
        }
    }

    private func restart(_ number: Int) async {
        guard isDiscovering, discovery == number, let session else { return }
        // Scanning would be in the way of an attempt to connect.
        if attempts.isEmpty {
            // Without an adapter the session ends; after another failure the next round tries it again.
            _ = try? await call("scan", session.adapter, BlueZ.adapter, "StopDiscovery")
            _ = try? await call("scan", session.adapter, BlueZ.adapter, "StartDiscovery")
        }
        if isDiscovering, discovery == number { scheduleRound(number) }
    }

    func stopDiscovering() async throws(CentralError) {
        guard isDiscovering, let session else { return }
        isDiscovering = false
        await round?.value
        round = nil
        try await call("stop scanning", session.adapter, BlueZ.adapter, "StopDiscovery")
    }

    /// Reports what a device advertises, while this central scans.
    func reportAdvertisement(_ path: String) {
        guard reporter != nil, let session, path.hasPrefix(session.adapter + "/"), let device = Device(tree, path),
            let advertisement = reporter?.report(device)
        else { return }
        events.post(.advertisement(advertisement))
    }
}
