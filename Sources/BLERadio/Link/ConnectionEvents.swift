import BLEPackets
import MonotonicTime

extension Air {
    /// Queues a PDU, unless LL_TERMINATE_IND is queued: nothing goes out behind that.
    func send(_ pdu: LinkControlPDU, from end: LinkEnd) {
        guard end.terminating == nil else { return }
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
            if !faults.isEmpty {
                inspect(link.central, link)
                if link.isOpen, link.isReachable { inspect(link.peripheral, link) }
                guard link.isOpen, link.isReachable else { return }
            }
            let fromCentral = nextPayload(link.central, to: link.peripheral)
            let fromPeripheral = nextPayload(link.peripheral, to: link.central)
            let duration =
                airTime(fromCentral, link.central) + airTime(fromPeripheral, link.peripheral)
                + 2 * AirTime.interFrameSpace
            if elapsed > 0, elapsed + duration > available { break }
            elapsed += duration
            if losesPacket(link.path) || takesNoise(link.central) { break }
            noteContact(link.peripheral)
            if let fromCentral { transfer(fromCentral, link.central, to: link.peripheral) }
            guard link.isOpen else { return }
            // A lost answer ends the event; the packet it acknowledged counts as sent at the next that is heard.
            if losesPacket(link.path) || takesNoise(link.peripheral) { break }
            noteContact(link.central)
            if let fromPeripheral { transfer(fromPeripheral, link.peripheral, to: link.central) }
            guard link.isOpen else { return }
            reportCompleted(link.central)
            reportCompleted(link.peripheral)
        } while hasWork(link.central, to: link.peripheral) || hasWork(link.peripheral, to: link.central)
        if link.isLossy, superviseLossy(link) { return }
        schedule(link)
    }

    private func airTime(_ payload: Int?, _ end: LinkEnd) -> Int64 {
        guard let payload, payload > 0 else { return AirTime.packet(0, end.phys.tx) }
        return AirTime.packet(end.encryption.isOn ? payload + LinkCipher.micLength : payload, end.phys.tx)
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

    /// Between the steps of starting and pausing encryption an end sends what the peer could not read.
    func mayTerminate(_ end: LinkEnd, _ peer: LinkEnd) -> Bool {
        end.terminating != nil && end.encryption.isOn == peer.encryption.expectsCiphertext
    }
}
