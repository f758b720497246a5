public import ByteCodec

/// The kind of fragment in a command (Core 5.4, Vol 4 Part E 7.8.54); open for any value.
public struct HCIDataOperation: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// An operation by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Neither the first nor the last fragment.
    public static let intermediate = HCIDataOperation(rawValue: 0)
    /// The first piece; more follow.
    public static let first = HCIDataOperation(rawValue: 1)
    /// The last piece.
    public static let last = HCIDataOperation(rawValue: 2)
    /// All of it.
    public static let complete = HCIDataOperation(rawValue: 3)
    /// Unchanged data with a new DID.
    public static let unchanged = HCIDataOperation(rawValue: 4)
}

/// Sets the data of an advertising set, or a fragment (Core 5.4, Vol 4 Part E 7.8.54).
public struct HCILESetExtendedAdvertisingData: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetExtendedAdvertisingData
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Extended Advertising Data"

    /// The advertising set; 0x00...0xEF.
    public var advertisingHandle: UInt8
    /// The kind of fragment.
    public var operation: HCIDataOperation
    /// 0: the controller may fragment the data, 1: it should minimize fragmentation.
    public var fragmentPreference: UInt8
    /// At most 251 bytes; further bytes are not sent.
    public var data: ArraySlice<UInt8>

    /// The command with these parameters.
    public init(
        advertisingHandle: UInt8, operation: HCIDataOperation, fragmentPreference: UInt8, data: ArraySlice<UInt8>
    ) {
        self.advertisingHandle = advertisingHandle
        self.operation = operation
        self.fragmentPreference = fragmentPreference
        self.data = data
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        advertisingHandle = try reader.uint8()
        operation = HCIDataOperation(rawValue: try reader.uint8())
        fragmentPreference = try reader.uint8()
        data = try reader.hciExtendedData()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(advertisingHandle)
        writer.uint8(operation.rawValue)
        writer.uint8(fragmentPreference)
        writer.hciExtendedData(data)
    }
}

/// Sets the scan response data of an advertising set, or a fragment (Core 5.4, Vol 4 Part E 7.8.55).
public struct HCILESetExtendedScanResponseData: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetExtendedScanResponseData
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Extended Scan Response Data"

    /// The advertising set; 0x00...0xEF.
    public var advertisingHandle: UInt8
    /// The kind of fragment.
    public var operation: HCIDataOperation
    /// 0: the controller may fragment the data, 1: it should minimize fragmentation.
    public var fragmentPreference: UInt8
    /// At most 251 bytes; further bytes are not sent.
    public var data: ArraySlice<UInt8>

    /// The command with these parameters.
    public init(
        advertisingHandle: UInt8, operation: HCIDataOperation, fragmentPreference: UInt8, data: ArraySlice<UInt8>
    ) {
        self.advertisingHandle = advertisingHandle
        self.operation = operation
        self.fragmentPreference = fragmentPreference
        self.data = data
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        advertisingHandle = try reader.uint8()
        operation = HCIDataOperation(rawValue: try reader.uint8())
        fragmentPreference = try reader.uint8()
        data = try reader.hciExtendedData()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(advertisingHandle)
        writer.uint8(operation.rawValue)
        writer.uint8(fragmentPreference)
        writer.hciExtendedData(data)
    }
}

extension ByteReader {
    /// One octet of length, then the bytes.
    fileprivate mutating func hciExtendedData() throws(CodecError) -> ArraySlice<UInt8> {
        let length = try uint8()
        guard length <= 251 else { throw invalid("data length", UInt64(length), allowed: "0...251") }
        return try slice(Int(length))
    }
}

extension ByteWriter {
    fileprivate mutating func hciExtendedData(_ data: ArraySlice<UInt8>) {
        let sent = data.prefix(251)
        uint8(UInt8(truncatingIfNeeded: sent.count))
        append(sent)
    }
}
