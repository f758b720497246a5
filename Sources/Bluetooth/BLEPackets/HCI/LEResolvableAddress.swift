public import BLECore
public import ByteCodec

/// Reads a peer's private address (Core 5.4, Vol 4 Part E 7.8.42).
public struct HCILEReadPeerResolvableAddress: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadPeerResolvableAddress
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Peer Resolvable Address"

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

    /// The return parameters.
    public struct ReturnParameters: HCIReturnParameters {
        /// Whether it succeeded.
        public var status: HCIErrorCode
        /// The private address; 0 where none was seen.
        public var address: DeviceAddress

        /// An answer with these values.
        public init(status: HCIErrorCode, address: DeviceAddress) {
            self.status = status
            self.address = address
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            address = try DeviceAddress(from: &reader, .random)
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            address.write(to: &writer)
        }
    }
}

/// Reads this device's private address for a peer (Core 5.4, Vol 4 Part E 7.8.43).
public struct HCILEReadLocalResolvableAddress: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadLocalResolvableAddress
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Local Resolvable Address"

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

    /// The return parameters.
    public struct ReturnParameters: HCIReturnParameters {
        /// Whether it succeeded.
        public var status: HCIErrorCode
        /// The private address; 0 where none was used.
        public var address: DeviceAddress

        /// An answer with these values.
        public init(status: HCIErrorCode, address: DeviceAddress) {
            self.status = status
            self.address = address
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            address = try DeviceAddress(from: &reader, .random)
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            address.write(to: &writer)
        }
    }
}
