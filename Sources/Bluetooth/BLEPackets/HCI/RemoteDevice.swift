import ByteCodec

/// Reads the link layer version of the peer (Core 5.4, Vol 4 Part E 7.1.23).
package struct HCIReadRemoteVersionInformation: HCIConnectionCommand {
    package static let opcode = HCIOpcode.readRemoteVersionInformation
    package static let name: StaticString = "HCI Read Remote Version Information"

    /// The connection.
    package var handle: UInt16

    package init(handle: UInt16) {
        self.handle = handle
    }
}

/// The link layer version of the peer (Core 5.4, Vol 4 Part E 7.7.12).
package struct HCIReadRemoteVersionInformationComplete: HCIEvent {
    /// The event code.
    package static let code = HCIEventCode.readRemoteVersionInformationComplete
    package static let name: StaticString = "HCI Read Remote Version Information Complete"

    /// The result: success or an error code.
    package var status: HCIErrorCode
    /// The connection.
    package var handle: UInt16
    /// The link layer version; 8 is 4.2, 9 is 5.0.
    package var version: UInt8
    /// The manufacturer of the peer's controller.
    package var companyIdentifier: UInt16
    /// The manufacturer's revision.
    package var subversion: UInt16

    package init(status: HCIErrorCode, handle: UInt16, version: UInt8, companyIdentifier: UInt16, subversion: UInt16) {
        self.status = status
        self.handle = handle
        self.version = version
        self.companyIdentifier = companyIdentifier
        self.subversion = subversion
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        version = try reader.uint8()
        companyIdentifier = try reader.uint16()
        subversion = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
        writer.uint8(version)
        writer.uint16(companyIdentifier)
        writer.uint16(subversion)
    }
}

/// Reads the link layer features of the peer (Core 5.4, Vol 4 Part E 7.8.21).
package struct HCILEReadRemoteFeatures: HCIConnectionCommand {
    package static let opcode = HCIOpcode.leReadRemoteFeatures
    package static let name: StaticString = "HCI LE Read Remote Features"

    /// The connection.
    package var handle: UInt16

    package init(handle: UInt16) {
        self.handle = handle
    }
}

/// The link layer features of the peer (Core 5.4, Vol 4 Part E 7.7.65.4).
package struct HCILEReadRemoteFeaturesComplete: HCIEvent {
    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .readRemoteFeaturesComplete
    package static let name: StaticString = "HCI LE Read Remote Features Complete"

    /// The result: success or an error code.
    package var status: HCIErrorCode
    /// The connection.
    package var handle: UInt16
    /// The features (Vol 6 Part B 4.6).
    package var features: UInt64

    package init(status: HCIErrorCode, handle: UInt16, features: UInt64) {
        self.status = status
        self.handle = handle
        self.features = features
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        features = try reader.uint64()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
        writer.uint64(features)
    }
}

/// Reads the RSSI of the peer (Core 5.4, Vol 4 Part E 7.5.4).
package struct HCIReadRSSI: HCIConnectionCommand {
    package static let opcode = HCIOpcode.readRSSI
    package static let name: StaticString = "HCI Read RSSI"

    /// The connection.
    package var handle: UInt16

    package init(handle: UInt16) {
        self.handle = handle
    }

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The connection.
        package var handle: UInt16
        /// In dBm; 127 is unknown.
        package var rssi: Int8

        /// An answer with these values.
        package init(status: HCIErrorCode, handle: UInt16, rssi: Int8) {
            self.status = status
            self.handle = handle
            self.rssi = rssi
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            handle = try reader.uint16()
            rssi = try reader.int8()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(handle)
            writer.int8(rssi)
        }
    }
}
