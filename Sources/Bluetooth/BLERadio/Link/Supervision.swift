import BLEPackets
import MonotonicTime

extension Air {
    /// The path between the ends is another now.
    func pathChanged(_ link: Link) {
        let former = (isReachable: link.isReachable, isLossy: link.isLossy)
        if former.isReachable, !former.isLossy { noteLastAnchor(link) }
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

    /// One end is gone for good; the other hears nothing any more.
    func loseContact(_ link: Link) {
        if link.isReachable, !link.isLossy { noteLastAnchor(link) }
        link.isReachable = false
        scheduleSupervision(link)
    }

    /// While nothing gets lost, contact is made at every anchor without anyone keeping count.
    private func noteLastAnchor(_ link: Link) {
        guard now >= link.anchor else { return }
        let last = link.anchor + (now - link.anchor) / link.interval * link.interval
        link.central.lastContact = last
        link.peripheral.lastContact = last
    }

    private func scheduleSupervision(_ link: Link) {
        cancelEvents(link)
        cancel(&link.supervisionToken)
        // New parameters that both ends know of count even while they do not hear each other.
        if !link.isOpen { cancel(&link.updateToken) }
        let deadlines = [link.central, link.peripheral].filter(\.isOpen).map { deadline(of: $0, link) }
        if let earliest = deadlines.min() {
            link.supervisionToken = schedule(.supervision(link), at: earliest)
        } else {
            links.removeAll { $0 === link }
        }
    }

    /// Core 5.4, Vol 6 Part B 4.5.2: six intervals until the peer is first heard, then the supervision time-out.
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

    /// After an event of a link that loses packets: whether an end has given up.
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

    /// LL_TERMINATE_IND has arrived at `end`: both ends end at once.
    func terminate(at end: LinkEnd, _ reason: HCIErrorCode) {
        guard let link = end.link else { return }
        let peer = link.peer(of: end)
        close(peer, peer.terminatesByItself ? reason : .connectionTerminatedByLocalHost)
        close(end, reason)
        loseContact(link)
    }

    /// One end gives the connection up without a word; the other comes to know by its supervision time-out.
    func abandon(_ end: LinkEnd, _ reason: HCIErrorCode) {
        close(end, reason)
        if let link = end.link { loseContact(link) }
    }

    func close(_ end: LinkEnd, _ reason: HCIErrorCode) {
        release(end)
        emit(HCIDisconnectionComplete(status: .success, handle: end.handle, reason: reason), to: end.controller)
    }

    /// Frees what a controller keeps for a connection. Packets not sent are dropped, and the host knows
    /// (Core 5.4, Vol 4 Part E 4.3).
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
