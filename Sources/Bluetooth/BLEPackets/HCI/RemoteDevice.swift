public import ByteCodec

/// Reads the link layer version of the peer (Core 5.4, Vol 4 Part E 7.1.23).
public struct HCIReadRemoteVersionInformation: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.readRemoteVersionInformation
    /// The name in errors.
    public static let name: StaticString = "HCI Read Remote Version Information"

    /// The connection.
    public var handle: UInt16

    /// The command with these parameters.
    public init(handle: UInt16) {
        self.handle = handle
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
    }
}

/// The link layer version of the peer (Core 5.4, Vol 4 Part E 7.7.12).
public struct HCIReadRemoteVersionInformationComplete: HCIEvent {
    /// The event code.
    public static let code = HCIEventCode.readRemoteVersionInformationComplete
    /// The name in errors.
    public static let name: StaticString = "HCI Read Remote Version Information Complete"

    /// Whether it succeeded.
    public var status: HCIErrorCode
    /// The connection.
    public var handle: UInt16
    /// The link layer version; 8 is 4.2, 9 is 5.0.
    public var version: UInt8
    /// The manufacturer of the peer's controller.
    public var companyIdentifier: UInt16
    /// The maker's revision.
    public var subversion: UInt16

    /// The event with these parameters.
    public init(status: HCIErrorCode, handle: UInt16, version: UInt8, companyIdentifier: UInt16, subversion: UInt16) {
        self.status = status
        self.handle = handle
        self.version = version
        self.companyIdentifier = companyIdentifier
        self.subversion = subversion
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        version = try reader.uint8()
        companyIdentifier = try reader.uint16()
        subversion = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
        writer.uint8(version)
        writer.uint16(companyIdentifier)
        writer.uint16(subversion)
    }
}

/// Reads the link layer features of the peer (Core 5.4, Vol 4 Part E 7.8.21).
public struct HCILEReadRemoteFeatures: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadRemoteFeatures
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Remote Features"

    /// The connection.
    public var handle: UInt16

    /// The command with these parameters.
    public init(handle: UInt16) {
        self.handle = handle
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
    }
}

/// The link layer features of the peer (Core 5.4, Vol 4 Part E 7.7.65.4).
public struct HCILEReadRemoteFeaturesComplete: HCIEvent {
    /// LE Meta.
    public static let code = HCIEventCode.leMeta
    /// The subevent code.
    public static let subevent: HCILESubeventCode? = .readRemoteFeaturesComplete
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Remote Features Complete"

    /// Whether it succeeded.
    public var status: HCIErrorCode
    /// The connection.
    public var handle: UInt16
    /// The features (Vol 6 Part B 4.6).
    public var features: UInt64

    /// The event with these parameters.
    public init(status: HCIErrorCode, handle: UInt16, features: UInt64) {
        self.status = status
        self.handle = handle
        self.features = features
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        features = try reader.uint64()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
        writer.uint64(features)
    }
}

/// Reads the RSSI of the peer (Core 5.4, Vol 4 Part E 7.5.4).
public struct HCIReadRSSI: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.readRSSI
    /// The name in errors.
    public static let name: StaticString = "HCI Read RSSI"

    /// The connection.
    public var handle: UInt16

    /// The command with these parameters.
    public init(handle: UInt16) {
        self.handle = handle
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
    }

    /// The return parameters.
    public struct ReturnParameters: HCIReturnParameters {
        /// Whether it succeeded.
        public var status: HCIErrorCode
        /// The connection.
        public var handle: UInt16
        /// In dBm; 127 is unknown.
        public var rssi: Int8

        /// An answer with these values.
        public init(status: HCIErrorCode, handle: UInt16, rssi: Int8) {
            self.status = status
            self.handle = handle
            self.rssi = rssi
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            handle = try reader.uint16()
            rssi = try reader.int8()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(handle)
            writer.int8(rssi)
        }
    }
}
