import BLEPackets
import MonotonicTime

extension Air {
    func send(_ pdu: LinkControlPDU, from end: LinkEnd) {
        end.outgoing.append(.control(pdu))
        if let link = end.link { schedule(link) }
    }

    /// Sees to it that the next connection event happens, if there is a reason for one.
    func schedule(_ link: Link) {
        guard link.isReachable, link.isOpen else { return }
        let peripheralSends = hasWork(link.peripheral, to: link.central)
        guard peripheralSends || link.isLossy || hasWork(link.central, to: link.peripheral) else {
            cancel(&link.eventToken)
            return
        }
        var number = max(link.lastEvent + 1, link.event(atOrAfter: now))
        let period = Int64(link.parameters.latency) + 1
        if period > 1, !peripheralSends, !link.isLossy {
            // A peripheral without data of its own listens to every (latency + 1)th event after the last.
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

    /// One connection event. Everything in it happens at its anchor, as much as there is time for.
    func connectionEvent(_ link: Link) {
        link.eventToken = nil
        guard link.isOpen else { return }
        link.lastEvent = link.scheduledEvent
        let available = link.interval - AirTime.interFrameSpace
        var elapsed: Int64 = 0
        repeat {
            let fromCentral = nextPayload(link.central, to: link.peripheral)
            let fromPeripheral = nextPayload(link.peripheral, to: link.central)
            let duration =
                AirTime.packet(fromCentral ?? 0) + AirTime.packet(fromPeripheral ?? 0) + 2 * AirTime.interFrameSpace
            if elapsed > 0, elapsed + duration > available { break }
            elapsed += duration
            if losesPacket(link.path) { break }
            noteContact(link.peripheral)
            if let fromCentral { transfer(fromCentral, link.central, to: link.peripheral) }
            guard link.isOpen else { return }
            // A lost answer ends the event; the packet it acknowledged counts as sent at the next that is heard.
            if losesPacket(link.path) { break }
            noteContact(link.central)
            if let fromPeripheral { transfer(fromPeripheral, link.peripheral, to: link.central) }
            guard link.isOpen else { return }
            reportCompleted(link.central)
            reportCompleted(link.peripheral)
        } while hasWork(link.central, to: link.peripheral) || hasWork(link.peripheral, to: link.central)
        if link.isLossy, superviseLossy(link) { return }
        schedule(link)
    }

    private func noteContact(_ end: LinkEnd) {
        end.lastContact = now
        end.isEstablished = true
    }

    func hasWork(_ end: LinkEnd, to peer: LinkEnd) -> Bool {
        nextPayload(end, to: peer) != nil
    }

    /// The length of the next packet, or `nil` when there is nothing that the peer would take.
    private func nextPayload(_ end: LinkEnd, to peer: LinkEnd) -> Int? {
        switch end.outgoing.first {
        case .control(let pdu): pdu.payload
        case .acl(let packet) where peer.controller.host.flow.hasRoom:
            min(packet.bytes.count - HCIACLHeader.size - end.sentOctets, end.length.effectiveTx.effectiveOctets)
        default: end.terminating == nil ? nil : LinkControlPDU.terminatePayload
        }
    }

    /// Brings one packet of `payload` bytes to the peer.
    private func transfer(_ payload: Int, _ end: LinkEnd, to peer: LinkEnd) {
        switch end.outgoing.first {
        case .control(let pdu):
            _ = end.outgoing.popFirst()
            receive(pdu, at: peer)
        case .acl(let packet) where peer.controller.host.flow.hasRoom:
            end.sentOctets += payload
            guard end.sentOctets >= packet.bytes.count - HCIACLHeader.size else { return }
            end.sentOctets = 0
            end.completed += 1
            if case .acl(let whole)? = end.outgoing.popFirst() { deliverACL(whole, to: peer) }
        default:
            if let reason = end.terminating { terminate(end, peer, reason) }
        }
    }

    private func deliverACL(_ packet: consuming HCIPacket, to end: LinkEnd) {
        // Over the air this would be an empty packet, which acknowledges and says nothing.
        guard packet.bytes.count > HCIACLHeader.size else { return }
        let isStart = packet.bytes[1] >> 4 & 3 != HCIACLHeader.Boundary.continuing.rawValue
        let boundary = isStart ? HCIACLHeader.Boundary.firstFlushable : .continuing
        packet.bytes[0] = UInt8(truncatingIfNeeded: end.handle)
        packet.bytes[1] = UInt8(truncatingIfNeeded: end.handle >> 8) | boundary.rawValue << 4
        if end.controller.host.flow.isEnabled {
            end.controller.host.flow.outstanding += 1
            end.hostOutstanding += 1
        }
        deliver(packet, to: end.controller)
    }

    private func reportCompleted(_ end: LinkEnd) {
        guard end.completed > 0 else { return }
        end.inUse -= Int(end.completed)
        end.controller.aclInUse -= Int(end.completed)
        emit(
            HCINumberOfCompletedPackets(connections: [.init(handle: end.handle, count: end.completed)]),
            to: end.controller)
        end.completed = 0
    }
}
