import BLECore
import ByteCodec

/// Sets the random address of an advertising set (Core 5.4, Vol 4 Part E 7.8.52).
package struct HCILESetAdvertisingSetRandomAddress: HCICommand {
    package static let opcode = HCIOpcode.leSetAdvertisingSetRandomAddress
    package static let name: StaticString = "HCI LE Set Advertising Set Random Address"

    /// The advertising set; 0x00...0xEF.
    package var advertisingHandle: UInt8
    /// The random address.
    package var address: DeviceAddress

    package init(advertisingHandle: UInt8, address: DeviceAddress) {
        self.advertisingHandle = advertisingHandle
        self.address = address
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        advertisingHandle = try reader.uint8()
        address = try DeviceAddress(from: &reader, .random)
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(advertisingHandle)
        address.write(to: &writer)
    }
}

/// Reads the maximum data length of an advertising set (Core 5.4, Vol 4 Part E 7.8.57).
package struct HCILEReadMaximumAdvertisingDataLength: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leReadMaximumAdvertisingDataLength
    package static let name: StaticString = "HCI LE Read Maximum Advertising Data Length"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// In bytes; 31...1650.
        package var length: UInt16

        /// An answer with these values.
        package init(status: HCIErrorCode, length: UInt16) {
            self.status = status
            self.length = length
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            length = try reader.uint16()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(length)
        }
    }
}

/// Reads the number of supported advertising sets (Core 5.4, Vol 4 Part E 7.8.58).
package struct HCILEReadNumberOfSupportedAdvertisingSets: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leReadNumberOfSupportedAdvertisingSets
    package static let name: StaticString = "HCI LE Read Number Of Supported Advertising Sets"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The number of sets.
        package var count: UInt8

        /// An answer with these values.
        package init(status: HCIErrorCode, count: UInt8) {
            self.status = status
            self.count = count
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            count = try reader.uint8()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint8(count)
        }
    }
}

/// Removes an advertising set (Core 5.4, Vol 4 Part E 7.8.59).
package struct HCILERemoveAdvertisingSet: HCICommand {
    package static let opcode = HCIOpcode.leRemoveAdvertisingSet
    package static let name: StaticString = "HCI LE Remove Advertising Set"

    /// The advertising set; 0x00...0xEF.
    package var advertisingHandle: UInt8

    package init(advertisingHandle: UInt8) {
        self.advertisingHandle = advertisingHandle
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        advertisingHandle = try reader.uint8()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(advertisingHandle)
    }
}

/// Removes all advertising sets (Core 5.4, Vol 4 Part E 7.8.60).
package struct HCILEClearAdvertisingSets: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leClearAdvertisingSets
    package static let name: StaticString = "HCI LE Clear Advertising Sets"

    package init() {}
}

/// An advertising set has terminated (Core 5.4, Vol 4 Part E 7.7.65.18).
package struct HCILEAdvertisingSetTerminated: HCIEvent {
    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .advertisingSetTerminated
    package static let name: StaticString = "HCI LE Advertising Set Terminated"

    /// Success: ended by a connection; otherwise the reason.
    package var status: HCIErrorCode
    /// The advertising set; 0x00...0xEF.
    package var advertisingHandle: UInt8
    /// The connection, if the set ended by one.
    package var handle: UInt16
    /// The number of completed advertising events, if they were limited.
    package var completedEventCount: UInt8

    package init(status: HCIErrorCode, advertisingHandle: UInt8, handle: UInt16, completedEventCount: UInt8) {
        self.status = status
        self.advertisingHandle = advertisingHandle
        self.handle = handle
        self.completedEventCount = completedEventCount
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        advertisingHandle = try reader.uint8()
        handle = try reader.uint16()
        completedEventCount = try reader.uint8()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint8(advertisingHandle)
        writer.uint16(handle)
        writer.uint8(completedEventCount)
    }
}
