package import BLEPackets
internal import ByteCodec
package import MonotonicTime

extension Host {
    /// If this number of packets is queued on a connection, ``hasRoom(on:)`` is false.
    private static let sendQueueLimit = 12

    // MARK: Sending

    /// Sends a PDU of the Attribute Protocol; discards it if there is no such connection.
    package func sendATT(_ pdu: ArraySlice<UInt8>, on handle: ConnectionHandle, now: MonotonicInstant) {
        flow.send(.attribute, on: handle, capacity: pdu.count) { $0.append(pdu) }
        flush(now)
    }

    /// Sends a PDU of the Attribute Protocol; discards it if there is no such connection.
    package func sendATT(_ pdu: some ATTPDU, on handle: ConnectionHandle, now: MonotonicInstant) {
        flow.send(.attribute, on: handle, capacity: 32) { pdu.write(to: &$0) }
        flush(now)
    }

    /// True if a connection's queue has space; otherwise ``HostEvent/roomAvailable(_:)`` follows later.
    public func hasRoom(on handle: ConnectionHandle) -> Bool {
        guard flow.waiting(on: handle) >= Self.sendQueueLimit, let link = link(handle) else { return true }
        link.isOwnerWaiting = true
        return false
    }

    /// NimBLE's pool of buffers; `nil`: no limit.
    package var pool: NimBLEBuffers? {
        get { flow.pool }
        set { flow.pool = newValue }
    }

    /// The number of pool buffers used by packets that wait for the controller.
    package var queuedBuffers: Int { flow.queuedBuffers }

    func reportRoom(on link: Link) {
        guard flow.waiting(on: link.info.handle) < Self.sendQueueLimit else { return }
        link.isOwnerWaiting = false
        emit(.roomAvailable(link.info.handle))
    }

    func send(_ command: some L2CAPSignallingCommand, identifier: UInt8, on link: Link) {
        flow.send(.signalling, on: link.info.handle, capacity: 16) {
            L2CAPSignallingPacket(command, identifier: identifier).write(to: &$0)
        }
    }

    // MARK: Receiving

    /// Receives one ACL packet: header, then a fragment.
    func receiveACL(_ bytes: [UInt8], _ now: MonotonicInstant) {
        var reader = ByteReader(bytes, subject: "HCI ACL data")
        guard let header = try? HCIACLHeader(from: &reader), let link = link(header.handle) else { return }
        if hostFlow?.completed(on: header.handle, now: now) == true { reportProcessedPackets() }
        guard reader.remaining == header.length else { return }
        let outcome = link.reassembler.receive(header.boundary, reader.rest(), now: now)
        switch outcome {
        case .nothing: break
        case .frame(let frame): handle(frame, on: link, now)
        case .unknownChannel(let channel): reject(channel, on: link)
        }
    }

    private func handle(_ frame: L2CAPBasicFrame, on link: Link, _ now: MonotonicInstant) {
        switch frame.channel {
        case .attribute: emit(.attributePDU(link.info.handle, frame.payload))
        case .signalling: receiveSignalling(frame.payload, on: link, now)
        case .securityManager: receiveSecurity(frame.payload, on: link, now)
        default: break
        }
    }

    /// Malformed packets are ignored; unsupported commands, even responses, are rejected (recorded in
    /// `nimble-smp-l2cap.jsonl`).
    private func receiveSignalling(_ pdu: ArraySlice<UInt8>, on link: Link, _ now: MonotonicInstant) {
        var reader = ByteReader(pdu, subject: "L2CAP signalling packet")
        guard let packet = try? L2CAPSignallingPacket(from: &reader) else { return }
        let isUnderstood =
            switch packet.code {
            case .commandReject: true
            case .connectionParameterUpdateRequest: answer(packet, on: link, now)
            case .connectionParameterUpdateResponse: handleUpdateResponse(packet, on: link)
            default: false
            }
        if !isUnderstood {
            send(L2CAPCommandReject(.commandNotUnderstood), identifier: packet.identifier, on: link)
        }
    }

    /// NimBLE discards frames on CID 0xFFFF, its "black hole" channel, without an answer.
    private func reject(_ channel: L2CAPChannelID, on link: Link) {
        guard channel.rawValue != 0xFFFF else { return }
        send(
            L2CAPCommandReject(.invalidChannel(local: channel, remote: L2CAPChannelID(rawValue: 0))), identifier: 0,
            on: link)
    }

    /// Reassembly time-out: NimBLE disconnects.
    func reassemblyTimedOut(_ link: Link) {
        link.reassembler.abandon()
        disconnect(link, .remoteUserTerminatedConnection)
    }

    /// Reports processed packets to the controller.
    func reportProcessedPackets() {
        for packet in hostFlow?.drainReports() ?? [] { sendBesideQueue(packet) }
    }
}
