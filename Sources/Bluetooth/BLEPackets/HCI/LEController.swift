import BLECore
import ByteCodec

/// Reads the controller's LE buffers (Core 5.4, Vol 4 Part E 7.8.2).
package struct HCILEReadBufferSize: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leReadBufferSize
    package static let name: StaticString = "HCI LE Read Buffer Size"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The longest ACL payload, in bytes; 0: shared with BR/EDR.
        package var aclDataLength: UInt16
        /// The number of ACL buffers.
        package var aclPacketCount: UInt8

        /// An answer with these values.
        package init(status: HCIErrorCode, aclDataLength: UInt16, aclPacketCount: UInt8) {
            self.status = status
            self.aclDataLength = aclDataLength
            self.aclPacketCount = aclPacketCount
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            aclDataLength = try reader.uint16()
            aclPacketCount = try reader.uint8()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(aclDataLength)
            writer.uint8(aclPacketCount)
        }
    }
}

/// Reads the link layer features (Core 5.4, Vol 4 Part E 7.8.3).
package struct HCILEReadLocalSupportedFeatures: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leReadLocalSupportedFeatures
    package static let name: StaticString = "HCI LE Read Local Supported Features"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The features (Vol 6 Part B 4.6).
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

/// Sets the address for own address type "random" (Core 5.4, Vol 4 Part E 7.8.4).
package struct HCILESetRandomAddress: HCICommand {
    package static let opcode = HCIOpcode.leSetRandomAddress
    package static let name: StaticString = "HCI LE Set Random Address"

    /// The random address.
    package var address: DeviceAddress

    package init(address: DeviceAddress) {
        self.address = address
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        address = try DeviceAddress(from: &reader, .random)
    }

    package func write(to writer: inout ByteWriter) {
        address.write(to: &writer)
    }
}

/// Requests random bytes (Core 5.4, Vol 4 Part E 7.8.23).
package struct HCILERand: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leRand
    package static let name: StaticString = "HCI LE Rand"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// Eight random bytes.
        package var random: UInt64

        /// An answer with these values.
        package init(status: HCIErrorCode, random: UInt64) {
            self.status = status
            self.random = random
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            random = try reader.uint64()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint64(random)
        }
    }
}

/// Reads the supported combinations of link layer states (Core 5.4, Vol 4 Part E 7.8.27).
package struct HCILEReadSupportedStates: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leReadSupportedStates
    package static let name: StaticString = "HCI LE Read Supported States"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The states and their combinations.
        package var states: UInt64

        /// An answer with these values.
        package init(status: HCIErrorCode, states: UInt64) {
            self.status = status
            self.states = states
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            states = try reader.uint64()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint64(states)
        }
    }
}
