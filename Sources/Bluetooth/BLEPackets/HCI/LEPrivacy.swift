import BLECore
import ByteCodec

/// Enables or disables address resolution (Core 5.4, Vol 4 Part E 7.8.44).
package struct HCILESetAddressResolutionEnable: HCICommand {
    package static let opcode = HCIOpcode.leSetAddressResolutionEnable
    package static let name: StaticString = "HCI LE Set Address Resolution Enable"

    /// True if private addresses are resolved and generated.
    package var isEnabled: Bool

    package init(isEnabled: Bool) {
        self.isEnabled = isEnabled
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        isEnabled = try reader.hciBool("isEnabled")
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(isEnabled ? 1 : 0)
    }
}

/// Sets the lifetime of private addresses (Core 5.4, Vol 4 Part E 7.8.45).
package struct HCILESetResolvablePrivateAddressTimeout: HCICommand {
    package static let opcode = HCIOpcode.leSetResolvablePrivateAddressTimeout
    package static let name: StaticString = "HCI LE Set Resolvable Private Address Timeout"

    /// In seconds; 0x0001...0x0E10.
    package var timeout: UInt16

    package init(timeout: UInt16) {
        self.timeout = timeout
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        timeout = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(timeout)
    }
}

/// Sets the privacy mode of a peer (Core 5.4, Vol 4 Part E 7.8.77).
package struct HCILESetPrivacyMode: HCICommand {
    package static let opcode = HCIOpcode.leSetPrivacyMode
    package static let name: StaticString = "HCI LE Set Privacy Mode"

    /// The peer's identity address.
    package var peer: DeviceAddress
    /// The privacy mode.
    package var mode: HCIPrivacyMode

    package init(peer: DeviceAddress, mode: HCIPrivacyMode) {
        self.peer = peer
        self.mode = mode
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        peer = try DeviceAddress(fromTypeAndAddress: &reader)
        mode = HCIPrivacyMode(rawValue: try reader.uint8())
    }

    package func write(to writer: inout ByteWriter) {
        peer.writeTypeAndAddress(to: &writer)
        writer.uint8(mode.rawValue)
    }
}

/// A privacy mode (Core 5.4, Vol 4 Part E 7.8.77); open for any value.
package struct HCIPrivacyMode: RawRepresentable, Hashable, Sendable {
    /// The octet.
    package let rawValue: UInt8

    /// A mode by number.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The peer must use private addresses.
    package static let network = HCIPrivacyMode(rawValue: 0)
    /// The peer may use its identity address as well.
    package static let device = HCIPrivacyMode(rawValue: 1)
}

/// Reads a peer's private address (Core 5.4, Vol 4 Part E 7.8.42).
package struct HCILEReadPeerResolvableAddress: HCICommand {
    package static let opcode = HCIOpcode.leReadPeerResolvableAddress
    package static let name: StaticString = "HCI LE Read Peer Resolvable Address"

    /// The peer's identity address.
    package var peer: DeviceAddress

    package init(peer: DeviceAddress) {
        self.peer = peer
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        peer = try DeviceAddress(fromTypeAndAddress: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        peer.writeTypeAndAddress(to: &writer)
    }

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The private address; 0 if none was seen.
        package var address: DeviceAddress

        /// An answer with these values.
        package init(status: HCIErrorCode, address: DeviceAddress) {
            self.status = status
            self.address = address
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            address = try DeviceAddress(from: &reader, .random)
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            address.write(to: &writer)
        }
    }
}

/// Reads this device's private address for a peer (Core 5.4, Vol 4 Part E 7.8.43).
package struct HCILEReadLocalResolvableAddress: HCICommand {
    package static let opcode = HCIOpcode.leReadLocalResolvableAddress
    package static let name: StaticString = "HCI LE Read Local Resolvable Address"

    /// The peer's identity address.
    package var peer: DeviceAddress

    package init(peer: DeviceAddress) {
        self.peer = peer
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        peer = try DeviceAddress(fromTypeAndAddress: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        peer.writeTypeAndAddress(to: &writer)
    }

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The private address; 0 if none was used.
        package var address: DeviceAddress

        /// An answer with these values.
        package init(status: HCIErrorCode, address: DeviceAddress) {
            self.status = status
            self.address = address
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            address = try DeviceAddress(from: &reader, .random)
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            address.write(to: &writer)
        }
    }
}

/// Adds a peer to the resolving list: the controller resolves its private addresses, and generates its own for it (Core
/// 5.4, Vol 4 Part E 7.8.38).
package struct HCILEAddDeviceToResolvingList: HCICommand {
    package static let opcode = HCIOpcode.leAddDeviceToResolvingList
    package static let name: StaticString = "HCI LE Add Device To Resolving List"

    /// The peer's identity address.
    package var peer: DeviceAddress
    /// The peer's identity resolving key: 16 bytes, least significant first; all 0: none.
    package var peerIRK: ArraySlice<UInt8>
    /// The own identity resolving key: 16 bytes, least significant first; all 0: none.
    package var localIRK: ArraySlice<UInt8>

    package init(peer: DeviceAddress, peerIRK: ArraySlice<UInt8>, localIRK: ArraySlice<UInt8>) {
        self.peer = peer
        self.peerIRK = peerIRK
        self.localIRK = localIRK
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        peer = try DeviceAddress(fromTypeAndAddress: &reader)
        peerIRK = try reader.slice(16)
        localIRK = try reader.slice(16)
    }

    package func write(to writer: inout ByteWriter) {
        peer.writeTypeAndAddress(to: &writer)
        writer.hciFixed(peerIRK, 16)
        writer.hciFixed(localIRK, 16)
    }
}

/// Removes a device from the resolving list (Core 5.4, Vol 4 Part E 7.8.39).
package struct HCILERemoveDeviceFromResolvingList: HCICommand {
    package static let opcode = HCIOpcode.leRemoveDeviceFromResolvingList
    package static let name: StaticString = "HCI LE Remove Device From Resolving List"

    /// The peer's identity address.
    package var peer: DeviceAddress

    package init(peer: DeviceAddress) {
        self.peer = peer
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        peer = try DeviceAddress(fromTypeAndAddress: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        peer.writeTypeAndAddress(to: &writer)
    }
}

/// Empties the resolving list (Core 5.4, Vol 4 Part E 7.8.40).
package struct HCILEClearResolvingList: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leClearResolvingList
    package static let name: StaticString = "HCI LE Clear Resolving List"

    package init() {}
}

/// Reads the size of the resolving list (Core 5.4, Vol 4 Part E 7.8.41).
package struct HCILEReadResolvingListSize: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leReadResolvingListSize
    package static let name: StaticString = "HCI LE Read Resolving List Size"

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
