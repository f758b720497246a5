/// The first octet of a signalling packet (Core 5.4, Vol 3 Part A 4, table 4.2); open for any value.
public struct L2CAPSignallingCode: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// A code by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// L2CAP_COMMAND_REJECT_RSP.
    public static let commandReject = L2CAPSignallingCode(rawValue: 0x01)
    /// L2CAP_CONNECTION_PARAMETER_UPDATE_REQ.
    public static let connectionParameterUpdateRequest = L2CAPSignallingCode(rawValue: 0x12)
    /// L2CAP_CONNECTION_PARAMETER_UPDATE_RSP.
    public static let connectionParameterUpdateResponse = L2CAPSignallingCode(rawValue: 0x13)
}
