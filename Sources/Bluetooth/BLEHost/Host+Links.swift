public import BLEPackets
public import MonotonicTime

extension Host {
    /// The state of a connection; `nil` if there is none.
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

    /// The connection handle at the beginning of a command's parameters.
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
        if let leftOver = orphanedProcedures.removeValue(forKey: info.handle) { manager.adopt(leftOver) }
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

    /// Reports the connection to the application; then requests longer link layer packets.
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
        if link.update != nil {
            link.update = nil
            emit(.parameterUpdateFailed(link.info, event.reason))
        }
        flow.end(event.handle)
        link.manager.disconnected()
        performActions(of: link, now)
        link.endReason = event.reason
        if keepsEndedLinks { emit(.linkEnding(event.handle)) } else { finishDisconnection(of: event.handle, now: now) }
    }

    /// Removes a link after ``HostEvent/linkEnding(_:)``; ``HostEvent/disconnected(_:reason:wasConnected:)`` follows.
    ///
    /// Until then the host accepts calls for the link, like NimBLE while it reports the end of the client's
    /// subscriptions: sent packets and their buffers are lost, and a Security Request starts a procedure that outlives
    /// the link.
    public func finishDisconnection(of handle: ConnectionHandle, now: MonotonicInstant) {
        guard let index = links.firstIndex(where: { $0.info.handle == handle }), let reason = links[index].endReason
        else { return }
        flush(now)
        if hostFlow?.deadline != nil { reportProcessedPackets() }
        let link = links.remove(at: index)
        orphanedProcedures[handle] = link.manager.removeProcedure()
        flow.close(handle)
        emit(.disconnected(link.info, reason: reason, wasConnected: link.isConnected))
        flush(now)
    }

    /// Frees the procedures of Security Requests on ended links, without an event (`ble_gap_enc_event`).
    func dropOrphanedProcedures(_ now: MonotonicInstant) {
        for (handle, procedure) in orphanedProcedures where procedure.deadline <= now {
            orphanedProcedures[handle] = nil
            securityContext.runningProcedures -= 1
        }
    }
}
