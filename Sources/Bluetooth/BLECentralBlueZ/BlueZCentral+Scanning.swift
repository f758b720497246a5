public import BLECentral
internal import BLECore

extension BlueZCentral {
    /// Starts scanning, or changes the filter; returns when BlueZ discovers. It always scans actively.
    ///
    /// BlueZ reports a peer when one of its properties changes, such as its signal strength, so
    /// ``ScanFilter/allowsDuplicates`` reports those changes and not every advertisement. The advertisement of a peer
    /// to which BlueZ was connected before includes the name and services from that connection.
    ///
    /// Linux before 6.10 drops an advertisement that arrives when it has just begun to scan (its commit 2e2515c1ba38), and
    /// the controller reports each peer once per scan: a peer may be missing until the next scan, up to 15 s later.
    public func startScanning(_ filter: ScanFilter) async throws(CentralError) {
        isScanning = true
        if let error = await updateDiscovery() {
            isScanning = false
            throw error
        }
        // Scanning may have been stopped meanwhile.
        guard isScanning else { return }
        reporter = ScanReporter(filter)
        // Report the peers that BlueZ has already discovered: no signal will report them.
        for path in tree.paths(with: BlueZ.device) { reportAdvertisement(path) }
    }

    /// Stops scanning; returns when BlueZ has stopped.
    public func stopScanning() async throws(CentralError) {
        reporter = nil
        isScanning = false
        if let error = await updateDiscovery() { throw error }
    }

    /// Reports a device's advertisement while this central scans.
    func reportAdvertisement(_ path: String) {
        guard reporter != nil, let session, path.hasPrefix(session.adapter + "/"), let device = Device(tree, path),
            let advertisement = reporter?.report(device, isConnectable: isConnectable(device.address))
        else { return }
        events.post(.advertisement(advertisement))
    }
}
