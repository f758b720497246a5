internal import BLEPackets
internal import MonotonicTime

extension Air {
    /// Handles a control PDU of the peer (Core 5.4, Vol 6 Part B 5.1).
    func receive(_ pdu: LinkControlPDU, at end: LinkEnd) {
        switch pdu {
        case .versionIndication(let version): receiveVersion(version, at: end)
        case .featureRequest(let features):
            end.peerFeatures = features
            send(.featureResponse(end.controller.personality.leFeatures), from: end)
            reportFeatures(end)
        case .featureResponse(let features):
            endResponseTimeout(of: .featureRequest, at: end)
            end.peerFeatures = features
            reportFeatures(end)
        case .lengthRequest(let offer):
            send(.lengthResponse(end.length.offer), from: end)
            acceptDataLength(offer, at: end)
        case .lengthResponse(let offer):
            endResponseTimeout(of: .lengthRequest, at: end)
            acceptDataLength(offer, at: end)
        case .connectionUpdateIndication(let parameters, let instant):
            receiveUpdate(parameters, instant: instant, at: end)
        case .channelMapIndication(let map, _): end.channelMap = map
        case .connectionParameterRequest(let minimum, let parameters):
            receiveParameterRequest(minimum, parameters, at: end)
        case .rejectExtendedIndication(.connectionParameterRequest, let reason):
            endResponseTimeout(of: .connectionParameterRequest, at: end)
            guard end.wantsUpdate, let link = end.link else { return }
            end.wantsUpdate = false
            emitUpdateComplete(reason, link.parameters, to: end)
        case .phyRequest(let tx, let rx): receivePHYRequest(tx: tx, rx: rx, at: end)
        case .phyResponse(let tx, let rx):
            endResponseTimeout(of: .phyRequest, at: end)
            decidePHYs(end, peerSends: tx, peerReceives: rx)
        case .phyUpdateIndication(let toPeripheral, let toCentral, let instant):
            endResponseTimeout(of: .phyRequest, at: end)
            receivePHYUpdate(toPeripheral, toCentral, instant: instant, at: end)
        case .unknownResponse(.phyRequest):
            endResponseTimeout(of: .phyRequest, at: end)
            endPHYUpdate(end, .unsupportedRemoteFeature)
        case .terminateIndication(let reason): terminate(at: end, reason)
        default: receiveEncryption(pdu, at: end)
        }
    }

    // MARK: Version and features

    func requestVersion(_ end: LinkEnd) {
        end.wantsVersion = true
        if end.peerVersion != nil {
            reportVersion(end)
        } else if !end.sentVersion {
            sendVersion(end)
        }
    }

    private func sendVersion(_ end: LinkEnd) {
        end.sentVersion = true
        send(.versionIndication(LinkVersion(end.controller.personality)), from: end)
        if end.peerVersion == nil { awaitResponse(to: .versionIndication, at: end) }
    }

    private func receiveVersion(_ version: LinkVersion, at end: LinkEnd) {
        endResponseTimeout(of: .versionIndication, at: end)
        end.peerVersion = version
        if !end.sentVersion { sendVersion(end) }
        reportVersion(end)
    }

    private func reportVersion(_ end: LinkEnd) {
        guard end.wantsVersion, let version = end.peerVersion else { return }
        end.wantsVersion = false
        emit(
            HCIReadRemoteVersionInformationComplete(
                status: .success, handle: end.handle, version: version.version,
                companyIdentifier: version.companyIdentifier, subversion: version.subversion),
            to: end.controller)
    }

    func requestFeatures(_ end: LinkEnd) {
        let isAsked = end.wantsFeatures
        end.wantsFeatures = true
        if end.peerFeatures != nil {
            reportFeatures(end)
        } else if !isAsked {
            send(.featureRequest(end.controller.personality.leFeatures), from: end)
            awaitResponse(to: .featureRequest, at: end)
        }
    }

    private func reportFeatures(_ end: LinkEnd) {
        guard end.wantsFeatures, let features = end.peerFeatures else { return }
        end.wantsFeatures = false
        emit(
            HCILEReadRemoteFeaturesComplete(status: .success, handle: end.handle, features: features),
            to: end.controller)
    }

    // MARK: Connection parameters

    /// The host of `end` requests other parameters: a central sets them, a peripheral sends a request to its central.
    func requestUpdate(_ end: LinkEnd, _ wanted: HCIConnectionParameters) {
        end.wantsUpdate = true
        let parameters = Link.Parameters(
            interval: wanted.maximumInterval, latency: wanted.latency, supervisionTimeout: wanted.supervisionTimeout)
        if end.role == .central {
            send(.connectionUpdateIndication(parameters, instant: 0), from: end)
        } else {
            send(.connectionParameterRequest(minimumInterval: wanted.minimumInterval, parameters), from: end)
            awaitResponse(to: .connectionParameterRequest, at: end)
        }
    }

    private func receiveParameterRequest(_ minimum: UInt16, _ parameters: Link.Parameters, at end: LinkEnd) {
        guard end.controller.has(LEFeature.connectionParametersRequest),
            end.controller.host.isUnmasked(.leMeta, .remoteConnectionParameterRequest)
        else {
            send(.rejectExtendedIndication(.connectionParameterRequest, .unsupportedRemoteFeature), from: end)
            return
        }
        end.mustAnswerParameterRequest = true
        emit(
            HCILERemoteConnectionParameterRequest(
                handle: end.handle, minimumInterval: minimum, maximumInterval: parameters.interval,
                latency: parameters.latency, supervisionTimeout: parameters.supervisionTimeout),
            to: end.controller)
    }

    private func receiveUpdate(_ parameters: Link.Parameters, instant low: UInt16, at end: LinkEnd) {
        endResponseTimeout(of: .connectionParameterRequest, at: end)
        guard let link = end.link, link.update == nil else { return }
        let instant = link.event(low)
        link.update = Link.Update(parameters: parameters, instant: instant)
        link.updateToken = schedule(.update(link), at: link.time(of: instant))
    }

    func updateInstant(_ link: Link) {
        link.updateToken = nil
        guard let update = link.update.take() else { return }
        let isChange = update.parameters != link.parameters
        link.anchor = link.time(of: update.instant)
        link.anchorEvent = update.instant
        link.parameters = update.parameters
        cancelEvents(link)
        for end in [link.central, link.peripheral] where isChange || end.wantsUpdate {
            end.wantsUpdate = false
            emitUpdateComplete(.success, link.parameters, to: end)
        }
        schedule(link)
    }

    private func emitUpdateComplete(_ status: HCIErrorCode, _ parameters: Link.Parameters, to end: LinkEnd) {
        emit(
            HCILEConnectionUpdateComplete(
                status: status, handle: end.handle, interval: parameters.interval, latency: parameters.latency,
                supervisionTimeout: parameters.supervisionTimeout),
            to: end.controller)
    }
}

/// The procedure response time-out: a link is lost if the peer does not answer a procedure for 40 s (Core 5.4, Vol 6
/// Part B 5.2).
extension Air {
    static let responseTimeout = 40_000 * AirTime.millisecond

    /// Starts the time-out of 40 s for the peer's answer to the procedure that `request` began.
    func awaitResponse(to request: LinkControlOpcode, at end: LinkEnd) {
        guard end.isOpen, end.terminating == nil else { return }
        endResponseTimeout(of: request, at: end)
        end.responseTimeouts[request] = schedule(.responseTimeout(end, request), at: now + Self.responseTimeout)
    }

    /// Ends the time-out after the peer's answer.
    func endResponseTimeout(of request: LinkControlOpcode, at end: LinkEnd) {
        cancel(&end.responseTimeouts[request])
    }

    func endResponseTimeouts(at end: LinkEnd) {
        for token in end.responseTimeouts.values { queue.cancel(token) }
        end.responseTimeouts.removeAll()
    }

    /// Handles the time-out: the peer has not answered. The connection ends without LL_TERMINATE_IND: the peer detects
    /// a supervision time-out.
    func responseTimeout(_ end: LinkEnd, _ request: LinkControlOpcode) {
        end.responseTimeouts[request] = nil
        abandon(end, .llResponseTimeout)
    }
}
