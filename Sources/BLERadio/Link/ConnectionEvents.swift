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
                AirTime.packet(fromCentral ?? 0, link.central.phys.tx)
                + AirTime.packet(fromPeripheral ?? 0, link.peripheral.phys.tx) + 2 * AirTime.interFrameSpace
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
    private func mayTerminate(_ end: LinkEnd, _ peer: LinkEnd) -> Bool {
        end.terminating != nil && end.encryption.isOn == peer.encryption.expectsCiphertext
    }

    /// Brings one packet of `payload` bytes to the peer.
    private func transfer(_ payload: Int, _ end: LinkEnd, to peer: LinkEnd) {
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
            case .acl(let packet) where peer.controller.host.flow.hasRoom:
                let length = packet.bytes.count - HCIACLHeader.size
                transferACL(payload, of: length, end, to: peer)
                return
            default: break
            }
        }
        if let reason = end.terminating { transfer(.terminateIndication(reason), end, to: peer) }
    }

    private func transfer(_ pdu: LinkControlPDU, _ end: LinkEnd, to peer: LinkEnd) {
        var pdu = pdu
        if case .connectionUpdateIndication(let parameters, _) = pdu, let link = end.link {
            // New parameters count from the sixth event after this one (Core 5.4, Vol 6 Part B 5.1.1).
            pdu = .connectionUpdateIndication(parameters, instant: UInt16(truncatingIfNeeded: link.lastEvent + 6))
        }
        if case .phyUpdateIndication(let toPeripheral, let toCentral, _) = pdu, let link = end.link {
            pdu = .phyUpdateIndication(
                toPeripheral: toPeripheral, toCentral: toCentral,
                instant: UInt16(truncatingIfNeeded: link.lastEvent + 6))
        }
        var bytes = pdu.bytes
        guard cross(&bytes, 0..<bytes.count, LogicalLink.control, end, peer) else { return }
        sent(pdu, by: end)
        if let received = try? LinkControlPDU(decoding: bytes) { receive(received, at: peer) }
    }

    private func transferACL(_ payload: Int, of length: Int, _ end: LinkEnd, to peer: LinkEnd) {
        if payload > 0, end.encryption.isOn || peer.encryption.expectsCiphertext {
            let begin = HCIACLHeader.size + end.sentOctets
            let isReadable = end.outgoing.withFirst { outgoing in
                guard case .acl(var packet) = outgoing else { return true }
                // Until it is put back, so that the packet stays the only one of its bytes.
                outgoing = .control(.startEncryptionRequest)
                let isStart = begin == HCIACLHeader.size && packet.startsFrame
                let link = isStart ? LogicalLink.start : LogicalLink.continuation
                defer { outgoing = .acl(packet) }
                return cross(&packet.bytes, begin..<begin + payload, link, end, peer)
            }
            guard isReadable == true else { return }
        }
        end.sentOctets += payload
        guard end.sentOctets >= length else { return }
        end.sentOctets = 0
        end.completed += 1
        if case .acl(let whole)? = end.outgoing.popFirst() { deliverACL(whole, to: peer) }
    }

    /// Brings `bytes[range]` over the air, in which they are encrypted if the sender encrypts; whether the peer could
    /// read them. If not, it is gone (Core 5.4, Vol 6 Part B 5.1.3.1).
    private func cross(
        _ bytes: inout [UInt8], _ range: Range<Int>, _ header: UInt8, _ end: LinkEnd, _ peer: LinkEnd
    ) -> Bool {
        guard end.encryption.isOn || peer.encryption.expectsCiphertext else { return true }
        let mic = end.encryption.sending?.seal(&bytes, range, header: header)
        if let mic, peer.encryption.receiving?.open(&bytes, range, header: header, mic: mic) == true { return true }
        abandon(peer, .terminatedDueToMICFailure)
        return false
    }

    private func deliverACL(_ packet: consuming HCIPacket, to end: LinkEnd) {
        // Over the air this would be an empty packet, which acknowledges and says nothing.
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

extension HCIPacket {
    /// Whether an ACL packet begins an L2CAP frame.
    fileprivate var startsFrame: Bool { bytes[1] >> 4 & 3 != HCIACLHeader.Boundary.continuing.rawValue }
}

/// The LLID of a PDU: what its header says of the payload (Core 5.4, Vol 6 Part B 2.4).
private enum LogicalLink {
    static let continuation: UInt8 = 1
    static let start: UInt8 = 2
    static let control: UInt8 = 3
}
