public import BLECore
public import ByteCodec

/// Reads the controller's LE buffers (Core 5.4, Vol 4 Part E 7.8.2).
public struct HCILEReadBufferSize: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadBufferSize
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Buffer Size"

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
        /// The longest ACL payload, in bytes; 0: shared with BR/EDR.
        public var aclDataLength: UInt16
        /// The number of ACL buffers.
        public var aclPacketCount: UInt8

        /// An answer with these values.
        public init(status: HCIErrorCode, aclDataLength: UInt16, aclPacketCount: UInt8) {
            self.status = status
            self.aclDataLength = aclDataLength
            self.aclPacketCount = aclPacketCount
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            aclDataLength = try reader.uint16()
            aclPacketCount = try reader.uint8()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(aclDataLength)
            writer.uint8(aclPacketCount)
        }
    }
}

/// Reads the link layer features (Core 5.4, Vol 4 Part E 7.8.3).
public struct HCILEReadLocalSupportedFeatures: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadLocalSupportedFeatures
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Local Supported Features"

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
        /// The features (Vol 6 Part B 4.6).
        public var features: UInt64

        /// An answer with these values.
        public init(status: HCIErrorCode, features: UInt64) {
            self.status = status
            self.features = features
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            features = try reader.uint64()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint64(features)
        }
    }
}

/// Sets the address for own address type "random" (Core 5.4, Vol 4 Part E 7.8.4).
public struct HCILESetRandomAddress: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetRandomAddress
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Random Address"

    /// The random address.
    public var address: DeviceAddress

    /// The command with these parameters.
    public init(address: DeviceAddress) {
        self.address = address
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        address = try DeviceAddress(from: &reader, .random)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        address.write(to: &writer)
    }
}

/// Requests random bytes (Core 5.4, Vol 4 Part E 7.8.23).
public struct HCILERand: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leRand
    /// The name in errors.
    public static let name: StaticString = "HCI LE Rand"

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
        /// Eight random bytes.
        public var random: UInt64

        /// An answer with these values.
        public init(status: HCIErrorCode, random: UInt64) {
            self.status = status
            self.random = random
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            random = try reader.uint64()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint64(random)
        }
    }
}

/// Reads the supported combinations of link layer states (Core 5.4, Vol 4 Part E 7.8.27).
public struct HCILEReadSupportedStates: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadSupportedStates
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Supported States"

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
        /// The states and their combinations.
        public var states: UInt64

        /// An answer with these values.
        public init(status: HCIErrorCode, states: UInt64) {
            self.status = status
            self.states = states
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            states = try reader.uint64()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint64(states)
        }
    }
}
