public import BLECore
public import ByteCodec

/// Sets the random address of an advertising set (Core 5.4, Vol 4 Part E 7.8.52).
public struct HCILESetAdvertisingSetRandomAddress: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetAdvertisingSetRandomAddress
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Advertising Set Random Address"

    /// The advertising set; 0x00...0xEF.
    public var advertisingHandle: UInt8
    /// The random address.
    public var address: DeviceAddress

    /// The command with these parameters.
    public init(advertisingHandle: UInt8, address: DeviceAddress) {
        self.advertisingHandle = advertisingHandle
        self.address = address
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        advertisingHandle = try reader.uint8()
        address = try DeviceAddress(from: &reader, .random)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(advertisingHandle)
        address.write(to: &writer)
    }
}

/// Reads the maximum data length of an advertising set (Core 5.4, Vol 4 Part E 7.8.57).
public struct HCILEReadMaximumAdvertisingDataLength: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadMaximumAdvertisingDataLength
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Maximum Advertising Data Length"

    /// The command, which has no parameters.
    public init() {}

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {}

    /// The return parameters.
    public struct ReturnParameters: HCIReturnParameters {
        /// Whether it succeeded.
        public var status: HCIErrorCode
        /// In bytes; 31...1650.
        public var length: UInt16

        /// An answer with these values.
        public init(status: HCIErrorCode, length: UInt16) {
            self.status = status
            self.length = length
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            length = try reader.uint16()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(length)
        }
    }
}

/// Reads the number of supported advertising sets (Core 5.4, Vol 4 Part E 7.8.58).
public struct HCILEReadNumberOfSupportedAdvertisingSets: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadNumberOfSupportedAdvertisingSets
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Number Of Supported Advertising Sets"

    /// The command, which has no parameters.
    public init() {}

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {}

    /// The return parameters.
    public struct ReturnParameters: HCIReturnParameters {
        /// Whether it succeeded.
        public var status: HCIErrorCode
        /// The number of sets.
        public var count: UInt8

        /// An answer with these values.
        public init(status: HCIErrorCode, count: UInt8) {
            self.status = status
            self.count = count
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            count = try reader.uint8()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint8(count)
        }
    }
}

/// Removes an advertising set (Core 5.4, Vol 4 Part E 7.8.59).
public struct HCILERemoveAdvertisingSet: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leRemoveAdvertisingSet
    /// The name in errors.
    public static let name: StaticString = "HCI LE Remove Advertising Set"

    /// The advertising set; 0x00...0xEF.
    public var advertisingHandle: UInt8

    /// The command with these parameters.
    public init(advertisingHandle: UInt8) {
        self.advertisingHandle = advertisingHandle
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        advertisingHandle = try reader.uint8()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(advertisingHandle)
    }
}

/// Removes all advertising sets (Core 5.4, Vol 4 Part E 7.8.60).
public struct HCILEClearAdvertisingSets: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leClearAdvertisingSets
    /// The name in errors.
    public static let name: StaticString = "HCI LE Clear Advertising Sets"

    /// The command, which has no parameters.
    public init() {}

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {}
}

/// An advertising set has terminated (Core 5.4, Vol 4 Part E 7.7.65.18).
public struct HCILEAdvertisingSetTerminated: HCIEvent {
    /// LE Meta.
    public static let code = HCIEventCode.leMeta
    /// The subevent code.
    public static let subevent: HCILESubeventCode? = .advertisingSetTerminated
    /// The name in errors.
    public static let name: StaticString = "HCI LE Advertising Set Terminated"

    /// Success: ended by a connection; otherwise the reason.
    public var status: HCIErrorCode
    /// The advertising set; 0x00...0xEF.
    public var advertisingHandle: UInt8
    /// The connection, where there is one.
    public var handle: UInt16
    /// The number of completed advertising events, if it was limited.
    public var completedEventCount: UInt8

    /// The event with these parameters.
    public init(status: HCIErrorCode, advertisingHandle: UInt8, handle: UInt16, completedEventCount: UInt8) {
        self.status = status
        self.advertisingHandle = advertisingHandle
        self.handle = handle
        self.completedEventCount = completedEventCount
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        advertisingHandle = try reader.uint8()
        handle = try reader.uint16()
        completedEventCount = try reader.uint8()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint8(advertisingHandle)
        writer.uint16(handle)
        writer.uint8(completedEventCount)
    }
}
