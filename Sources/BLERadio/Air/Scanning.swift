import BLECore
import BLEPackets

/// The scanning state of a controller (Core 5.4, Vol 6 Part B 4.4.3).
struct Scanner {
    /// One advertiser's advertisement or scan response.
    struct Seen: Hashable {
        var address: DeviceAddress
        var isResponse: Bool
    }

    /// Core 5.4, Vol 4 Part E 7.8.10: the defaults.
    var parameters = HCILESetScanParameters(
        isActive: false, interval: 0x10, window: 0x10, ownAddressType: .public, filterPolicy: 0)
    var isEnabled = false
    var filtersDuplicates = false
    var listening = Listening(start: 0, interval: 1, window: 0)
    /// Filled only while duplicates are filtered.
    var seen: Set<Seen> = []
    /// A controller's memory for duplicates is finite; beyond, it reports again.
    static let seenCapacity = 256

    /// Whether a packet must be reported; notes that it has been.
    mutating func isNew(_ address: DeviceAddress, isResponse: Bool) -> Bool {
        guard filtersDuplicates else { return true }
        if seen.count >= Self.seenCapacity { seen.removeAll(keepingCapacity: true) }
        return seen.insert(Seen(address: address, isResponse: isResponse)).inserted
    }
}

extension Air {
    /// Lets a scanner hear an advertisement; an active one asks for the scan response.
    func scan(_ listener: Controller, _ advertiser: Controller, _ address: DeviceAddress, at moment: Moment) {
        let scanner = listener.host.scanner
        guard scanner.isEnabled, getsAdvertisement(listener, scanner.listening, from: advertiser, at: moment) else {
            return
        }
        if scanner.parameters.filterPolicy == 1, !listener.host.acceptList.contains(address) { return }
        let sent = advertiser.host.advertiser
        let own = listener.ownAddress(scanner.parameters.ownAddressType)
        if sent.isDirected, own != sent.parameters.peerAddress { return }
        let rssi = rssi(of: advertiser, at: listener)
        if listener.host.scanner.isNew(address, isResponse: false) {
            report(Self.kind(sent.parameters.type), address, sent.isDirected ? [] : sent.data, rssi, to: listener)
        }
        guard scanner.parameters.isActive, sent.isScannable, let own,
            answersScan(advertiser, by: listener, own)
        else { return }
        if listener.host.scanner.isNew(address, isResponse: true) {
            report(.scanResponse, address, sent.scanResponse, rssi, to: listener)
        }
    }

    /// SCAN_REQ and SCAN_RSP.
    private func answersScan(_ advertiser: Controller, by listener: Controller, _ address: DeviceAddress) -> Bool {
        let path = path(advertiser, listener)
        guard isInRange(listener, of: advertiser), !losesPacket(path) else { return false }
        if advertiser.host.advertiser.parameters.filterPolicy & 1 != 0,
            !advertiser.host.acceptList.contains(address)
        {
            return false
        }
        return !losesPacket(path)
    }

    private func report(
        _ kind: HCILEAdvertisingReport.Kind, _ address: DeviceAddress, _ data: ArraySlice<UInt8>, _ rssi: Int8,
        to listener: Controller
    ) {
        emit(
            HCILEAdvertisingReport(reports: [.init(kind: kind, address: address, data: data, rssi: rssi)]),
            to: listener)
    }

    private static func kind(_ type: HCIAdvertisingType) -> HCILEAdvertisingReport.Kind {
        switch type {
        case .connectable: .connectable
        case .scannable: .scannable
        case .nonConnectable: .nonConnectable
        default: .directed
        }
    }
}
