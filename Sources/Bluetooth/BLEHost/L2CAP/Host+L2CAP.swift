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

/// Reassembles the ACL fragments of one connection into L2CAP frames (Core 5.4, Vol 3 Part A 7.2.1).
///
/// A frame in a single fragment is passed on without a copy. Like the NimBLE host, it silently discards invalid
/// fragments (recorded in `nimble-smp-l2cap.jsonl`).
struct L2CAPReassembler {
    enum Outcome {
        /// No complete frame.
        case nothing
        case frame(L2CAPBasicFrame)
        /// The first fragment of a frame for an unknown channel.
        case unknownChannel(L2CAPChannelID)
    }

    /// The reassembly time-out (NimBLE: `BLE_L2CAP_RX_FRAG_TIMEOUT`).
    private static let timeout = Duration.seconds(30)
    /// The bytes that NimBLE accepts beyond a channel's MTU.
    private static let slack = 2
    private static let signallingMTU = 100
    private static let securityManagerMTU = 65

    private var channel = L2CAPChannelID.attribute
    private var length = 0
    private var joined: [UInt8] = []

    /// The time-out of the incomplete frame.
    private(set) var deadline: MonotonicInstant?

    /// Receives one fragment. The ATT server checks the length of attribute PDUs.
    mutating func receive(
        _ boundary: HCIACLHeader.Boundary, _ fragment: ArraySlice<UInt8>, now: MonotonicInstant
    ) -> Outcome {
        switch boundary {
        case .firstFlushable: receiveStart(fragment, now)
        case .continuing: receiveContinuation(fragment, now)
        // Controllers do not send these two kinds on an LE link.
        case .firstNonFlushable, .complete: .nothing
        }
    }

    private mutating func receiveStart(
        _ fragment: ArraySlice<UInt8>, _ now: MonotonicInstant
    ) -> Outcome {
        guard fragment.count >= L2CAPBasicFrame.headerLength else { return .nothing }
        let base = fragment.startIndex
        let length = Int(fragment[base]) | Int(fragment[base + 1]) << 8
        let channel = L2CAPChannelID(rawValue: UInt16(fragment[base + 2]) | UInt16(fragment[base + 3]) << 8)
        let limit: Int
        switch channel {
        case .attribute: limit = .max
        case .signalling: limit = Self.signallingMTU + Self.slack
        case .securityManager: limit = Self.securityManagerMTU + Self.slack
        default: return .unknownChannel(channel)
        }
        if channel == self.channel { abandon() }
        guard length <= limit else { return .nothing }
        abandon()
        self.channel = channel
        let payload = fragment.dropFirst(L2CAPBasicFrame.headerLength)
        if payload.count >= length {
            // Longer than announced: discard.
            return payload.count == length ? .frame(L2CAPBasicFrame(channel: channel, payload: payload)) : .nothing
        }
        self.length = length
        joined.reserveCapacity(min(length, Int(UInt16.max)))
        joined.append(contentsOf: payload)
        deadline = now.advanced(by: Self.timeout)
        return .nothing
    }

    private mutating func receiveContinuation(_ fragment: ArraySlice<UInt8>, _ now: MonotonicInstant) -> Outcome {
        guard deadline != nil else { return .nothing }
        guard joined.count + fragment.count <= length else {
            abandon()
            return .nothing
        }
        joined.append(contentsOf: fragment)
        guard joined.count == length else {
            deadline = now.advanced(by: Self.timeout)
            return .nothing
        }
        let payload = joined[...]
        joined = []
        deadline = nil
        return .frame(L2CAPBasicFrame(channel: channel, payload: payload))
    }

    /// Discards the incomplete frame.
    mutating func abandon() {
        guard deadline != nil else { return }
        joined = []
        deadline = nil
    }
}
