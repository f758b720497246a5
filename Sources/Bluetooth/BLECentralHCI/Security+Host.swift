import BLECentral
import BLECore
import BLEHost
internal import BLEPackets

extension BondedPeer {
    init(_ bond: Bond) {
        let key = bond.peerKey ?? bond.localKey
        self.init(
            identity: bond.peer, hasIdentityKey: bond.peerIRK != nil, isAuthenticated: key?.isAuthenticated ?? false,
            isSecureConnections: key?.isSecureConnections ?? false, keySize: key?.size ?? 0)
    }
}

extension CentralError {
    /// The error of a pairing or encryption that did not succeed.
    init?(_ status: SecurityStatus, _ peer: DeviceAddress?) {
        let code: Code
        switch status {
        case .success: return nil
        case .failed(let reason), .failedByPeer(let reason): code = .pairingFailed(reason: reason.rawValue)
        case .weakerThanBond:
            code = .pairingFailed(reason: SMPFailureReason.authenticationRequirements.rawValue)
        case .controller(let error): code = .encryptionFailed(status: error.rawValue)
        case .malformedPDU: code = .protocolViolation
        case .timedOut: code = .timedOut
        case .disconnected: code = .notConnected
        }
        let name = peer.map { "\($0)" } ?? "a peer that is gone"
        self.init(code, "security with \(name): \(status)")
    }
}
