public import BLECore
public import ByteCodec

/// Reads the size of the accept list (Core 5.4, Vol 4 Part E 7.8.14).
public struct HCILEReadFilterAcceptListSize: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadFilterAcceptListSize
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Filter Accept List Size"

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
        /// The number of entries.
        public var size: UInt8

        /// An answer with these values.
        public init(status: HCIErrorCode, size: UInt8) {
            self.status = status
            self.size = size
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            size = try reader.uint8()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint8(size)
        }
    }
}

/// Empties the accept list (Core 5.4, Vol 4 Part E 7.8.15).
public struct HCILEClearFilterAcceptList: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leClearFilterAcceptList
    /// The name in errors.
    public static let name: StaticString = "HCI LE Clear Filter Accept List"

    /// The command, which has no parameters.
    public init() {}

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {}
}

/// Adds a device to the accept list (Core 5.4, Vol 4 Part E 7.8.16).
public struct HCILEAddDeviceToFilterAcceptList: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leAddDeviceToFilterAcceptList
    /// The name in errors.
    public static let name: StaticString = "HCI LE Add Device To Filter Accept List"

    /// The device.
    public var address: DeviceAddress

    /// The command with these parameters.
    public init(address: DeviceAddress) {
        self.address = address
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        address = try DeviceAddress(fromTypeAndAddress: &reader)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        address.writeTypeAndAddress(to: &writer)
    }
}

/// Removes a device from the accept list (Core 5.4, Vol 4 Part E 7.8.17).
public struct HCILERemoveDeviceFromFilterAcceptList: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leRemoveDeviceFromFilterAcceptList
    /// The name in errors.
    public static let name: StaticString = "HCI LE Remove Device From Filter Accept List"

    /// The device.
    public var address: DeviceAddress

    /// The command with these parameters.
    public init(address: DeviceAddress) {
        self.address = address
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        address = try DeviceAddress(fromTypeAndAddress: &reader)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        address.writeTypeAndAddress(to: &writer)
    }
}
