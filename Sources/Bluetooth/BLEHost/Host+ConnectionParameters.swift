internal import BLEPackets
internal import ByteCodec
public import MonotonicTime

extension Host {
    /// The time-out of a connection update by the controller (NimBLE: `BLE_GAP_UPDATE_TIMEOUT_MS`).
    private static let updateTimeout = Duration.seconds(40)
    /// The time-out of the central's answer (NimBLE: `BLE_L2CAP_SIG_UNRESPONSIVE_TIMEOUT`).
    private static let requestTimeout = Duration.seconds(30)
    /// LE feature bit 1, Connection Parameters Request Procedure (Core 5.4, Vol 6 Part B 4.6).
    private static let parametersRequestFeature: UInt64 = 1 << 1

    /// Requests other connection parameters; ``HostEvent/parametersUpdated(_:)`` or
    /// ``HostEvent/parameterUpdateFailed(_:_:)`` follows.
    ///
    /// As a peripheral, the host sends an L2CAP request if the peer lacks the link layer procedure, as NimBLE does.
    ///
    /// - Throws: `notConnected`, `invalidParameters`, `alreadyActive`.
    public func updateParameters(
        _ parameters: ConnectionParameters, on handle: ConnectionHandle, now: MonotonicInstant
    ) throws(HostError) {
        let link = try link(handle, for: "connection update")
        try check(parameters, "connection update")
        guard link.update == nil else {
            throw HostError(.alreadyActive, "connection update: expected no other update, but one runs")
        }
        if link.info.isCentral || link.features & Self.parametersRequestFeature != 0 {
            changeParameters(parameters, of: link, now)
        } else {
            requestParameters(parameters, of: link, now)
        }
        flush(now)
    }

    private func changeParameters(_ parameters: ConnectionParameters, of link: Link, _ now: MonotonicInstant) {
        link.update = Link.Update(identifier: nil, deadline: now.advanced(by: Self.updateTimeout))
        commands.append(
            HCILEConnectionUpdate(
                handle: link.info.handle, parameters: HCIConnectionParameters(parameters)
            ).packet)
    }

    private func requestParameters(_ parameters: ConnectionParameters, of link: Link, _ now: MonotonicInstant) {
        lastSignallingIdentifier = lastSignallingIdentifier == 255 ? 1 : lastSignallingIdentifier + 1
        link.update = Link.Update(
            identifier: lastSignallingIdentifier, deadline: now.advanced(by: Self.requestTimeout))
        send(
            L2CAPConnectionParameterUpdateRequest(
                intervalMin: parameters.intervalMin, intervalMax: parameters.intervalMax, latency: parameters.latency,
                timeout: parameters.supervisionTimeout),
            identifier: lastSignallingIdentifier, on: link)
    }

    func parameterUpdateRefused(_ command: HCIPacket, _ status: HCIErrorCode) {
        guard let link = link(handle(in: command)) else { return }
        endUpdate(of: link, status)
    }

    /// Handles the time-out of an update request.
    func updateTimedOut(_ link: Link) {
        endUpdate(of: link, .llResponseTimeout)
    }

    private func endUpdate(of link: Link, _ status: HCIErrorCode) {
        guard link.update != nil else { return }
        link.update = nil
        emit(.parameterUpdateFailed(link.info, status))
    }

    func parametersChanged(_ event: HCILEConnectionUpdateComplete) {
        guard let link = link(event.handle) else { return }
        guard event.status == .success else { return endUpdate(of: link, event.status) }
        link.update = nil
        link.info.interval = event.interval
        link.info.latency = event.latency
        link.info.supervisionTimeout = event.supervisionTimeout
        emit(.parametersUpdated(link.info))
    }

    /// Accepts a link layer request of the peer.
    func answerParameterRequest(_ event: HCILERemoteConnectionParameterRequest) {
        commands.append(
            HCILERemoteConnectionParameterRequestReply(
                handle: event.handle,
                parameters: HCIConnectionParameters(
                    ConnectionParameters(
                        intervalMin: event.minimumInterval, intervalMax: event.maximumInterval,
                        latency: event.latency, supervisionTimeout: event.supervisionTimeout))
            ).packet)
    }

    // MARK: Over L2CAP

    /// Answers a request of the peripheral: accepts it if valid. Returns false if the request cannot be parsed or is
    /// not allowed in this role.
    func answer(_ packet: L2CAPSignallingPacket, on link: Link, _ now: MonotonicInstant) -> Bool {
        var reader = ByteReader(packet.data, subject: L2CAPConnectionParameterUpdateRequest.name)
        guard link.info.isCentral, let request = try? L2CAPConnectionParameterUpdateRequest(from: &reader) else {
            return false
        }
        let parameters = ConnectionParameters(
            intervalMin: request.intervalMin, intervalMax: request.intervalMax, latency: request.latency,
            supervisionTimeout: request.timeout)
        send(
            L2CAPConnectionParameterUpdateResponse(result: parameters.areValid ? 0 : 1),
            identifier: packet.identifier, on: link)
        if parameters.areValid, link.update == nil { changeParameters(parameters, of: link, now) }
        return true
    }

    /// Handles a response of the central. Returns false if the response cannot be parsed.
    func handleUpdateResponse(_ packet: L2CAPSignallingPacket, on link: Link) -> Bool {
        guard let update = link.update, update.identifier == packet.identifier else { return true }
        var reader = ByteReader(packet.data, subject: L2CAPConnectionParameterUpdateResponse.name)
        guard let response = try? L2CAPConnectionParameterUpdateResponse(from: &reader) else {
            endUpdate(of: link, .unacceptableConnectionParameters)
            return false
        }
        if !response.isAccepted { endUpdate(of: link, .unacceptableConnectionParameters) }
        return true
    }
}

extension HCIConnectionParameters {
    init(_ parameters: ConnectionParameters) {
        self.init(
            minimumInterval: parameters.intervalMin, maximumInterval: parameters.intervalMax,
            latency: parameters.latency, supervisionTimeout: parameters.supervisionTimeout)
    }
}
