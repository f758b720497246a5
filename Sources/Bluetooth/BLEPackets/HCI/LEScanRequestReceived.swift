public import BLECore
public import ByteCodec

/// Received a scan request for an advertising set (Core 5.4, Vol 4 Part E 7.7.65.19).
public struct HCILEScanRequestReceived: HCIEvent {
    /// LE Meta.
    public static let code = HCIEventCode.leMeta
    /// The subevent code.
    public static let subevent: HCILESubeventCode? = .scanRequestReceived
    /// The name in errors.
    public static let name: StaticString = "HCI LE Scan Request Received"

    /// The advertising set.
    public var advertisingHandle: UInt8
    /// The requesting scanner.
    public var scanner: DeviceAddress
    /// Whether ``scanner`` is an identity that the controller has resolved.
    public var isResolved: Bool

    /// The event with these parameters.
    public init(advertisingHandle: UInt8, scanner: DeviceAddress, isResolved: Bool = false) {
        self.advertisingHandle = advertisingHandle
        self.scanner = scanner
        self.isResolved = isResolved
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        advertisingHandle = try reader.uint8()
        (scanner, isResolved) = try reader.hciResolvedAddress()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(advertisingHandle)
        writer.hciAddress(scanner, isResolved: isResolved)
    }
}
