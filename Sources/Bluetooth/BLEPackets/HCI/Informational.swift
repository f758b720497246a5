public import BLECore
public import ByteCodec

/// Reads the versions of the controller (Core 5.4, Vol 4 Part E 7.4.1).
public struct HCIReadLocalVersionInformation: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.readLocalVersionInformation
    /// The name in errors.
    public static let name: StaticString = "HCI Read Local Version Information"

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
        /// The HCI version; 8 is 4.2, 9 is 5.0.
        public var hciVersion: UInt8
        /// The maker's revision of the HCI.
        public var hciSubversion: UInt16
        /// The link layer version.
        public var lmpVersion: UInt8
        /// The manufacturer of the controller.
        public var companyIdentifier: UInt16
        /// The maker's revision of the link layer.
        public var lmpSubversion: UInt16

        /// An answer with these values.
        public init(
            status: HCIErrorCode, hciVersion: UInt8, hciSubversion: UInt16, lmpVersion: UInt8,
            companyIdentifier:
                UInt16, lmpSubversion: UInt16
        ) {
            self.status = status
            self.hciVersion = hciVersion
            self.hciSubversion = hciSubversion
            self.lmpVersion = lmpVersion
            self.companyIdentifier = companyIdentifier
            self.lmpSubversion = lmpSubversion
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            hciVersion = try reader.uint8()
            hciSubversion = try reader.uint16()
            lmpVersion = try reader.uint8()
            companyIdentifier = try reader.uint16()
            lmpSubversion = try reader.uint16()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint8(hciVersion)
            writer.uint16(hciSubversion)
            writer.uint8(lmpVersion)
            writer.uint16(companyIdentifier)
            writer.uint16(lmpSubversion)
        }
    }
}

/// Reads the supported commands (Core 5.4, Vol 4 Part E 7.4.2).
public struct HCIReadLocalSupportedCommands: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.readLocalSupportedCommands
    /// The name in errors.
    public static let name: StaticString = "HCI Read Local Supported Commands"

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
        /// 64 bytes of flags, laid out by 6.27.
        public var commands: ArraySlice<UInt8>

        /// An answer with these values.
        public init(status: HCIErrorCode, commands: ArraySlice<UInt8>) {
            self.status = status
            self.commands = commands
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            commands = try reader.slice(64)
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.append(commands)
        }
    }
}

/// Reads page 0 of the LMP features (Core 5.4, Vol 4 Part E 7.4.3).
public struct HCIReadLocalSupportedFeatures: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.readLocalSupportedFeatures
    /// The name in errors.
    public static let name: StaticString = "HCI Read Local Supported Features"

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
        /// The features; bit 37 BR/EDR not supported, bit 38 LE supported.
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

/// Reads the controller's buffers, if LE has none of its own (Core 5.4, Vol 4 Part E 7.4.5).
public struct HCIReadBufferSize: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.readBufferSize
    /// The name in errors.
    public static let name: StaticString = "HCI Read Buffer Size"

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
        /// The longest ACL payload, in bytes.
        public var aclDataLength: UInt16
        /// The longest synchronous payload, in bytes.
        public var synchronousDataLength: UInt8
        /// The number of ACL buffers.
        public var aclPacketCount: UInt16
        /// The number of synchronous buffers.
        public var synchronousPacketCount: UInt16

        /// An answer with these values.
        public init(
            status: HCIErrorCode, aclDataLength: UInt16, synchronousDataLength: UInt8, aclPacketCount: UInt16,
            synchronousPacketCount: UInt16
        ) {
            self.status = status
            self.aclDataLength = aclDataLength
            self.synchronousDataLength = synchronousDataLength
            self.aclPacketCount = aclPacketCount
            self.synchronousPacketCount = synchronousPacketCount
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            aclDataLength = try reader.uint16()
            synchronousDataLength = try reader.uint8()
            aclPacketCount = try reader.uint16()
            synchronousPacketCount = try reader.uint16()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(aclDataLength)
            writer.uint8(synchronousDataLength)
            writer.uint16(aclPacketCount)
            writer.uint16(synchronousPacketCount)
        }
    }
}

/// Reads the public address (Core 5.4, Vol 4 Part E 7.4.6).
public struct HCIReadBDADDR: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.readBDADDR
    /// The name in errors.
    public static let name: StaticString = "HCI Read BD_ADDR"

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
        /// The public address.
        public var address: DeviceAddress

        /// An answer with these values.
        public init(status: HCIErrorCode, address: DeviceAddress) {
            self.status = status
            self.address = address
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            address = try DeviceAddress(from: &reader, .public)
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            address.write(to: &writer)
        }
    }
}

/// Reads one page of the LMP features (Core 5.4, Vol 4 Part E 7.4.4).
public struct HCIReadLocalExtendedFeatures: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.readLocalExtendedFeatures
    /// The name in errors.
    public static let name: StaticString = "HCI Read Local Extended Features"

    /// The page.
    public var page: UInt8

    /// The command with these parameters.
    public init(page: UInt8) {
        self.page = page
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        page = try reader.uint8()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(page)
    }

    /// The return parameters.
    public struct ReturnParameters: HCIReturnParameters {
        /// Whether it succeeded.
        public var status: HCIErrorCode
        /// The page.
        public var page: UInt8
        /// The last page there is.
        public var maximumPage: UInt8
        /// The features of the page.
        public var features: UInt64

        /// An answer with these values.
        public init(status: HCIErrorCode, page: UInt8, maximumPage: UInt8, features: UInt64) {
            self.status = status
            self.page = page
            self.maximumPage = maximumPage
            self.features = features
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            page = try reader.uint8()
            maximumPage = try reader.uint8()
            features = try reader.uint64()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint8(page)
            writer.uint8(maximumPage)
            writer.uint64(features)
        }
    }
}

/// Resets the controller (Core 5.4, Vol 4 Part E 7.3.2).
public struct HCIReset: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.reset
    /// The name in errors.
    public static let name: StaticString = "HCI Reset"

    /// The command, which has no parameters.
    public init() {}

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {}
}
