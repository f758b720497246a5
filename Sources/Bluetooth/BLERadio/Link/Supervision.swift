internal import BLEPackets
internal import MonotonicTime

extension Air {
    /// Handles a change of the path between the ends.
    func pathChanged(_ link: Link) {
        let former = (isReachable: link.isReachable, isLossy: link.isLossy)
        if former.isReachable, !former.isLossy { recordLastAnchor(link) }
        link.path = path(link.central.controller, link.peripheral.controller)
        let isReachable =
            link.isOpen && !link.isCut && link.path.lossRate < 1
            && isInRange(link.central.controller, of: link.peripheral.controller)
            && isInRange(link.peripheral.controller, of: link.central.controller)
        if isReachable {
            link.isReachable = true
            cancel(&link.supervisionToken)
            schedule(link)
        } else if former.isReachable {
            link.isReachable = false
            scheduleSupervision(link)
        }
    }

    /// Handles the closing of one end: the other end receives nothing any more.
    func loseContact(_ link: Link) {
        if link.isReachable, !link.isLossy { recordLastAnchor(link) }
        link.isReachable = false
        scheduleSupervision(link)
    }

    /// Without packet loss ``LinkEnd/lastContact`` is not updated at every anchor; this sets it to the last anchor.
    private func recordLastAnchor(_ link: Link) {
        guard now >= link.anchor else { return }
        let last = link.anchor + (now - link.anchor) / link.interval * link.interval
        link.central.lastContact = last
        link.peripheral.lastContact = last
    }

    private func scheduleSupervision(_ link: Link) {
        cancelEvents(link)
        cancel(&link.supervisionToken)
        // New parameters that both ends have received take effect even while the ends are out of range.
        if !link.isOpen { cancel(&link.updateToken) }
        let deadlines = [link.central, link.peripheral].filter(\.isOpen).map { deadline(of: $0, link) }
        if let earliest = deadlines.min() {
            link.supervisionToken = schedule(.supervision(link), at: earliest)
        } else {
            links.removeAll { $0 === link }
        }
    }

    /// The supervision deadline: six intervals until the first packet of the peer, then the supervision time-out (Core
    /// 5.4, Vol 6 Part B 4.5.2).
    private func deadline(of end: LinkEnd, _ link: Link) -> Int64 {
        end.lastContact
            + (end.isEstablished
                ? AirTime.supervisionTimeout(link.parameters.supervisionTimeout) : 6 * link.interval)
    }

    func supervisionEvent(_ link: Link) {
        link.supervisionToken = nil
        closeOverdue(link)
        scheduleSupervision(link)
    }

    /// Checks a lossy link after a connection event; returns true if an end has timed out.
    func superviseLossy(_ link: Link) -> Bool {
        closeOverdue(link)
        guard !link.isOpen else { return false }
        loseContact(link)
        return true
    }

    private func closeOverdue(_ link: Link) {
        for end in [link.central, link.peripheral] where end.isOpen && now >= deadline(of: end, link) {
            let reason: HCIErrorCode =
                end.terminating != nil
                ? .connectionTerminatedByLocalHost
                : end.isEstablished ? .connectionTimeout : .connectionFailedToBeEstablished
            close(end, reason)
        }
    }

    /// `end` received LL_TERMINATE_IND: both ends close at once.
    func terminate(at end: LinkEnd, _ reason: HCIErrorCode) {
        guard let link = end.link else { return }
        let peer = link.peer(of: end)
        close(peer, peer.terminatesByItself ? reason : .connectionTerminatedByLocalHost)
        close(end, reason)
        loseContact(link)
    }

    /// One end closes without LL_TERMINATE_IND; the other detects a supervision time-out.
    func abandon(_ end: LinkEnd, _ reason: HCIErrorCode) {
        close(end, reason)
        if let link = end.link { loseContact(link) }
    }

    func close(_ end: LinkEnd, _ reason: HCIErrorCode) {
        release(end)
        emit(HCIDisconnectionComplete(status: .success, handle: end.handle, reason: reason), to: end.controller)
    }

    /// Frees a controller's resources of a connection. Unsent packets are discarded, as the host expects (Core 5.4, Vol
    /// 4 Part E 4.3).
    func release(_ end: LinkEnd) {
        end.isOpen = false
        end.controller.ends[Int(end.handle)] = nil
        end.controller.aclInUse -= end.inUse
        end.controller.host.flow.outstanding -= end.hostOutstanding
        end.outgoing = FIFO()
        endResponseTimeouts(at: end)
        end.encryption = LinkEncryption()
        cancel(&end.faults.resumption)
    }
}
