public import ByteCodec

/// Sets the mask of events (Core 5.4, Vol 4 Part E 7.3.1).
public struct HCISetEventMask: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.setEventMask
    /// The name in errors.
    public static let name: StaticString = "HCI Set Event Mask"

    /// Bit n − 1 is event n; bit 61 is LE Meta.
    public var mask: UInt64

    /// The command with these parameters.
    public init(mask: UInt64) {
        self.mask = mask
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        mask = try reader.uint64()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint64(mask)
    }
}

/// Sets page 2 of the mask of events; bit 23 is Authenticated Payload Timeout Expired (Core 5.4, Vol 4 Part E 7.3.69).
public struct HCISetEventMaskPage2: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.setEventMaskPage2
    /// The name in errors.
    public static let name: StaticString = "HCI Set Event Mask Page 2"

    /// The mask.
    public var mask: UInt64

    /// The command with these parameters.
    public init(mask: UInt64) {
        self.mask = mask
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        mask = try reader.uint64()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint64(mask)
    }
}

/// Sets the mask of LE events (Core 5.4, Vol 4 Part E 7.8.1).
public struct HCILESetEventMask: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetEventMask
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Event Mask"

    /// Bit n − 1 is LE subevent n.
    public var mask: UInt64

    /// The command with these parameters.
    public init(mask: UInt64) {
        self.mask = mask
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        mask = try reader.uint64()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint64(mask)
    }
}
