internal import BLEPackets
internal import MonotonicTime

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
