import BLECore
internal import BLEPackets

/// The initiating state of a controller (Core 5.4, Vol 6 Part B 4.4.4).
struct Initiator {
    /// Initiating on one PHY.
    struct Attempt {
        /// `nil` if the PHY is used for auxiliary packets only.
        var listening: Listening?
        var parameters: HCIConnectionParameters
    }

    var usesFilterAcceptList: Bool
    var ownAddressType: HCIOwnAddressType
    var peerAddress: DeviceAddress
    /// True if the host used an extended command.
    var isExtended: Bool
    var attempts: [HCIPHY: Attempt]
}

extension Air {
    /// True if `listener` connects to the advertiser on this advertisement: then the connection is created, and the
    /// advertising ends.
    func connects(_ listener: Controller, _ advertisement: Advertisement, at transmission: Transmission) -> Bool {
        let set = advertisement.set
        guard set.isConnectable, let initiator = listener.host.initiator, set.isLegacy || initiator.isExtended,
            let attempt = initiator.attempts[set.parameters.primaryPHY], let listening = attempt.listening,
            let peer = listener.identify(advertisement.sender.address)
        else { return false }
        let isWanted =
            initiator.usesFilterAcceptList
            ? listener.host.acceptList.contains(peer.address)
            : initiator.peerAddress == peer.address || initiator.peerAddress == advertisement.sender.address
        guard isWanted, !listener.isConnected(to: peer.address),
            let own = listener.ownAddress(
                initiator.ownAddressType, for: peer.address, random: listener.host.randomAddress, now: now)
        else { return false }
        if let target = advertisement.target, target != own.address,
            !listener.isCalled(target, by: peer.address, initiator.ownAddressType)
        {
            return false
        }
        guard let central = accepts(own.address, advertisement), listener.freeHandle != nil,
            set.controller.freeHandle != nil, receives(advertisement, listener, listening, at: transmission),
            isInRange(listener, of: set.controller)
        else { return false }
        let phy = set.isLegacy ? HCIPHY.le1M : set.parameters.secondaryPHY
        let parameters = (initiator.attempts[phy] ?? attempt).parameters
        return connect(
            LinkSide(controller: listener, own: own, peer: peer),
            LinkSide(controller: set.controller, own: advertisement.sender, peer: central), parameters, phy, set,
            at: transmission)
    }

    /// The initiator's identity for the advertiser; `nil` if its filter policy excludes it.
    private func accepts(_ initiator: DeviceAddress, _ advertisement: Advertisement) -> PeerIdentity? {
        let set = advertisement.set
        guard let identity = set.controller.identify(initiator) else { return nil }
        let isAccepted =
            set.isDirected
            ? identity.address == set.parameters.peerAddress || initiator == advertisement.target
            : set.parameters.filterPolicy & 2 == 0 || set.controller.host.acceptList.contains(identity.address)
        return isAccepted ? identity : nil
    }

    /// One side of a new connection.
    private struct LinkSide {
        var controller: Controller
        var own: OwnAddress
        var peer: PeerIdentity
    }

    private func connect(
        _ central: LinkSide, _ peripheral: LinkSide, _ parameters: HCIConnectionParameters, _ phy: HCIPHY,
        _ set: AdvertisingSet, at transmission: Transmission
    ) -> Bool {
        guard let centralHandle = central.controller.freeHandle, let peripheralHandle = peripheral.controller.freeHandle
        else { return false }
        // If CONNECT_IND is lost, only the initiator has a connection, which is never established.
        let path = path(central.controller, peripheral.controller)
        let isReceived = !losesPacket(path)
        let request = AirTime.interFrameSpace + AirTime.packet(34, phy)
        let link = Link(
            central: LinkEnd(
                central.controller, handle: centralHandle, role: .central, peerAddress: central.peer.address),
            peripheral: LinkEnd(
                peripheral.controller, handle: peripheralHandle, role: .peripheral,
                peerAddress: peripheral.peer.address),
            parameters: parameters, path: path,
            anchor: transmission.begin + transmission.duration + request + AirTime.transmitWindowDelay, phy: phy,
            now: now)
        let channelMap = central.controller.host.channelMap
        (link.central.channelMap, link.peripheral.channelMap) = (channelMap, channelMap)
        links.append(link)
        central.controller.host.initiator = nil
        open(link.central, central)
        updateListening(central.controller)
        if isReceived {
            stopAdvertising(set)
            open(link.peripheral, peripheral)
            emitTerminated(set, .success, connection: peripheralHandle)
            suggestDataLength(link.central)
            suggestDataLength(link.peripheral)
            schedule(link)
        } else {
            link.peripheral.isOpen = false
            loseContact(link)
        }
        return isReceived
    }

    private func open(_ end: LinkEnd, _ side: LinkSide) {
        end.controller.ends[Int(end.handle)] = end
        guard let link = end.link else { return }
        let none = DeviceAddress(0, .random)
        emitConnectionComplete(
            HCILEEnhancedConnectionComplete(
                status: .success, handle: end.handle, role: end.role, peerAddress: end.peerAddress,
                isPeerResolved: side.peer.isResolved,
                localResolvablePrivateAddress: side.own.isPrivate ? side.own.address : none,
                peerResolvablePrivateAddress: side.peer.privateAddress ?? none, interval: link.parameters.interval,
                latency: link.parameters.latency, supervisionTimeout: link.parameters.supervisionTimeout,
                centralClockAccuracy: end.role == .peripheral ? Link.centralClockAccuracy : 0),
            to: end.controller)
        if end.controller.has(LEFeature.channelSelectionAlgorithm2) {
            let isSecond = link.peer(of: end).controller.has(LEFeature.channelSelectionAlgorithm2)
            emit(HCILEChannelSelectionAlgorithm(handle: end.handle, algorithm: isSecond ? 1 : 0), to: end.controller)
        }
    }

    /// Sends the event, or LE Connection Complete if the controller does not support the event or the host masks it; LE
    /// Connection Complete has no resolvable addresses (Core 5.4, Vol 4 Part E 7.7.65.1, 7.7.65.10).
    func emitConnectionComplete(_ event: HCILEEnhancedConnectionComplete, to controller: Controller) {
        if controller.has(LEFeature.privacy), controller.host.isUnmasked(.leMeta, .enhancedConnectionComplete) {
            emit(event, to: controller)
            return
        }
        emit(
            HCILEConnectionComplete(
                status: event.status, handle: event.handle, role: event.role,
                peerAddress: event.isPeerResolved ? event.peerResolvablePrivateAddress : event.peerAddress,
                interval: event.interval, latency: event.latency, supervisionTimeout: event.supervisionTimeout,
                centralClockAccuracy: event.centralClockAccuracy),
            to: controller)
    }
}

extension HCILEEnhancedConnectionComplete {
    /// The event of a failed attempt.
    static func failure(_ status: HCIErrorCode, role: HCIRole) -> HCILEEnhancedConnectionComplete {
        HCILEEnhancedConnectionComplete(
            status: status, handle: 0, role: role, peerAddress: DeviceAddress(0, .public),
            localResolvablePrivateAddress: DeviceAddress(0, .random),
            peerResolvablePrivateAddress: DeviceAddress(0, .random), interval: 0, latency: 0,
            supervisionTimeout: 0, centralClockAccuracy: 0)
    }
}
