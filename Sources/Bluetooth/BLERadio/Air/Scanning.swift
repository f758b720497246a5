import BLECore
import BLEPackets

/// An advertisement received by a scanner.
private struct ReceivedAdvertisement {
    let advertisement: Advertisement
    let sender: PeerIdentity
    let rssi: Int8
    /// As in extended reports; 0 for none.
    let target: HCILEExtendedAdvertisingReport.Target

    var set: AdvertisingSet { advertisement.set }

    func filterEntry(isResponse: Bool) -> Scanner.FilterEntry {
        let isAnonymous = set.properties.contains(.anonymous)
        let data = isResponse ? set.scanResponse : set.data
        return Scanner.FilterEntry(
            address: isAnonymous ? nil : sender.address, isResponse: isResponse,
            identifier: set.isLegacy ? 0 : UInt32(set.parameters.sid) << 16 | UInt32(data.identifier))
    }
}

extension Air {
    /// Delivers an advertisement to a scanner; an active scanner requests the scan response. Returns whether it was
    /// received. A host that does not read, and an air that is late, get no reports: a controller may drop them, and
    /// nothing else.
    @discardableResult func scan(_ listener: Controller, _ advertisement: Advertisement, at transmission: Transmission)
        -> Bool
    {
        let scanner = listener.host.scanner
        let set = advertisement.set
        guard !isOverloaded, scanner.isListening, set.isLegacy || scanner.isExtended,
            let scan = scanner.scans[set.parameters.primaryPHY],
            receives(advertisement, listener, scan.listening, at: transmission), !listener.isCongested()
        else { return false }
        // Anonymous: no address to resolve, and none on an accept list.
        let isAnonymous = set.properties.contains(.anonymous)
        let address = advertisement.sender.address
        guard let sender = isAnonymous ? PeerIdentity(address: address) : listener.identify(address) else {
            return true
        }
        if scanner.usesAcceptList {
            guard !isAnonymous, listener.host.acceptList.contains(sender.address) else {
                return true
            }
        }
        guard let target = target(of: advertisement, from: sender, at: listener) else { return true }
        let received = ReceivedAdvertisement(
            advertisement: advertisement, sender: sender,
            rssi: rssi(set.txPower, path(advertisement.controller, listener)), target: target)
        if listener.host.scanner.isNew(received.filterEntry(isResponse: false)) {
            report(received, isResponse: false, set.hasData ? set.data.bytes : [], to: listener)
        }
        guard scan.isActive, set.isScannable, answersScan(advertisement, by: listener, sender.address) else {
            return true
        }
        if listener.host.scanner.isNew(received.filterEntry(isResponse: true)) {
            report(received, isResponse: true, set.scanResponse.bytes, to: listener)
        }
        return true
    }

    /// The target of a directed advertisement as the listener reports it; `nil` if it is for another device.
    private func target(
        of advertisement: Advertisement, from sender: PeerIdentity, at listener: Controller
    ) -> HCILEExtendedAdvertisingReport.Target? {
        guard let target = advertisement.target else { return HCILEExtendedAdvertisingReport.Target.none }
        let type = listener.host.scanner.ownAddressType
        if let own = listener.identityAddress(type, random: listener.host.randomAddress), target == own {
            return .init(type: own.kind.rawValue, address: own)
        }
        if listener.isCalled(target, by: sender.address, type) {
            let own = listener.identityAddress(type, random: listener.host.randomAddress)
            return .init(type: 2 | (own ?? target).kind.rawValue, address: own ?? target)
        }
        guard listener.host.scanner.reportsUnresolvedTargets, target.isResolvablePrivate else { return nil }
        return .init(type: HCILEExtendedAdvertisingReport.Target.unresolved, address: target)
    }

    /// Exchanges SCAN_REQ and SCAN_RSP.
    private func answersScan(_ advertisement: Advertisement, by listener: Controller, _ peer: DeviceAddress) -> Bool {
        let advertiser = advertisement.controller
        let path = path(advertiser, listener)
        guard
            let own = listener.ownAddress(
                listener.host.scanner.ownAddressType, for: peer, random: listener.host.randomAddress, now: now),
            isInRange(listener, of: advertiser), !losesPacket(path),
            let identity = advertiser.identify(own.address)
        else { return false }
        let parameters = advertisement.set.parameters
        if parameters.filterPolicy & 1 != 0, !advertiser.host.acceptList.contains(identity.address) { return false }
        if parameters.notifiesScanRequests, let handle = advertisement.set.handle {
            emit(
                HCILEScanRequestReceived(
                    advertisingHandle: handle, scanner: identity.address, isResolved: identity.isResolved),
                to: advertiser)
        }
        return !losesPacket(path)
    }

    private func report(
        _ received: ReceivedAdvertisement, isResponse: Bool, _ data: ArraySlice<UInt8>, to listener: Controller
    ) {
        if listener.host.scanner.isExtended {
            reportExtended(received, isResponse: isResponse, data, to: listener)
        } else if received.target.type == HCILEExtendedAdvertisingReport.Target.unresolved {
            emit(
                HCILEDirectedAdvertisingReport(reports: [
                    .init(
                        address: received.sender.address, isResolved: received.sender.isResolved,
                        target: received.target.address, rssi: received.rssi)
                ]), to: listener)
        } else {
            emit(
                HCILEAdvertisingReport(reports: [
                    .init(
                        kind: isResponse ? .scanResponse : kind(received.set), address: received.sender.address,
                        isResolved: received.sender.isResolved, data: data, rssi: received.rssi)
                ]), to: listener)
        }
    }

    private func kind(_ set: AdvertisingSet) -> HCILEAdvertisingReport.Kind {
        if set.isDirected { return .directed }
        if set.isConnectable { return .connectable }
        return set.isScannable ? .scannable : .nonConnectable
    }

    /// Splits the data into several reports (Core 5.4, Vol 4 Part E 7.7.65.13).
    private func reportExtended(
        _ received: ReceivedAdvertisement, isResponse: Bool, _ data: ArraySlice<UInt8>, to listener: Controller
    ) {
        let set = received.set
        let isAnonymous = set.properties.contains(.anonymous)
        // The lowest bits have the same meaning in both.
        var kind = HCILEExtendedAdvertisingReport.Kind(rawValue: set.properties.rawValue & 7)
        if set.isLegacy { kind.insert(.legacy) }
        if isResponse { kind.insert(.scanResponse) }
        var rest = data
        repeat {
            let piece = rest.prefix(HCILEExtendedAdvertisingReport.maximumDataLength)
            rest = rest.dropFirst(piece.count)
            emit(
                HCILEExtendedAdvertisingReport(reports: [
                    .init(
                        kind: rest.isEmpty ? kind : kind.union(.incomplete),
                        address: isAnonymous ? nil : received.sender.address, isResolved: received.sender.isResolved,
                        primaryPHY: set.parameters.primaryPHY, secondaryPHY: set.parameters.secondaryPHY,
                        sid: set.parameters.sid,
                        txPower: set.properties.contains(.includesTxPower) ? set.txPower : 127, rssi: received.rssi,
                        target: received.target, data: piece)
                ]), to: listener)
        } while !rest.isEmpty
    }
}
