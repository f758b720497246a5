import BenchExecutor
public import BLECentral
import BLECore
import BLEHost
internal import BLEPackets
import ByteCodec
import MonotonicTime

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

/// Merges an advertising report and the following scan response into one ``Advertisement``, applies the filter, and
/// drops duplicates if the filter requires it. A pure state machine.
struct AdvertisementMerger {
    /// The time-out of a scan response; on air it follows its advertisement within a millisecond.
    private static let scanResponseWait = Duration.milliseconds(10)
    /// The size of the duplicate filter; beyond it, peers are reported again.
    private static let peerLimit = 1024

    private struct Peer {
        var advertising: ArraySlice<UInt8> = []
        var scanResponse: ArraySlice<UInt8> = []
        var isConnectable = false
        var rssi: Int8 = 0
        var awaitsScanResponse = false
        var reported: Advertisement?
    }

    private let filter: ScanFilter
    private var peers: [DeviceAddress: Peer] = [:]
    /// The peers whose scan response is awaited, by deadline.
    private var waiting: [(address: DeviceAddress, deadline: MonotonicInstant)] = []

    init(_ filter: ScanFilter) {
        self.filter = filter
    }

    /// When ``advance(to:)`` must be called next.
    var nextDeadline: MonotonicInstant? { waiting.first?.deadline }

    /// Handles a report of the controller; returns the advertisement to report, if any.
    mutating func receive(_ report: HCILEAdvertisingReport.Report, now: MonotonicInstant) -> Advertisement? {
        if peers.count >= Self.peerLimit, peers[report.address] == nil {
            peers = [:]
            waiting = []
        }
        var peer = peers[report.address] ?? Peer()
        defer { peers[report.address] = peer }
        peer.rssi = report.rssi
        if report.kind == .scanResponse {
            peer.scanResponse = report.data
            endWait(&peer, report.address)
            return advertisement(of: &peer, report.address)
        }
        if peer.advertising != report.data { peer.scanResponse = [] }
        peer.advertising = report.data
        peer.isConnectable = report.kind == .connectable || report.kind == .directed
        guard filter.isActive, report.kind == .connectable || report.kind == .scannable else {
            return advertisement(of: &peer, report.address)
        }
        endWait(&peer, report.address)
        peer.awaitsScanResponse = true
        waiting.append((report.address, now.advanced(by: Self.scanResponseWait)))
        return nil
    }

    /// Returns the advertisements whose scan response was not received in time.
    mutating func advance(to now: MonotonicInstant) -> [Advertisement] {
        var reports: [Advertisement] = []
        while let first = waiting.first, first.deadline <= now {
            waiting.removeFirst()
            guard var peer = peers[first.address] else { continue }
            peer.awaitsScanResponse = false
            if let advertisement = advertisement(of: &peer, first.address) { reports.append(advertisement) }
            peers[first.address] = peer
        }
        return reports
    }

    private mutating func endWait(_ peer: inout Peer, _ address: DeviceAddress) {
        guard peer.awaitsScanResponse else { return }
        peer.awaitsScanResponse = false
        waiting.removeAll { $0.address == address }
    }

    private func advertisement(of peer: inout Peer, _ address: DeviceAddress) -> Advertisement? {
        let data = AdvertisingData(
            structures: Self.structures(peer.advertising) + Self.structures(peer.scanResponse))
        let advertisement = Advertisement(
            address: address, data: data, rssi: Int(peer.rssi), isConnectable: peer.isConnectable)
        guard passes(advertisement) else { return nil }
        if !filter.allowsDuplicates, let last = peer.reported, last.data == data,
            last.isConnectable == peer.isConnectable
        {
            return nil
        }
        peer.reported = advertisement
        return advertisement
    }

    /// The AD structures; empty if they are malformed, since the peer is reported nevertheless.
    private static func structures(_ bytes: ArraySlice<UInt8>) -> [AdvertisingData.Structure] {
        var reader = ByteReader(bytes, subject: "advertising data")
        return (try? AdvertisingData(from: &reader))?.structures ?? []
    }

    private func passes(_ advertisement: Advertisement) -> Bool {
        if let minimum = filter.minimumRSSI, advertisement.rssi < minimum { return false }
        if let name = filter.name, advertisement.data.localName != name { return false }
        return filter.services.isEmpty || advertisement.data.serviceUUIDs.contains { filter.services.contains($0) }
    }
}
