public import ByteCodec

/// Sets the scan parameters (Core 5.4, Vol 4 Part E 7.8.10).
public struct HCILESetScanParameters: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetScanParameters
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Scan Parameters"

    /// Whether scan responses are requested.
    public var isActive: Bool
    /// The scan interval, in 0.625 ms; 0x0004...0x4000.
    public var interval: UInt16
    /// The scan window, in 0.625 ms; at most the interval.
    public var window: UInt16
    /// The own address type in scan requests.
    public var ownAddressType: HCIOwnAddressType
    /// 0 everyone, 1 the accept list only.
    public var filterPolicy: UInt8

    /// The command with these parameters.
    public init(
        isActive: Bool, interval: UInt16, window: UInt16, ownAddressType: HCIOwnAddressType, filterPolicy: UInt8
    ) {
        self.isActive = isActive
        self.interval = interval
        self.window = window
        self.ownAddressType = ownAddressType
        self.filterPolicy = filterPolicy
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        isActive = try reader.hciBool("isActive")
        interval = try reader.uint16()
        window = try reader.uint16()
        ownAddressType = HCIOwnAddressType(rawValue: try reader.uint8())
        filterPolicy = try reader.uint8()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(isActive ? 1 : 0)
        writer.uint16(interval)
        writer.uint16(window)
        writer.uint8(ownAddressType.rawValue)
        writer.uint8(filterPolicy)
    }
}

/// Starts or stops scanning (Core 5.4, Vol 4 Part E 7.8.11).
public struct HCILESetScanEnable: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetScanEnable
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Scan Enable"

    /// Whether to scan.
    public var isEnabled: Bool
    /// Whether each advertiser is reported only once.
    public var filterDuplicates: Bool

    /// The command with these parameters.
    public init(isEnabled: Bool, filterDuplicates: Bool) {
        self.isEnabled = isEnabled
        self.filterDuplicates = filterDuplicates
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        isEnabled = try reader.hciBool("isEnabled")
        filterDuplicates = try reader.hciBool("filterDuplicates")
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(isEnabled ? 1 : 0)
        writer.uint8(filterDuplicates ? 1 : 0)
    }
}
