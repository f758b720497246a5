public import BLECentral
import BLEHost
internal import BLEPackets
import BenchExecutor

extension HCICentral {
    /// Starts or restarts scanning; returns when the controller scans.
    public func startScanning(_ filter: ScanFilter) async throws(CentralError) {
        try checkAvailable()
        do throws(HostError) {
            try host.startScanning(ScanParameters(isActive: filter.isActive), now: executor.now)
        } catch {
            throw CentralError(error)
        }
        merger = AdvertisementMerger(filter)
        try await scanChange()
    }

    /// Stops scanning; returns when the controller has stopped.
    public func stopScanning() async throws(CentralError) {
        try checkAvailable()
        guard merger != nil else { return }
        merger = nil
        do throws(HostError) {
            try host.stopScanning(now: executor.now)
        } catch {
            throw CentralError(error)
        }
        try await scanChange()
    }

    /// Reports an advertisement, with the advertiser's identity.
    func report(_ advertisement: Advertisement) {
        var advertisement = advertisement
        advertisement.identity = advertisement.address.map { host.identity(of: $0) }
        events.post(.advertisement(advertisement))
    }

    private func scanChange() async throws(CentralError) {
        let error = await withCheckedContinuation { continuation in
            scanWaiters.append(continuation)
            pump()
        }
        if let error { throw error }
    }

    func scanChanged(_ error: CentralError?) {
        for waiter in scanWaiters { waiter.resume(returning: error) }
        scanWaiters = []
    }

    func scanRefused(_ opcode: HCIOpcode, _ status: HCIErrorCode) {
        merger = nil
        scanChanged(CentralError(.controller(status: status.rawValue), "\(opcode): expected success, got \(status)"))
    }
}
