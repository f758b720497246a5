import BLECentral
import BLECore
import BLEHost
import BLEPackets

extension SMPIOCapability {
    init(_ capability: CentralSecurity.IOCapability) {
        switch capability {
        case .displayOnly: self = .displayOnly
        case .displayYesNo: self = .displayYesNo
        case .keyboardOnly: self = .keyboardOnly
        case .noInputNoOutput: self = .noInputNoOutput
        case .keyboardDisplay: self = .keyboardDisplay
        }
    }
}

extension BLECentral.LinkSecurity {
    init(_ security: BLEHost.LinkSecurity) {
        self.init(
            isEncrypted: security.isEncrypted, isAuthenticated: security.isAuthenticated,
            isBonded: security.isBonded, keySize: security.keySize)
    }
}

extension BLECentral.PairingInput {
    init(_ input: BLEHost.PairingInput) {
        switch input {
        case .displayPasskey: self = .displayPasskey
        case .enterPasskey: self = .enterPasskey
        case .compareNumbers(let number): self = .compareNumbers(number)
        case .outOfBand: self = .outOfBand
        }
    }
}

extension BLEHost.PairingAnswer {
    init(_ answer: BLECentral.PairingAnswer) {
        func value(_ value: BLECentral.OutOfBandValue) -> BLEHost.OutOfBandValue {
            BLEHost.OutOfBandValue(confirm: value.confirm, random: value.random)
        }
        switch answer {
        case .passkey(let passkey): self = .passkey(passkey)
        case .confirm(let isSame): self = .confirm(isSame)
        case .temporaryKey(let key): self = .outOfBand(.temporaryKey(key))
        case .outOfBand(let local, let remote):
            self = .outOfBand(.secureConnections(local: local.map(value), remote: remote.map(value)))
        case .cancel: self = .cancel
        }
    }
}

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
        case .controller(let error): code = .encryptionFailed(status: error.rawValue)
        case .malformedPDU: code = .protocolViolation
        case .timedOut: code = .timedOut
        case .disconnected: code = .notConnected
        }
        let name = peer.map { "\($0)" } ?? "a peer that is gone"
        self.init(code, "security with \(name): expected success, but \(status)")
    }
}
