import BLECore
import ByteCodec

/// Reads the size of the accept list (Core 5.4, Vol 4 Part E 7.8.14).
package struct HCILEReadFilterAcceptListSize: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leReadFilterAcceptListSize
    package static let name: StaticString = "HCI LE Read Filter Accept List Size"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The number of entries.
        package var size: UInt8

        /// An answer with these values.
        package init(status: HCIErrorCode, size: UInt8) {
            self.status = status
            self.size = size
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            size = try reader.uint8()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint8(size)
        }
    }
}

/// Empties the accept list (Core 5.4, Vol 4 Part E 7.8.15).
package struct HCILEClearFilterAcceptList: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leClearFilterAcceptList
    package static let name: StaticString = "HCI LE Clear Filter Accept List"

    package init() {}
}

/// Adds a device to the accept list (Core 5.4, Vol 4 Part E 7.8.16).
package struct HCILEAddDeviceToFilterAcceptList: HCICommand {
    package static let opcode = HCIOpcode.leAddDeviceToFilterAcceptList
    package static let name: StaticString = "HCI LE Add Device To Filter Accept List"

    /// The device.
    package var address: DeviceAddress

    package init(address: DeviceAddress) {
        self.address = address
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        address = try DeviceAddress(fromTypeAndAddress: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        address.writeTypeAndAddress(to: &writer)
    }
}

/// Removes a device from the accept list (Core 5.4, Vol 4 Part E 7.8.17).
package struct HCILERemoveDeviceFromFilterAcceptList: HCICommand {
    package static let opcode = HCIOpcode.leRemoveDeviceFromFilterAcceptList
    package static let name: StaticString = "HCI LE Remove Device From Filter Accept List"

    /// The device.
    package var address: DeviceAddress

    package init(address: DeviceAddress) {
        self.address = address
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        address = try DeviceAddress(fromTypeAndAddress: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        address.writeTypeAndAddress(to: &writer)
    }
}
