public import BLECore
public import ByteCodec

/// Adds a peer to the resolving list: the controller resolves its private addresses, and generates its own for it (Core
/// 5.4, Vol 4 Part E 7.8.38).
public struct HCILEAddDeviceToResolvingList: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leAddDeviceToResolvingList
    /// The name in errors.
    public static let name: StaticString = "HCI LE Add Device To Resolving List"

    /// The peer's identity address.
    public var peer: DeviceAddress
    /// The peer's identity resolving key: 16 bytes, least significant first; all 0: none.
    public var peerIRK: ArraySlice<UInt8>
    /// The own identity resolving key: 16 bytes, least significant first; all 0: none.
    public var localIRK: ArraySlice<UInt8>

    /// The command with these parameters.
    public init(peer: DeviceAddress, peerIRK: ArraySlice<UInt8>, localIRK: ArraySlice<UInt8>) {
        self.peer = peer
        self.peerIRK = peerIRK
        self.localIRK = localIRK
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        peer = try DeviceAddress(fromTypeAndAddress: &reader)
        peerIRK = try reader.slice(16)
        localIRK = try reader.slice(16)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        peer.writeTypeAndAddress(to: &writer)
        writer.hciFixed(peerIRK, 16)
        writer.hciFixed(localIRK, 16)
    }
}

/// Removes a device from the resolving list (Core 5.4, Vol 4 Part E 7.8.39).
public struct HCILERemoveDeviceFromResolvingList: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leRemoveDeviceFromResolvingList
    /// The name in errors.
    public static let name: StaticString = "HCI LE Remove Device From Resolving List"

    /// The peer's identity address.
    public var peer: DeviceAddress

    /// The command with these parameters.
    public init(peer: DeviceAddress) {
        self.peer = peer
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        peer = try DeviceAddress(fromTypeAndAddress: &reader)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        peer.writeTypeAndAddress(to: &writer)
    }
}

/// Empties the resolving list (Core 5.4, Vol 4 Part E 7.8.40).
public struct HCILEClearResolvingList: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leClearResolvingList
    /// The name in errors.
    public static let name: StaticString = "HCI LE Clear Resolving List"

    /// The command, which has no parameters.
    public init() {}

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {}
}

/// Reads the size of the resolving list (Core 5.4, Vol 4 Part E 7.8.41).
public struct HCILEReadResolvingListSize: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadResolvingListSize
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Resolving List Size"

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
