public import BLECore
public import BLEPackets

/// How a procedure of the Security Manager ended.
public enum SecurityStatus: Hashable, Sendable {
    /// Success.
    case success
    /// This device failed the pairing, with the reason it sent.
    case failed(SMPFailureReason)
    /// The peer failed the pairing, with the reason it sent.
    case failedByPeer(SMPFailureReason)
    /// This device failed the pairing, which would have replaced the bond with this peer by a weaker bond, although the
    /// peer had not proved that it has the bond's key. In ``HostBehaviour/specification`` only.
    case weakerThanBond(DeviceAddress)
    /// The controller could not encrypt; `pinOrKeyMissing` when the peer has lost the key.
    case controller(HCIErrorCode)
    /// The peer sent a truncated PDU, and the procedure was dropped without an answer.
    case malformedPDU
    /// The peer sent nothing for 30 s.
    case timedOut
    /// The link was lost.
    case disconnected
}

extension SecurityStatus: CustomStringConvertible {
    /// One line: which side failed and why.
    public var description: String {
        switch self {
        case .success: "success"
        case .failed(let reason): "failed here: \(reason)"
        case .failedByPeer(let reason): "failed by the peer: \(reason)"
        case .weakerThanBond(let peer):
            "failed here: the peer claims to be \(peer), whose bond has a stronger key (authentication, size), without "
                + "having used that key; forget that bond first if the peer has lost its own"
        case .controller(let code): "the controller could not encrypt: \(code)"
        case .malformedPDU: "the peer sent a PDU cut short"
        case .timedOut: "expected a PDU from the peer within 30 s, got none"
        case .disconnected: "the link was lost"
        }
    }
}
