internal import BLEPackets
internal import MonotonicTime

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

    /// Handles a request of the peer: a central decides, a peripheral answers with its own preference.
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

    /// The central selects the fastest PHY that both ends prefer, or keeps the current PHY if they have none in common.
    func decidePHYs(_ central: LinkEnd, peerSends: HCIPHYs, peerReceives: HCIPHYs) {
        let supported = central.controller.supportedPHYs
        let tx = fastest(central.wantedPHYs.transmit(supported).intersection(peerReceives))
        let rx = fastest(central.wantedPHYs.receive(supported).intersection(peerSends))
        // In the PDU, 0 means no change.
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

    /// Schedules the change of both ends at the instant.
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
