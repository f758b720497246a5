import ByteCodec

/// The first octet of an SMP PDU, the specification's Code (Core 5.4, Vol 3 Part H 3.3); open for any value.
public struct SMPOpcode: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// An opcode by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Pairing Request.
    public static let pairingRequest = SMPOpcode(rawValue: 0x01)
    /// Pairing Response.
    public static let pairingResponse = SMPOpcode(rawValue: 0x02)
    /// Pairing Confirm.
    public static let pairingConfirm = SMPOpcode(rawValue: 0x03)
    /// Pairing Random.
    public static let pairingRandom = SMPOpcode(rawValue: 0x04)
    /// Pairing Failed.
    public static let pairingFailed = SMPOpcode(rawValue: 0x05)
    /// Encryption Information.
    public static let encryptionInformation = SMPOpcode(rawValue: 0x06)
    /// Central Identification.
    public static let centralIdentification = SMPOpcode(rawValue: 0x07)
    /// Identity Information.
    public static let identityInformation = SMPOpcode(rawValue: 0x08)
    /// Identity Address Information.
    public static let identityAddressInformation = SMPOpcode(rawValue: 0x09)
    /// Signing Information.
    public static let signingInformation = SMPOpcode(rawValue: 0x0A)
    /// Security Request.
    public static let securityRequest = SMPOpcode(rawValue: 0x0B)
    /// Pairing Public Key.
    public static let pairingPublicKey = SMPOpcode(rawValue: 0x0C)
    /// Pairing DHKey Check.
    public static let pairingDHKeyCheck = SMPOpcode(rawValue: 0x0D)
    /// Pairing Keypress Notification.
    public static let pairingKeypressNotification = SMPOpcode(rawValue: 0x0E)
}

extension SMPOpcode: CustomStringConvertible {
    /// The number, and the PDU's name if it is known: `0x01 SMP Pairing Request`.
    public var description: String {
        let number = "0x" + Hexadecimal.string([rawValue]).uppercased()
        guard let pdu = Self.pdus.first(where: { $0.opcode == self }) else { return number }
        return "\(number) \(pdu.name)"
    }
}
