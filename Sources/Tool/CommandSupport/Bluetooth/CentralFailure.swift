package import BLECentral
internal import BLECore
internal import ByteCodec

extension CommandFailure {
    /// The failure for an error of a Bluetooth stack.
    package init(_ error: CentralError) {
        let (status, code): (ExitReason, String) =
            switch error.code {
            case .attError(let number): (.peerRefused, Self.attCode(number))
            case .timedOut: (.linkFailed, "central.timedOut")
            case .disconnected(let reason): (.linkFailed, reason == 0x3E ? "central.noAnswer" : "central.disconnected")
            case .notConnected: (.linkFailed, "central.disconnected")
            case .protocolViolation: (.linkFailed, "central.protocolViolation")
            case .invalidState: (.benchFault, "")
            case .controller: (.linkFailed, "central.controller")
            case .pairingFailed(let reason): (.peerRefused, Self.pairingCode(reason))
            case .encryptionFailed(let status):
                (.peerRefused, status == 0x06 ? "central.bondLost" : "central.encryption")
            case .notBonded: (.peerRefused, "central.notBonded")
            case .storage: (.benchFault, "central.storage")
            case .unsupported: (.noCentral, "central.unsupported")
            case .unavailable:
                (.noCentral, error.absence.map { "central.absent.\($0.rawValue)" } ?? "central.unavailable")
            }
        self.init(status, error.detail, code: code)
    }

    /// ATT errors that the user can resolve (Core 5.4, Vol 3 Part F 3.4.1.1).
    private static func attCode(_ number: UInt8) -> String {
        switch number {
        case 0x02: "central.readRefused"
        case 0x03: "central.writeRefused"
        case 0x05, 0x0C, 0x0F: "central.needsPairing"
        case 0x08: "central.notAuthorized"
        case 0x07, 0x0D: "central.length"
        default: "central.attError"
        }
    }

    /// Reasons of the Security Manager (Core 5.4, Vol 3 Part H 3.5.5).
    private static func pairingCode(_ reason: UInt8) -> String {
        switch reason {
        case 0x04, 0x0B, 0x0C: "central.wrongPasskey"
        case 0x05: "central.pairingNotSupported"
        case 0x09: "central.repeatedAttempts"
        default: "central.pairing"
        }
    }
}

/// Reasons of disconnections (Core 5.4, Vol 1 Part F 1.3).
package enum DisconnectionText {
    private static let texts: [UInt8: String] = [
        0x05: "authentication failed", 0x06: "the peer has no key for this bond",
        0x08: "the peer was not heard any more",
        0x13: "the peer disconnected", 0x14: "the peer disconnected, as its resources are low",
        0x15: "the peer disconnected, as it powers off", 0x16: "this side disconnected",
        0x22: "the peer did not answer a procedure of the link layer", 0x3D: "decryption failed: the keys differ",
        0x3E: "the peer did not answer the connection request",
    ]

    /// The reason with its code.
    package static func text(_ reason: UInt8) -> String {
        let code = "0x" + Hexadecimal.string([reason])
        return texts[reason].map { "\($0) (\(code))" } ?? "reason \(code)"
    }
}
