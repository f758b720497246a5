internal import BLEPackets
internal import MonotonicTime

extension Air {
    /// Queues a PDU, unless LL_TERMINATE_IND is queued: nothing is sent after that.
    func send(_ pdu: LinkControlPDU, from end: LinkEnd) {
        guard end.terminating == nil else { return }
        end.outgoing.append(.control(pdu))
        if let link = end.link { schedule(link) }
    }

    /// Schedules the next connection event, if there is data to send.
    func schedule(_ link: Link) {
        guard link.isReachable, link.isOpen, !link.isInEvent else { return }
        let peripheralSends = hasWork(link.peripheral, to: link.central)
        guard peripheralSends || link.isLossy || hasWork(link.central, to: link.peripheral) else {
            cancel(&link.eventToken)
            return
        }
        var number = max(link.lastEvent + 1, link.event(atOrAfter: max(now, link.busyUntil)))
        let period = Int64(link.parameters.latency) + 1
        if period > 1, !peripheralSends, !link.isLossy {
            // A peripheral without data listens only to every (latency + 1)th event, counted from the last event that
            // took place.
            let behind = (number - max(0, link.lastEvent)) % period
            if behind > 0 { number += period - behind }
        }
        if link.eventToken != nil {
            if link.scheduledEvent == number { return }
            cancel(&link.eventToken)
        }
        link.scheduledEvent = number
        link.eventToken = schedule(.connection(link), at: link.time(of: number))
    }

    /// The next exchange of a connection event: a packet of the central, and the peripheral's answer. Their data reach
    /// the hosts when the exchange begins. The event continues with further exchanges, each at its own time, while an
    /// end has more to send. So hosts receive Number Of Completed Packets within the event, and can send more in the
    /// same event (Core 5.4, Vol 6 Part B 4.5.1, 4.5.6).
    func connectionEvent(_ link: Link) {
        link.eventToken = nil
        guard link.isOpen else { return }
        let isFirst = !link.isInEvent
        if isFirst {
            link.isInEvent = true
            link.lastEvent = link.scheduledEvent
        }
        if links.count > 1, yieldsRadio(link, isFirst: isFirst) { return }
        if !faults.isEmpty {
            inspect(link.central, link)
            if link.isOpen, link.isReachable { inspect(link.peripheral, link) }
            guard link.isOpen, link.isReachable else { return }
        }
        var goesOn = false
        if let exchange = nextExchange(link, at: now, isFirst: isFirst) {
            link.busyUntil = now + exchange.duration
            goesOn = perform(exchange, link)
            guard link.isOpen else { return }
        }
        if link.isLossy, superviseLossy(link) { return }
        if goesOn, nextExchange(link, at: link.busyUntil, isFirst: false) != nil {
            link.eventToken = schedule(.connection(link), at: link.busyUntil)
        } else {
            link.isInEvent = false
            schedule(link)
        }
    }

    /// The next packets of both ends; `nil` is an empty packet.
    struct Exchange {
        var fromCentral: Int?
        var fromPeripheral: Int?
        /// The duration including the inter frame space, in nanoseconds.
        var duration: Int64
    }

    /// The next exchange of an event; `nil` if there is nothing to send, or the exchange would not end before the next
    /// anchor point or before the event of another link by the same radio. The first exchange of an event always takes
    /// place; if it is longer than the interval, events are skipped.
    func nextExchange(_ link: Link, at begin: Int64, isFirst: Bool) -> Exchange? {
        let fromCentral = nextPayload(link.central, to: link.peripheral)
        let fromPeripheral = nextPayload(link.peripheral, to: link.central)
        let whole = exchange(link, fromCentral, fromPeripheral)
        let end = min(link.time(of: link.lastEvent + 1), links.count > 1 ? nextEvent(beside: link) : .max)
        if isFirst || fromCentral != nil || fromPeripheral != nil, begin + whole.duration <= end { return whole }
        if fromCentral != nil, fromPeripheral != nil {
            for half in [exchange(link, fromCentral, nil), exchange(link, nil, fromPeripheral)]
            where begin + half.duration <= end { return half }
        }
        return isFirst ? whole : nil
    }

    private func exchange(_ link: Link, _ fromCentral: Int?, _ fromPeripheral: Int?) -> Exchange {
        Exchange(
            fromCentral: fromCentral, fromPeripheral: fromPeripheral,
            duration: airTime(fromCentral, link.central) + airTime(fromPeripheral, link.peripheral)
                + 2 * AirTime.interFrameSpace)
    }

    /// Transfers both packets. Returns true if neither was lost, so the event may continue.
    private func perform(_ exchange: Exchange, _ link: Link) -> Bool {
        if losesPacket(link.path) || (exchange.fromCentral != nil && isCorrupted(link.central)) { return false }
        recordContact(link.peripheral)
        if let payload = exchange.fromCentral { transfer(payload, link.central, to: link.peripheral) }
        guard link.isOpen else { return false }
        // A lost response ends the event; the packet that it acknowledged counts as sent when the next acknowledgement
        // is received.
        if losesPacket(link.path) || (exchange.fromPeripheral != nil && isCorrupted(link.peripheral)) { return false }
        recordContact(link.central)
        if let payload = exchange.fromPeripheral { transfer(payload, link.peripheral, to: link.central) }
        guard link.isOpen else { return false }
        reportCompleted(link.central)
        reportCompleted(link.peripheral)
        return true
    }

    /// Cancels scheduled connection events, also within an event.
    func cancelEvents(_ link: Link) {
        cancel(&link.eventToken)
        link.isInEvent = false
    }

    private func airTime(_ payload: Int?, _ end: LinkEnd) -> Int64 {
        guard let payload, payload > 0 else { return AirTime.packet(0, end.phys.tx) }
        return AirTime.packet(end.encryption.isOn ? payload + LinkCipher.micLength : payload, end.phys.tx)
    }

    private func recordContact(_ end: LinkEnd) {
        end.lastContact = now
        end.isEstablished = true
    }

    func hasWork(_ end: LinkEnd, to peer: LinkEnd) -> Bool {
        nextPayload(end, to: peer) != nil
    }

    /// The length of the next packet; `nil` if no packet is queued, or the peer's host has no free buffer.
    private func nextPayload(_ end: LinkEnd, to peer: LinkEnd) -> Int? {
        if end.faults.resumption != nil { return nil }
        if let pdu = end.encryption.urgent.first { return pdu.payload }
        if !end.encryption.holdsBack {
            switch end.outgoing.first {
            case .control(let pdu): return pdu.payload
            case .acl(let packet) where peer.controller.host.flow.hasRoom:
                return min(
                    packet.bytes.count - HCIACLHeader.size - end.sentOctets, end.length.effectiveTx.effectiveOctets)
            default: break
            }
        }
        return mayTerminate(end, peer) ? LinkControlPDU.terminatePayload : nil
    }

    /// True if LL_TERMINATE_IND is due and the peer can decrypt it. Between the steps that start or pause encryption,
    /// the peer cannot decrypt it.
    func mayTerminate(_ end: LinkEnd, _ peer: LinkEnd) -> Bool {
        end.terminating != nil && end.encryption.isOn == peer.encryption.expectsCiphertext
    }
}

extension Air {
    /// Transfers one packet of `payload` bytes to the peer.
    func transfer(_ payload: Int, _ end: LinkEnd, to peer: LinkEnd) {
        if let pdu = end.encryption.urgent.popFirst() {
            transfer(pdu, end, to: peer)
            return
        }
        if !end.encryption.holdsBack {
            switch end.outgoing.first {
            case .control(let pdu):
                _ = end.outgoing.popFirst()
                transfer(pdu, end, to: peer)
                return
            case .acl where peer.controller.host.flow.hasRoom:
                if case .acl(let packet)? = end.outgoing.popFirst() { transfer(packet, payload, end, to: peer) }
                return
            default: break
            }
        }
        if let reason = end.terminating, mayTerminate(end, peer) {
            transfer(.terminateIndication(reason), end, to: peer)
        }
    }

    private func transfer(_ pdu: LinkControlPDU, _ end: LinkEnd, to peer: LinkEnd) {
        var pdu = pdu
        if case .connectionUpdateIndication(let parameters, _) = pdu, let link = end.link {
            // New parameters apply from the sixth event after this one (Core 5.4, Vol 6 Part B 5.1.1).
            pdu = .connectionUpdateIndication(parameters, instant: UInt16(truncatingIfNeeded: link.lastEvent + 6))
        }
        if case .phyUpdateIndication(let toPeripheral, let toCentral, _) = pdu, let link = end.link {
            pdu = .phyUpdateIndication(
                toPeripheral: toPeripheral, toCentral: toCentral,
                instant: UInt16(truncatingIfNeeded: link.lastEvent + 6))
        }
        if case .channelMapIndication(let map, _) = pdu, let link = end.link {
            // Data channels are not simulated, so the instant has no effect.
            pdu = .channelMapIndication(map, instant: UInt16(truncatingIfNeeded: link.lastEvent + 6))
            end.channelMap = map
        }
        var bytes = pdu.bytes
        let action = end.faults.removeAction()
        guard cross(&bytes, 0..<bytes.count, LogicalLink.control, action, end, peer) else { return }
        sent(pdu, by: end)
        if action != .drop, let received = try? LinkControlPDU(decoding: bytes) {
            receive(received, at: peer)
            if action == .replay, peer.isOpen, !refusesReplay(end, peer) { receive(received, at: peer) }
        }
        // The acknowledgement of LL_TERMINATE_IND ends the link at the sender, even if the peer discarded the PDU.
        if case .terminateIndication(let reason) = pdu, end.isOpen {
            abandon(end, end.terminatesByItself ? reason : .connectionTerminatedByLocalHost)
        }
    }

    /// Transfers `payload` more bytes of a packet to the peer. The packet is removed from its queue meanwhile, so that
    /// its bytes are uniquely referenced and encrypted in place.
    private func transfer(_ packet: consuming HCIPacket, _ payload: Int, _ end: LinkEnd, to peer: LinkEnd) {
        let begin = HCIACLHeader.size + end.sentOctets
        if payload > 0 {
            let isStart = end.sentOctets == 0 && packet.startsFrame
            let header = isStart ? LogicalLink.start : LogicalLink.continuation
            guard cross(&packet.bytes, begin..<begin + payload, header, end.faults.action, end, peer) else { return }
        }
        end.sentOctets += payload
        guard begin + payload >= packet.bytes.count else {
            end.outgoing.prepend(.acl(packet))
            return
        }
        end.sentOctets = 0
        end.completed += 1
        let action = end.faults.action
        end.faults.nextPDU()
        switch action {
        case .drop: break
        case .replay:
            deliverACL(copy packet, to: peer)
            if !refusesReplay(end, peer) { deliverACL(packet, to: peer) }
        default: deliverACL(packet, to: peer)
        }
    }

    /// Transfers `bytes[range]`, encrypted if the sender encrypts; returns true if the peer could decrypt them.
    /// Otherwise the peer disconnects (Core 5.4, Vol 6 Part B 5.1.3.1).
    private func cross(
        _ bytes: inout [UInt8], _ range: Range<Int>, _ header: UInt8, _ action: PDUFault.Action?, _ end: LinkEnd,
        _ peer: LinkEnd
    ) -> Bool {
        let mic = end.encryption.sending?.seal(&bytes, range, header: header)
        if let action {
            action.alter(&bytes, range, isControl: header == LogicalLink.control)
            end.faults.recording = mic.map { SealedPDU(bytes: Array(bytes[range]), mic: $0, header: header) }
        }
        guard end.encryption.isOn || peer.encryption.expectsCiphertext else { return true }
        if let mic, peer.encryption.receiving?.open(&bytes, range, header: header, mic: mic) == true { return true }
        abandon(peer, .terminatedDueToMICFailure)
        return false
    }

    /// True if the peer detects a replayed packet as a MIC failure, and disconnects.
    private func refusesReplay(_ end: LinkEnd, _ peer: LinkEnd) -> Bool {
        guard var sealed = end.faults.recording.take() else { return false }
        let range = sealed.bytes.indices
        if peer.encryption.receiving?.open(&sealed.bytes, range, header: sealed.header, mic: sealed.mic) == true {
            return false
        }
        abandon(peer, .terminatedDueToMICFailure)
        return true
    }

    private func deliverACL(_ packet: consuming HCIPacket, to end: LinkEnd) {
        // On air this would be an empty packet, which only acknowledges.
        guard packet.bytes.count > HCIACLHeader.size else { return }
        let boundary = packet.startsFrame ? HCIACLHeader.Boundary.firstFlushable : .continuing
        packet.bytes[0] = UInt8(truncatingIfNeeded: end.handle)
        packet.bytes[1] = UInt8(truncatingIfNeeded: end.handle >> 8) | boundary.rawValue << 4
        if end.controller.host.flow.isEnabled {
            end.controller.host.flow.outstanding += 1
            end.hostOutstanding += 1
        }
        deliver(packet, to: end.controller)
    }

    func reportCompleted(_ end: LinkEnd) {
        guard end.completed > 0 else { return }
        end.inUse -= Int(end.completed)
        end.controller.aclInUse -= Int(end.completed)
        emit(
            HCINumberOfCompletedPackets(connections: [.init(handle: end.handle, count: end.completed)]),
            to: end.controller)
        end.completed = 0
    }
}

/// The LLID of a PDU (Core 5.4, Vol 6 Part B 2.4).
private enum LogicalLink {
    static let continuation: UInt8 = 1
    static let start: UInt8 = 2
    static let control: UInt8 = 3
}
