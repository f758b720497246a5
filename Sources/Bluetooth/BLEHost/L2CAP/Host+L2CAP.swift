public import BLEPackets
import ByteCodec
public import MonotonicTime

extension Host {
    /// How many packets may wait on one connection before ``hasRoom(on:)`` says no.
    private static let sendQueueLimit = 12

    // MARK: Sending

    /// Sends a PDU of the Attribute Protocol; drops it when there is no such connection.
    public func sendATT(_ pdu: ArraySlice<UInt8>, on handle: ConnectionHandle, now: MonotonicInstant) {
        flow.send(.attribute, on: handle, capacity: pdu.count) { $0.append(pdu) }
        flush(now)
    }

    /// Sends a PDU of the Attribute Protocol; drops it when there is no such connection.
    public func sendATT(_ pdu: some ATTPDU, on handle: ConnectionHandle, now: MonotonicInstant) {
        flow.send(.attribute, on: handle, capacity: 32) { pdu.write(to: &$0) }
        flush(now)
    }

    /// Whether few enough packets wait on a connection for more; if not, ``HostEvent/roomAvailable(_:)`` follows.
    public func hasRoom(on handle: ConnectionHandle) -> Bool {
        guard flow.waiting(on: handle) >= Self.sendQueueLimit, let link = link(handle) else { return true }
        link.ownerWaits = true
        return false
    }

    func reportRoom(on link: Link) {
        guard flow.waiting(on: link.info.handle) < Self.sendQueueLimit else { return }
        link.ownerWaits = false
        emit(.roomAvailable(link.info.handle))
    }

    func send(_ command: some L2CAPSignallingCommand, identifier: UInt8, on link: Link) {
        flow.send(.signalling, on: link.info.handle, capacity: 16) {
            L2CAPSignallingPacket(command, identifier: identifier).write(to: &$0)
        }
    }

    // MARK: Receiving

    /// Takes one ACL packet: header, then a fragment.
    func receiveACL(_ bytes: [UInt8], _ now: MonotonicInstant) {
        var reader = ByteReader(bytes, subject: "HCI ACL data")
        guard let header = try? HCIACLHeader(from: &reader), let link = link(header.handle) else { return }
        if hostFlow?.completed(on: header.handle, now: now) == true { reportTakenPackets() }
        guard reader.remaining == header.length else { return }
        let outcome = link.reassembler.receive(header.boundary, reader.rest(), now: now)
        switch outcome {
        case .nothing: break
        case .frame(let frame): take(frame, on: link, now)
        case .unknownChannel(let channel): reject(channel, on: link)
        }
    }

    private func take(_ frame: L2CAPBasicFrame, on link: Link, _ now: MonotonicInstant) {
        switch frame.channel {
        case .attribute: emit(.attributePDU(link.info.handle, frame.payload))
        case .signalling: receiveSignalling(frame.payload, on: link, now)
        case .securityManager: receiveSecurity(frame.payload, on: link, now)
        default: break
        }
    }

    /// What cannot be read as one packet is ignored; everything this host does not do is refused, responses too
    /// (recorded in `nimble-smp-l2cap.jsonl`).
    private func receiveSignalling(_ pdu: ArraySlice<UInt8>, on link: Link, _ now: MonotonicInstant) {
        var reader = ByteReader(pdu, subject: "L2CAP signalling packet")
        guard let packet = try? L2CAPSignallingPacket(from: &reader) else { return }
        let isUnderstood =
            switch packet.code {
            case .commandReject: true
            case .connectionParameterUpdateRequest: answer(packet, on: link, now)
            case .connectionParameterUpdateResponse: takeAnswer(packet, on: link)
            default: false
            }
        if !isUnderstood {
            send(L2CAPCommandReject(.commandNotUnderstood), identifier: packet.identifier, on: link)
        }
    }

    /// CID 0xFFFF is NimBLE's black hole.
    private func reject(_ channel: L2CAPChannelID, on link: Link) {
        guard channel.rawValue != 0xFFFF else { return }
        send(
            L2CAPCommandReject(.invalidChannel(local: channel, remote: L2CAPChannelID(rawValue: 0))), identifier: 0,
            on: link)
    }

    /// The rest of a frame did not come: NimBLE ends the link.
    func giveUpReassembly(_ link: Link) {
        link.reassembler.abandon()
        disconnect(link, .remoteUserTerminatedConnection)
    }

    /// Tells the controller which packets have been taken.
    func reportTakenPackets() {
        for packet in hostFlow?.takeReports() ?? [] { sendBesideQueue(packet) }
    }
}
