public import ByteCodec

/// The host has sent more than the controller can hold (Core 5.4, Vol 4 Part E 7.7.26).
public struct HCIDataBufferOverflow: HCIEvent {
    /// The event code.
    public static let code = HCIEventCode.dataBufferOverflow
    /// The name in errors.
    public static let name: StaticString = "HCI Data Buffer Overflow"

    /// 0 synchronous, 1 ACL, 2 isochronous.
    public var linkType: UInt8

    /// The event with these parameters.
    public init(linkType: UInt8) {
        self.linkType = linkType
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        linkType = try reader.uint8()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(linkType)
    }
}
