public import BLEPackets
public import MonotonicTime

extension Host {
    /// What is known of a connection; `nil` when there is none.
    public func connection(_ handle: ConnectionHandle) -> ConnectionInfo? { link(handle)?.info }

    /// Every connection, oldest first.
    public var connections: [ConnectionInfo] { links.map(\.info) }

    func link(_ handle: ConnectionHandle) -> Link? { links.first { $0.info.handle == handle } }

    func link(_ handle: ConnectionHandle, for operation: StaticString) throws(HostError) -> Link {
        guard let link = link(handle) else {
            throw HostError(.notConnected, "\(operation): there is no connection with handle \(handle)")
        }
        return link
    }

    /// Ends a connection; ``HostEvent/disconnected(_:reason:wasConnected:)`` follows. A second call does nothing.
    ///
    /// - Throws: `notConnected`.
    public func disconnect(
        _ handle: ConnectionHandle, reason: HCIErrorCode = .remoteUserTerminatedConnection, now: MonotonicInstant
    ) throws(HostError) {
        let link = try link(handle, for: "disconnect")
        disconnect(link, reason)
        flush(now)
    }

    func disconnect(_ link: Link, _ reason: HCIErrorCode) {
        guard !link.isDisconnecting else { return }
        link.isDisconnecting = true
        commands.append(HCIDisconnect(handle: link.info.handle, reason: reason).packet)
    }

    func disconnectRefused(_ command: HCIPacket) {
        link(handle(in: command))?.isDisconnecting = false
    }

    /// The connection handle that a command's parameters begin with.
    func handle(in command: HCIPacket) -> ConnectionHandle {
        command.bytes.count < 5 ? 0xFFFF : UInt16(command.bytes[3]) | UInt16(command.bytes[4]) << 8
    }

    // MARK: Connecting

    func connectionCompleted(_ status: HCIErrorCode, _ info: ConnectionInfo) {
        let local = localAddress(isCentral: info.isCentral)
        guard status == .success else {
            guard isInitiating else { return }
            isInitiating = false
            return emit(.connectionFailed(status))
        }
        guard isReady, link(info.handle) == nil else { return }
        if info.isCentral { isInitiating = false } else { advertising = AdvertisingState() }
        var info = info
        info.identity = identity(of: info.peer)
        let manager = SecurityManager(
            isCentral: info.isCentral, local: local, peer: info.peer, configuration: security,
            context: securityContext)
        manager.peerIdentity = info.identity
        let link = Link(info, manager)
        links.append(link)
        flow.open(info.handle)
        emit(.linkEstablished(info))
        if info.isCentral {
            announce(link)
        } else {
            commands.append(HCIReadRemoteVersionInformation(handle: info.handle).packet)
        }
    }

    func remoteVersionRead(_ event: HCIReadRemoteVersionInformationComplete) {
        guard let link = link(event.handle), !link.info.isCentral else { return }
        commands.append(HCILEReadRemoteFeatures(handle: event.handle).packet)
    }

    func remoteFeaturesRead(_ event: HCILEReadRemoteFeaturesComplete) {
        guard let link = link(event.handle), event.status == .success else { return }
        link.features = event.features
        if !link.isConnected { announce(link) }
    }

    /// The application hears of the connection; then longer link-layer packets are asked for.
    private func announce(_ link: Link) {
        link.isConnected = true
        emit(.connected(link.info))
        if case .ready(let controller) = state, !link.info.isCentral || controller.hasDataLengthExtension {
            commands.append(HCILESetDataLength(handle: link.info.handle, txOctets: 251, txTime: 2120).packet)
        }
    }

    func linkEnded(_ event: HCIDisconnectionComplete, _ now: MonotonicInstant) {
        guard let index = links.firstIndex(where: { $0.info.handle == event.handle }) else { return }
        let link = links[index]
        guard event.status == .success else {
            link.isDisconnecting = false
            return emit(.commandFailed(.disconnect, event.status))
        }
        if hostFlow?.deadline != nil { reportTakenPackets() }
        if link.update != nil {
            link.update = nil
            emit(.parameterUpdateFailed(link.info, event.reason))
        }
        link.manager.disconnected()
        performActions(of: link, now)
        links.remove(at: index)
        flow.close(event.handle)
        emit(.disconnected(link.info, reason: event.reason, wasConnected: link.isConnected))
    }
}
