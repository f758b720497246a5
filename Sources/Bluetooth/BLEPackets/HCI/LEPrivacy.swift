public import BLECore
public import ByteCodec

/// Enables or disables address resolution (Core 5.4, Vol 4 Part E 7.8.44).
public struct HCILESetAddressResolutionEnable: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetAddressResolutionEnable
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Address Resolution Enable"

    /// Whether private addresses are resolved and generated.
    public var isEnabled: Bool

    /// The command with these parameters.
    public init(isEnabled: Bool) {
        self.isEnabled = isEnabled
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        isEnabled = try reader.hciBool("isEnabled")
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(isEnabled ? 1 : 0)
    }
}

/// Sets the lifetime of private addresses (Core 5.4, Vol 4 Part E 7.8.45).
public struct HCILESetResolvablePrivateAddressTimeout: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetResolvablePrivateAddressTimeout
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Resolvable Private Address Timeout"

    /// In seconds; 0x0001...0x0E10.
    public var timeout: UInt16

    /// The command with these parameters.
    public init(timeout: UInt16) {
        self.timeout = timeout
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        timeout = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(timeout)
    }
}

/// Sets the privacy mode of a peer (Core 5.4, Vol 4 Part E 7.8.77).
public struct HCILESetPrivacyMode: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetPrivacyMode
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Privacy Mode"

    /// The peer's identity address.
    public var peer: DeviceAddress
    /// The privacy mode.
    public var mode: HCIPrivacyMode

    /// The command with these parameters.
    public init(peer: DeviceAddress, mode: HCIPrivacyMode) {
        self.peer = peer
        self.mode = mode
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        peer = try DeviceAddress(fromTypeAndAddress: &reader)
        mode = HCIPrivacyMode(rawValue: try reader.uint8())
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        peer.writeTypeAndAddress(to: &writer)
        writer.uint8(mode.rawValue)
    }
}

/// A privacy mode (Core 5.4, Vol 4 Part E 7.8.77); open for any value.
public struct HCIPrivacyMode: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// A mode by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The peer must use private addresses.
    public static let network = HCIPrivacyMode(rawValue: 0)
    /// The peer may use its identity address as well.
    public static let device = HCIPrivacyMode(rawValue: 1)
}

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
