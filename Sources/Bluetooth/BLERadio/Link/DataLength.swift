internal import BLEPackets
internal import MonotonicTime

/// The longest payload in one direction (Core 5.4, Vol 6 Part B 4.5.10).
package struct DataLength: Equatable {
    var octets: UInt16
    /// In microseconds.
    var time: UInt16

    package init(octets: UInt16, time: UInt16) {
        self.octets = octets
        self.time = time
    }

    static let minimum = DataLength(octets: 27, time: 328)

    /// The maximum that both support.
    func common(_ other: DataLength) -> DataLength {
        DataLength(octets: min(octets, other.octets), time: min(time, other.time))
    }

    /// The number of bytes within both limits; preamble, access address, header, CRC and MIC add 14 bytes.
    var effectiveOctets: Int { min(Int(octets), Int(time) / 8 - 14) }
}

/// One end's values in LL_LENGTH_REQ and LL_LENGTH_RSP.
package struct DataLengthOffer: Equatable {
    var tx: DataLength
    var rx: DataLength

    package init(tx: DataLength, rx: DataLength) {
        self.tx = tx
        self.rx = rx
    }
}

/// One end's data lengths: its own limits and those in effect.
struct DataLengths {
    /// The transmit length that the host requested.
    var tx: DataLength
    /// The receive length that the controller supports.
    let rx: DataLength
    var effectiveTx = DataLength.minimum
    var effectiveRx = DataLength.minimum

    init(_ controller: Controller) {
        let octets = controller.personality.maximumDataLength
        rx = DataLength(octets: octets, time: (octets + 14) * 8)
        tx = .minimum
    }

    var offer: DataLengthOffer { DataLengthOffer(tx: tx, rx: rx) }

    /// Whether the peer's offer changes anything.
    mutating func accept(_ peer: DataLengthOffer) -> Bool {
        let former = (effectiveTx, effectiveRx)
        effectiveTx = tx.common(peer.rx)
        effectiveRx = rx.common(peer.tx)
        return former != (effectiveTx, effectiveRx)
    }
}

extension Air {
    /// Starts the procedure with the host's suggested default data length.
    func suggestDataLength(_ end: LinkEnd) {
        let suggested = end.controller.host.suggestedLength
        if suggested != .minimum { requestDataLength(end, suggested) }
    }

    func requestDataLength(_ end: LinkEnd, _ wanted: DataLength) {
        let maximum = end.controller.personality.maximumDataLength
        end.length.tx = wanted.common(DataLength(octets: maximum, time: (maximum + 14) * 8))
        guard end.controller.has(LEFeature.dataLengthExtension) else { return }
        send(.lengthRequest(end.length.offer), from: end)
        awaitResponse(to: .lengthRequest, at: end)
    }

    func acceptDataLength(_ offer: DataLengthOffer, at end: LinkEnd) {
        guard end.length.accept(offer) else { return }
        emit(
            HCILEDataLengthChange(
                handle: end.handle, maximumTxOctets: end.length.effectiveTx.octets,
                maximumTxTime: end.length.effectiveTx.time, maximumRxOctets: end.length.effectiveRx.octets,
                maximumRxTime: end.length.effectiveRx.time),
            to: end.controller)
    }
}

/// The PHYs of one end of a link.
struct LinkPHYs: Equatable {
    var tx: HCIPHY
    var rx: HCIPHY
}

extension Air {
    /// The host of `end` requests other PHYs (Core 5.4, Vol 6 Part B 5.1.10).
    func requestPHYs(_ end: LinkEnd, _ wanted: PHYPreference) {
        end.wantsPHYs = true
        end.wantedPHYs = wanted
        if let peer = end.peerFeatures, peer & (LEFeature.le2MPHY | LEFeature.leCodedPHY) == 0 {
            endPHYUpdate(end, .unsupportedRemoteFeature)
            return
        }
        let supported = end.controller.supportedPHYs
        send(.phyRequest(tx: wanted.transmit(supported), rx: wanted.receive(supported)), from: end)
        awaitResponse(to: .phyRequest, at: end)
    }

    /// A request of the peer: a central decides, a peripheral answers with its own preference.
    func receivePHYRequest(tx: HCIPHYs, rx: HCIPHYs, at end: LinkEnd) {
        let supported = end.controller.supportedPHYs
        guard supported != .le1M else {
            send(.unknownResponse(.phyRequest), from: end)
            return
        }
        if end.role == .central {
            decidePHYs(end, peerSends: tx, peerReceives: rx)
        } else {
            let wanted = end.wantedPHYs
            send(.phyResponse(tx: wanted.transmit(supported), rx: wanted.receive(supported)), from: end)
        }
    }

    /// The central selects the fastest PHY that both prefer, or keeps the current one if there is none.
    func decidePHYs(_ central: LinkEnd, peerSends: HCIPHYs, peerReceives: HCIPHYs) {
        let supported = central.controller.supportedPHYs
        let tx = fastest(central.wantedPHYs.transmit(supported).intersection(peerReceives))
        let rx = fastest(central.wantedPHYs.receive(supported).intersection(peerSends))
        // 0 in the PDU: no change.
        send(
            .phyUpdateIndication(
                toPeripheral: tx == central.phys.tx ? .none : tx, toCentral: rx == central.phys.rx ? .none : rx,
                instant: 0),
            from: central)
    }

    private func fastest(_ phys: HCIPHYs) -> HCIPHY {
        if phys.contains(.le2M) { return .le2M }
        return phys.contains(.le1M) ? .le1M : phys.first
    }

    /// Both ends change at the instant.
    func receivePHYUpdate(_ toPeripheral: HCIPHY, _ toCentral: HCIPHY, instant low: UInt16, at end: LinkEnd) {
        guard let link = end.link, link.phyUpdate == nil else { return }
        guard toPeripheral != .none || toCentral != .none else {
            finishPHYUpdate(link, isChange: false)
            return
        }
        let central = link.central.phys
        link.phyUpdate = LinkPHYs(
            tx: toPeripheral == .none ? central.tx : toPeripheral, rx: toCentral == .none ? central.rx : toCentral)
        link.phyToken = schedule(.phyUpdate(link), at: link.time(of: link.event(low)))
    }

    func phyInstant(_ link: Link) {
        link.phyToken = nil
        guard let phys = link.phyUpdate.take() else { return }
        let isChange = phys != link.central.phys
        link.central.phys = phys
        link.peripheral.phys = LinkPHYs(tx: phys.rx, rx: phys.tx)
        finishPHYUpdate(link, isChange: isChange)
    }

    private func finishPHYUpdate(_ link: Link, isChange: Bool) {
        for end in [link.central, link.peripheral] where end.isOpen && (isChange || end.wantsPHYs) {
            endPHYUpdate(end, .success)
        }
    }

    /// Reports the result of the procedure to the host.
    func endPHYUpdate(_ end: LinkEnd, _ status: HCIErrorCode) {
        end.wantsPHYs = false
        emit(
            HCILEPHYUpdateComplete(status: status, handle: end.handle, txPHY: end.phys.tx, rxPHY: end.phys.rx),
            to: end.controller)
    }
}
