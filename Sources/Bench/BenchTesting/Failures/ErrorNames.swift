import BLECentral
import BLEPackets

extension CentralError.Code {
    /// The error as the specification names it.
    var name: String {
        switch self {
        case .attError(let code): "ATT error \(ATTErrorCode(rawValue: code))"
        case .pairingFailed(let reason): "a failed pairing: \(SMPFailureReason(rawValue: reason))"
        case .encryptionFailed(let status): "a failed encryption: \(HCIErrorCode(rawValue: status))"
        case .controller(let status): "HCI error \(HCIErrorCode(rawValue: status))"
        case .disconnected(let reason?): "the end of the link: \(HCIErrorCode(rawValue: reason))"
        case .disconnected(nil): "the end of the link"
        case .timedOut: "a time-out"
        case .notConnected: "no link"
        case .notBonded: "no bond"
        case .protocolViolation: "a violation of the protocol"
        case .invalidState: "a stack that does not allow it now"
        case .storage: "keys that cannot be read or kept"
        case .unsupported: "a stack that cannot do it"
        case .unavailable: "an adapter that is gone"
        }
    }
}
