import BLEPackets
import ByteCodec

extension Air {
    /// Queues data from a host. A packet beyond the host's credits is discarded and reported by Data Buffer Overflow
    /// (Core 5.4, Vol 4 Part E 7.7.26); HCI has no answer to packets for unknown connections.
    func receiveACL(_ packet: consuming HCIPacket, _ controller: Controller) {
        guard let header = header(of: packet.bytes), header.boundary != .complete, header.broadcast == 0,
            let end = controller.end(header.handle), let link = end.link
        else { return }
        guard header.length <= controller.personality.aclDataLength,
            controller.aclInUse < controller.personality.aclPacketCount
        else {
            emit(HCIDataBufferOverflow(linkType: 1), to: controller)
            return
        }
        end.inUse += 1
        controller.aclInUse += 1
        // LL_TERMINATE_IND is already queued, and its acknowledgement ends the link (Core 5.4, Vol 6 Part B 5.1.6). The
        // packet occupies its buffer until Disconnection Complete, as any unsent packet does.
        guard end.terminating == nil else { return }
        end.outgoing.append(.acl(packet))
        schedule(link)
    }

    private func header(of bytes: borrowing [UInt8]) -> HCIACLHeader? {
        var reader = ByteReader(copy bytes, subject: "HCI ACL data")
        guard let header = try? HCIACLHeader(from: &reader), reader.remaining == Int(header.length) else { return nil }
        return header
    }

    /// The host has free buffers again; peers that waited may send.
    func hostCompleted(_ list: [HCICompletedPackets], _ controller: Controller) {
        for entry in list {
            guard let end = controller.end(entry.handle) else { continue }
            let count = min(Int(entry.count), end.hostOutstanding)
            end.hostOutstanding -= count
            controller.host.flow.outstanding -= count
        }
        for case let end? in controller.ends {
            if let link = end.link { schedule(link) }
        }
    }
}
