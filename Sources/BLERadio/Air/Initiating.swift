import BLECore
import BLEPackets

/// A controller that waits for an advertiser to connect to (Core 5.4, Vol 6 Part B 4.4.4).
struct Initiator {
    var command: HCILECreateConnection
    var listening: Listening
}

extension Air {
    /// Whether `listener` connects to `advertiser`, on hearing it now: then the link stands, and the advertising ends.
    func connects(
        _ listener: Controller, to advertiser: Controller, _ address: DeviceAddress, at moment: Moment
    ) -> Bool {
        guard let initiator = listener.host.initiator, advertiser.host.advertiser.isConnectable else { return false }
        let wanted =
            initiator.command.usesFilterAcceptList
            ? listener.host.acceptList.contains(address) : initiator.command.peerAddress == address
        guard wanted, !listener.isConnected(to: address),
            let own = listener.ownAddress(initiator.command.ownAddressType),
            let centralHandle = listener.freeHandle, let peripheralHandle = advertiser.freeHandle
        else { return false }
        let sent = advertiser.host.advertiser
        if sent.isDirected, own != sent.parameters.peerAddress { return false }
        if !sent.isDirected, sent.parameters.filterPolicy & 2 != 0, !advertiser.host.acceptList.contains(own) {
            return false
        }
        guard getsAdvertisement(listener, initiator.listening, from: advertiser, at: moment),
            isInRange(listener, of: advertiser)
        else { return false }
        // CONNECT_IND: lost, the initiator believes in a connection that never comes about.
        let path = path(listener, advertiser)
        let isHeard = !losesPacket(path)
        let connectIndication = AirTime.interFrameSpace + AirTime.packet(34)
        let link = Link(
            central: LinkEnd(listener, handle: centralHandle, role: .central, peerAddress: address),
            peripheral: LinkEnd(advertiser, handle: peripheralHandle, role: .peripheral, peerAddress: own),
            parameters: initiator.command.parameters, path: path,
            anchor: moment.begin + moment.duration + connectIndication + AirTime.transmitWindowDelay, now: now)
        links.append(link)
        open(link.central)
        listener.host.initiator = nil
        updateListening(listener)
        if isHeard {
            stopAdvertising(advertiser)
            open(link.peripheral)
            suggestDataLength(link.central)
            suggestDataLength(link.peripheral)
            schedule(link)
        } else {
            link.peripheral.isOpen = false
            loseContact(link)
        }
        return isHeard
    }

    private func open(_ end: LinkEnd) {
        end.controller.ends[Int(end.handle)] = end
        guard let link = end.link else { return }
        let accuracy: UInt8 = end.role == .peripheral ? Link.centralClockAccuracy : 0
        emitConnectionComplete(
            HCILEConnectionComplete(
                status: .success, handle: end.handle, role: end.role, peerAddress: end.peerAddress,
                interval: link.parameters.interval, latency: link.parameters.latency,
                supervisionTimeout: link.parameters.supervisionTimeout, centralClockAccuracy: accuracy),
            to: end.controller)
    }

    /// Sends the enhanced event instead where the controller knows it and the host wants it
    /// (Core 5.4, Vol 4 Part E 7.7.65.10).
    func emitConnectionComplete(_ event: HCILEConnectionComplete, to controller: Controller) {
        guard controller.has(LEFeature.privacy),
            controller.host.isUnmasked(.leMeta, .enhancedConnectionComplete)
        else {
            emit(event, to: controller)
            return
        }
        emit(
            HCILEEnhancedConnectionComplete(
                status: event.status, handle: event.handle, role: event.role, peerAddress: event.peerAddress,
                localResolvablePrivateAddress: DeviceAddress(0, .random),
                peerResolvablePrivateAddress: DeviceAddress(0, .random), interval: event.interval,
                latency: event.latency, supervisionTimeout: event.supervisionTimeout,
                centralClockAccuracy: event.centralClockAccuracy),
            to: controller)
    }
}

extension HCILEConnectionComplete {
    /// The end of an attempt that failed.
    static func failure(_ status: HCIErrorCode, role: HCIRole) -> HCILEConnectionComplete {
        HCILEConnectionComplete(
            status: status, handle: 0, role: role, peerAddress: DeviceAddress(0, .public), interval: 0, latency: 0,
            supervisionTimeout: 0, centralClockAccuracy: 0)
    }
}
