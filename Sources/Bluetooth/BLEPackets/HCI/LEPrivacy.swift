public import BLECore
public import ByteCodec

/// Enables or disables address resolution (Core 5.4, Vol 4 Part E 7.8.44).
public struct HCILESetAddressResolutionEnable: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetAddressResolutionEnable
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Address Resolution Enable"

    /// Whether private addresses are resolved and generated.
    public var isEnabled: Bool

    /// The command with these parameters.
    public init(isEnabled: Bool) {
        self.isEnabled = isEnabled
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        isEnabled = try reader.hciBool("isEnabled")
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(isEnabled ? 1 : 0)
    }
}

/// Sets the lifetime of private addresses (Core 5.4, Vol 4 Part E 7.8.45).
public struct HCILESetResolvablePrivateAddressTimeout: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetResolvablePrivateAddressTimeout
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Resolvable Private Address Timeout"

    /// In seconds; 0x0001...0x0E10.
    public var timeout: UInt16

    /// The command with these parameters.
    public init(timeout: UInt16) {
        self.timeout = timeout
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        timeout = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(timeout)
    }
}

/// Sets the privacy mode of a peer (Core 5.4, Vol 4 Part E 7.8.77).
public struct HCILESetPrivacyMode: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetPrivacyMode
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Privacy Mode"

    /// The peer's identity address.
    public var peer: DeviceAddress
    /// The privacy mode.
    public var mode: HCIPrivacyMode

    /// The command with these parameters.
    public init(peer: DeviceAddress, mode: HCIPrivacyMode) {
        self.peer = peer
        self.mode = mode
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        peer = try DeviceAddress(fromTypeAndAddress: &reader)
        mode = HCIPrivacyMode(rawValue: try reader.uint8())
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        peer.writeTypeAndAddress(to: &writer)
        writer.uint8(mode.rawValue)
    }
}

/// A privacy mode (Core 5.4, Vol 4 Part E 7.8.77); open for any value.
public struct HCIPrivacyMode: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// A mode by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The peer must use private addresses.
    public static let network = HCIPrivacyMode(rawValue: 0)
    /// The peer may use its identity address as well.
    public static let device = HCIPrivacyMode(rawValue: 1)
}
