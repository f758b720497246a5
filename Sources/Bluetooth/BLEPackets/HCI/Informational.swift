import BLECore
import ByteCodec

/// Reads the versions of the controller (Core 5.4, Vol 4 Part E 7.4.1).
package struct HCIReadLocalVersionInformation: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.readLocalVersionInformation
    package static let name: StaticString = "HCI Read Local Version Information"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The HCI version; 8 is 4.2, 9 is 5.0.
        package var hciVersion: UInt8
        /// The manufacturer's revision of the HCI.
        package var hciSubversion: UInt16
        /// The link layer version.
        package var lmpVersion: UInt8
        /// The manufacturer of the controller.
        package var companyIdentifier: UInt16
        /// The manufacturer's revision of the link layer.
        package var lmpSubversion: UInt16

        /// An answer with these values.
        package init(
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

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            hciVersion = try reader.uint8()
            hciSubversion = try reader.uint16()
            lmpVersion = try reader.uint8()
            companyIdentifier = try reader.uint16()
            lmpSubversion = try reader.uint16()
        }

        package func write(to writer: inout ByteWriter) {
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
package struct HCIReadLocalSupportedCommands: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.readLocalSupportedCommands
    package static let name: StaticString = "HCI Read Local Supported Commands"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// 64 bytes of flags, laid out by 6.27.
        package var commands: ArraySlice<UInt8>

        /// An answer with these values.
        package init(status: HCIErrorCode, commands: ArraySlice<UInt8>) {
            self.status = status
            self.commands = commands
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            commands = try reader.slice(64)
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.append(commands)
        }
    }
}

/// Reads page 0 of the LMP features (Core 5.4, Vol 4 Part E 7.4.3).
package struct HCIReadLocalSupportedFeatures: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.readLocalSupportedFeatures
    package static let name: StaticString = "HCI Read Local Supported Features"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The features; bit 37 BR/EDR not supported, bit 38 LE supported.
        package var features: UInt64

        /// An answer with these values.
        package init(status: HCIErrorCode, features: UInt64) {
            self.status = status
            self.features = features
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            features = try reader.uint64()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint64(features)
        }
    }
}

/// Reads the controller's buffers, used if LE has no separate ones (Core 5.4, Vol 4 Part E 7.4.5).
package struct HCIReadBufferSize: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.readBufferSize
    package static let name: StaticString = "HCI Read Buffer Size"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The longest ACL payload, in bytes.
        package var aclDataLength: UInt16
        /// The longest synchronous payload, in bytes.
        package var synchronousDataLength: UInt8
        /// The number of ACL buffers.
        package var aclPacketCount: UInt16
        /// The number of synchronous buffers.
        package var synchronousPacketCount: UInt16

        /// An answer with these values.
        package init(
            status: HCIErrorCode, aclDataLength: UInt16, synchronousDataLength: UInt8, aclPacketCount: UInt16,
            synchronousPacketCount: UInt16
        ) {
            self.status = status
            self.aclDataLength = aclDataLength
            self.synchronousDataLength = synchronousDataLength
            self.aclPacketCount = aclPacketCount
            self.synchronousPacketCount = synchronousPacketCount
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            aclDataLength = try reader.uint16()
            synchronousDataLength = try reader.uint8()
            aclPacketCount = try reader.uint16()
            synchronousPacketCount = try reader.uint16()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(aclDataLength)
            writer.uint8(synchronousDataLength)
            writer.uint16(aclPacketCount)
            writer.uint16(synchronousPacketCount)
        }
    }
}

/// Reads the public address (Core 5.4, Vol 4 Part E 7.4.6).
package struct HCIReadBDADDR: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.readBDADDR
    package static let name: StaticString = "HCI Read BD_ADDR"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The public address.
        package var address: DeviceAddress

        /// An answer with these values.
        package init(status: HCIErrorCode, address: DeviceAddress) {
            self.status = status
            self.address = address
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            address = try DeviceAddress(from: &reader, .public)
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            address.write(to: &writer)
        }
    }
}

/// Reads one page of the LMP features (Core 5.4, Vol 4 Part E 7.4.4).
package struct HCIReadLocalExtendedFeatures: HCICommand {
    package static let opcode = HCIOpcode.readLocalExtendedFeatures
    package static let name: StaticString = "HCI Read Local Extended Features"

    /// The page.
    package var page: UInt8

    package init(page: UInt8) {
        self.page = page
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        page = try reader.uint8()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(page)
    }

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The page.
        package var page: UInt8
        /// The last available page.
        package var maximumPage: UInt8
        /// The features of the page.
        package var features: UInt64

        /// An answer with these values.
        package init(status: HCIErrorCode, page: UInt8, maximumPage: UInt8, features: UInt64) {
            self.status = status
            self.page = page
            self.maximumPage = maximumPage
            self.features = features
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            page = try reader.uint8()
            maximumPage = try reader.uint8()
            features = try reader.uint64()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint8(page)
            writer.uint8(maximumPage)
            writer.uint64(features)
        }
    }
}

/// Resets the controller (Core 5.4, Vol 4 Part E 7.3.2).
package struct HCIReset: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.reset
    package static let name: StaticString = "HCI Reset"

    package init() {}
}
