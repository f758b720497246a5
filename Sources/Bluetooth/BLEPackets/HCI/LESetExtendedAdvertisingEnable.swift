public import ByteCodec

/// Starts or stops advertising sets (Core 5.4, Vol 4 Part E 7.8.56).
public struct HCILESetExtendedAdvertisingEnable: HCICommand {
    /// One advertising set, and its duration.
    public struct AdvertisingSet: Hashable, Sendable {
        /// The advertising set; 0x00...0xEF.
        public var advertisingHandle: UInt8
        /// In 10 ms; 0: until disabled.
        public var duration: UInt16
        /// The most advertising events; 0: any number.
        public var maximumEvents: UInt8

        /// A set to start or stop.
        public init(advertisingHandle: UInt8, duration: UInt16 = 0, maximumEvents: UInt8 = 0) {
            self.advertisingHandle = advertisingHandle
            self.duration = duration
            self.maximumEvents = maximumEvents
        }
    }

    /// The opcode.
    public static let opcode = HCIOpcode.leSetExtendedAdvertisingEnable
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Extended Advertising Enable"

    /// Whether to advertise.
    public var isEnabled: Bool
    /// At most 63; none: all sets are stopped.
    public var sets: [AdvertisingSet]

    /// The command with these parameters.
    public init(isEnabled: Bool, sets: [AdvertisingSet]) {
        self.isEnabled = isEnabled
        self.sets = sets
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        isEnabled = try reader.hciBool("isEnabled")
        let count = try reader.uint8()
        guard count <= 0x3F else { throw reader.invalid("number of sets", UInt64(count), allowed: "0...63") }
        sets = []
        for _ in 0..<count {
            let handle = try reader.uint8()
            let duration = try reader.uint16()
            sets.append(
                AdvertisingSet(
                    advertisingHandle: handle, duration: duration, maximumEvents: try reader.uint8()))
        }
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(isEnabled ? 1 : 0)
        writer.uint8(UInt8(truncatingIfNeeded: sets.count))
        for set in sets {
            writer.uint8(set.advertisingHandle)
            writer.uint16(set.duration)
            writer.uint8(set.maximumEvents)
        }
    }
}
