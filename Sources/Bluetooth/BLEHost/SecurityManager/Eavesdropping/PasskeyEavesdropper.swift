public import BLEPackets
internal import ByteCodec
public import MonotonicTime

/// Computes the passkeys of pairings from sniffed packets: the attack that makes a passkey of LE Secure Connections
/// secure for one pairing only.
///
/// Passkey entry reveals the passkey bit by bit: each of 20 rounds opens a commitment f4(PKbx, PKax, Nbi, 0x80 | bit)
/// whose inputs except the bit are transmitted (Core 5.4, Vol 3 Part H 2.3.5.6.3). One complete pairing reveals all
/// bits.
///
/// The input is the HCI packets of the responder's controller; only packets sent unencrypted are used.
public struct PasskeyEavesdropper: Sendable {
    /// The passkey of the last complete passkey entry; `nil` before the first.
    public private(set) var passkey: UInt32?

    /// By connection handle.
    private var connections: [UInt16: SniffedConnection] = [:]

    /// An eavesdropper without data.
    public init() {}

    /// Processes one packet between the responder's host and its controller. Malformed packets are ignored.
    public mutating func observe(_ packet: HCIPacket, isFromHost: Bool, now: MonotonicInstant) {
        switch packet.kind {
        case .acl:
            guard let (header, payload) = try? HCIACLHeader.decode(packet.bytes) else { return }
            let found = connections[header.handle, default: SniffedConnection()]
                .receive(header.boundary, payload, isFromResponder: isFromHost, now: now)
            if let found { passkey = found }
        case .event: observe(event: packet.bytes)
        case .command, .synchronous: break
        }
    }

    private mutating func observe(event bytes: [UInt8]) {
        guard let event = try? HCIAnyEvent(decoding: bytes[...]) else { return }
        switch event.code {
        case .leMeta:
            // After a power loss the last connection with this handle had no Disconnection Complete.
            if let handle = event.connectedHandle { connections[handle] = nil }
        case .encryptionChange:
            guard let change = try? HCIEncryptionChange(event), change.status == .success else { return }
            connections[change.handle, default: SniffedConnection()].isEncrypted = change.encryptionEnabled != 0
        case .disconnectionComplete:
            guard let end = try? HCIDisconnectionComplete(event), end.status == .success else { return }
            connections[end.handle] = nil
        default: break
        }
    }
}

/// The observed state of one connection.
private struct SniffedConnection {
    var isEncrypted = false
    private var fromInitiator = L2CAPReassembler()
    private var fromResponder = L2CAPReassembler()
    private var pairing = SniffedPairing()

    /// Processes an ACL fragment; returns the passkey that it completes.
    mutating func receive(
        _ boundary: HCIACLHeader.Boundary, _ fragment: ArraySlice<UInt8>, isFromResponder: Bool, now: MonotonicInstant
    ) -> UInt32? {
        guard !isEncrypted else { return nil }
        // Hosts use another boundary flag for first fragments than controllers.
        let boundary = boundary == .firstNonFlushable ? .firstFlushable : boundary
        let outcome =
            isFromResponder
            ? fromResponder.receive(boundary, fragment, now: now) : fromInitiator.receive(boundary, fragment, now: now)
        guard case .frame(let frame) = outcome, frame.channel == .securityManager else { return nil }
        return pairing.receive(frame.payload, isFromResponder: isFromResponder)
    }
}

/// The observed state of one pairing.
private struct SniffedPairing {
    /// The rounds of passkey entry, one for each bit.
    private static let rounds = 20

    /// The X coordinates of the public keys.
    private var initiatorKey: ArraySlice<UInt8>?
    private var responderKey: ArraySlice<UInt8>?
    /// The responder's commitment of the round.
    private var commitment: UInt128?
    private var passkey: UInt32 = 0
    private var round = 0

    /// Processes a PDU of the Security Manager; returns the passkey that it completes.
    mutating func receive(_ pdu: ArraySlice<UInt8>, isFromResponder: Bool) -> UInt32? {
        switch pdu.first.map({ SMPOpcode(rawValue: $0) }) {
        case .pairingRequest?: self = SniffedPairing()
        case .pairingPublicKey?:
            guard let key = try? SMPPairingPublicKey(decoding: pdu) else { return nil }
            if isFromResponder { responderKey = key.x } else { initiatorKey = key.x }
        case .pairingConfirm?:
            guard isFromResponder else { return nil }
            commitment = try? SMPPairingConfirm(decoding: pdu).value
        case .pairingRandom?:
            guard isFromResponder, let random = try? SMPPairingRandom(decoding: pdu) else { return nil }
            return open(with: random.value)
        default: break
        }
        return nil
    }

    /// Finds the bit that the responder committed to; returns the passkey after the last.
    private mutating func open(with random: UInt128) -> UInt32? {
        guard let initiatorKey, let responderKey, let commitment = commitment.take(), round < Self.rounds else {
            return nil
        }
        func isCommitted(to bit: UInt8) -> Bool {
            SecurityToolbox.f4(u: responderKey, v: initiatorKey, x: random, z: 0x80 | bit) == commitment
        }
        if isCommitted(to: 1) {
            passkey |= 1 << UInt32(round)
        } else if !isCommitted(to: 0) {
            // Neither bit matches: another association model, or altered PDUs. Ignores the remaining rounds.
            round = Self.rounds
            return nil
        }
        round += 1
        return round == Self.rounds ? passkey : nil
    }
}

extension HCIAnyEvent {
    /// The handle of the connection that this event reports.
    fileprivate var connectedHandle: UInt16? {
        switch subevent {
        case .connectionComplete?: (try? HCILEConnectionComplete(self))?.handle
        case .enhancedConnectionComplete?: (try? HCILEEnhancedConnectionComplete(self))?.handle
        default: nil
        }
    }
}
