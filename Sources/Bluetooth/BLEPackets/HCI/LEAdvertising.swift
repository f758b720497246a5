import BLECore
import ByteCodec

/// Sets the advertising parameters (Core 5.4, Vol 4 Part E 7.8.5).
package struct HCILESetAdvertisingParameters: HCICommand {
    package static let opcode = HCIOpcode.leSetAdvertisingParameters
    package static let name: StaticString = "HCI LE Set Advertising Parameters"

    /// The shortest interval, in 0.625 ms; 0x0020...0x4000.
    package var minimumInterval: UInt16
    /// The longest interval, in 0.625 ms; 0x0020...0x4000.
    package var maximumInterval: UInt16
    /// The advertising type.
    package var type: HCIAdvertisingType
    /// The own address type.
    package var ownAddressType: HCIOwnAddressType
    /// The target of directed advertising.
    package var peerAddress: DeviceAddress
    /// Bit 0 is channel 37, bit 1 is 38, bit 2 is 39.
    package var channelMap: UInt8
    /// Bit 0: only scan requests from the accept list, bit 1: only connection requests from the accept list.
    package var filterPolicy: UInt8

    package init(
        minimumInterval: UInt16, maximumInterval: UInt16, type: HCIAdvertisingType,
        ownAddressType:
            HCIOwnAddressType, peerAddress: DeviceAddress, channelMap: UInt8, filterPolicy: UInt8
    ) {
        self.minimumInterval = minimumInterval
        self.maximumInterval = maximumInterval
        self.type = type
        self.ownAddressType = ownAddressType
        self.peerAddress = peerAddress
        self.channelMap = channelMap
        self.filterPolicy = filterPolicy
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        minimumInterval = try reader.uint16()
        maximumInterval = try reader.uint16()
        type = HCIAdvertisingType(rawValue: try reader.uint8())
        ownAddressType = HCIOwnAddressType(rawValue: try reader.uint8())
        peerAddress = try DeviceAddress(fromTypeAndAddress: &reader)
        channelMap = try reader.uint8()
        filterPolicy = try reader.uint8()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(minimumInterval)
        writer.uint16(maximumInterval)
        writer.uint8(type.rawValue)
        writer.uint8(ownAddressType.rawValue)
        peerAddress.writeTypeAndAddress(to: &writer)
        writer.uint8(channelMap)
        writer.uint8(filterPolicy)
    }
}

/// Reads the transmit power of advertising (Core 5.4, Vol 4 Part E 7.8.6).
package struct HCILEReadAdvertisingPhysicalChannelTxPower: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leReadAdvertisingPhysicalChannelTxPower
    package static let name: StaticString = "HCI LE Read Advertising Physical Channel Tx Power"

    package init() {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// In dBm.
        package var txPower: Int8

        /// An answer with these values.
        package init(status: HCIErrorCode, txPower: Int8) {
            self.status = status
            self.txPower = txPower
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            txPower = try reader.int8()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.int8(txPower)
        }
    }
}

/// Sets the advertising data (Core 5.4, Vol 4 Part E 7.8.7).
package struct HCILESetAdvertisingData: HCICommand {
    package static let opcode = HCIOpcode.leSetAdvertisingData
    package static let name: StaticString = "HCI LE Set Advertising Data"

    /// At most 31 bytes; further bytes are not sent.
    package var data: ArraySlice<UInt8>

    package init(data: ArraySlice<UInt8>) {
        self.data = data
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        data = try reader.hciAdvertisingData()
    }

    package func write(to writer: inout ByteWriter) {
        writer.hciAdvertisingData(data)
    }
}

/// Sets the scan response data (Core 5.4, Vol 4 Part E 7.8.8).
package struct HCILESetScanResponseData: HCICommand {
    package static let opcode = HCIOpcode.leSetScanResponseData
    package static let name: StaticString = "HCI LE Set Scan Response Data"

    /// At most 31 bytes; further bytes are not sent.
    package var data: ArraySlice<UInt8>

    package init(data: ArraySlice<UInt8>) {
        self.data = data
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        data = try reader.hciAdvertisingData()
    }

    package func write(to writer: inout ByteWriter) {
        writer.hciAdvertisingData(data)
    }
}

/// Starts or stops advertising (Core 5.4, Vol 4 Part E 7.8.9).
package struct HCILESetAdvertisingEnable: HCICommand {
    package static let opcode = HCIOpcode.leSetAdvertisingEnable
    package static let name: StaticString = "HCI LE Set Advertising Enable"

    /// True to advertise.
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

/// The controller received a scan request for an advertising set (Core 5.4, Vol 4 Part E 7.7.65.19).
package struct HCILEScanRequestReceived: HCIEvent {
    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .scanRequestReceived
    package static let name: StaticString = "HCI LE Scan Request Received"

    /// The advertising set.
    package var advertisingHandle: UInt8
    /// The requesting scanner.
    package var scanner: DeviceAddress
    /// True if ``scanner`` is an identity that the controller has resolved.
    package var isResolved: Bool

    package init(advertisingHandle: UInt8, scanner: DeviceAddress, isResolved: Bool = false) {
        self.advertisingHandle = advertisingHandle
        self.scanner = scanner
        self.isResolved = isResolved
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        advertisingHandle = try reader.uint8()
        (scanner, isResolved) = try reader.hciResolvedAddress()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(advertisingHandle)
        writer.hciAddress(scanner, isResolved: isResolved)
    }
}
