public import BLECore
public import ByteCodec

/// Sets the advertising parameters (Core 5.4, Vol 4 Part E 7.8.5).
public struct HCILESetAdvertisingParameters: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetAdvertisingParameters
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Advertising Parameters"

    /// The shortest interval, in 0.625 ms; 0x0020...0x4000.
    public var minimumInterval: UInt16
    /// The longest interval, in 0.625 ms; 0x0020...0x4000.
    public var maximumInterval: UInt16
    /// The advertising type.
    public var type: HCIAdvertisingType
    /// The own address type.
    public var ownAddressType: HCIOwnAddressType
    /// The target of directed advertising.
    public var peerAddress: DeviceAddress
    /// Bit 0 is channel 37, bit 1 is 38, bit 2 is 39.
    public var channelMap: UInt8
    /// Bit 0: scan requests, bit 1: connection requests from the accept list only.
    public var filterPolicy: UInt8

    /// The command with these parameters.
    public init(
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

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        minimumInterval = try reader.uint16()
        maximumInterval = try reader.uint16()
        type = HCIAdvertisingType(rawValue: try reader.uint8())
        ownAddressType = HCIOwnAddressType(rawValue: try reader.uint8())
        peerAddress = try DeviceAddress(fromTypeAndAddress: &reader)
        channelMap = try reader.uint8()
        filterPolicy = try reader.uint8()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
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
public struct HCILEReadAdvertisingPhysicalChannelTxPower: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadAdvertisingPhysicalChannelTxPower
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Advertising Physical Channel Tx Power"

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
        /// In dBm.
        public var txPower: Int8

        /// An answer with these values.
        public init(status: HCIErrorCode, txPower: Int8) {
            self.status = status
            self.txPower = txPower
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            txPower = try reader.int8()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.int8(txPower)
        }
    }
}

/// Sets the advertising data (Core 5.4, Vol 4 Part E 7.8.7).
public struct HCILESetAdvertisingData: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetAdvertisingData
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Advertising Data"

    /// At most 31 bytes; further bytes are not sent.
    public var data: ArraySlice<UInt8>

    /// The command with these parameters.
    public init(data: ArraySlice<UInt8>) {
        self.data = data
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        data = try reader.hciAdvertisingData()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.hciAdvertisingData(data)
    }
}

/// Sets the scan response data (Core 5.4, Vol 4 Part E 7.8.8).
public struct HCILESetScanResponseData: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetScanResponseData
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Scan Response Data"

    /// At most 31 bytes; further bytes are not sent.
    public var data: ArraySlice<UInt8>

    /// The command with these parameters.
    public init(data: ArraySlice<UInt8>) {
        self.data = data
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        data = try reader.hciAdvertisingData()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.hciAdvertisingData(data)
    }
}

/// Starts or stops advertising (Core 5.4, Vol 4 Part E 7.8.9).
public struct HCILESetAdvertisingEnable: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetAdvertisingEnable
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Advertising Enable"

    /// Whether to advertise.
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

/// Received a scan request for an advertising set (Core 5.4, Vol 4 Part E 7.7.65.19).
public struct HCILEScanRequestReceived: HCIEvent {
    /// LE Meta.
    public static let code = HCIEventCode.leMeta
    /// The subevent code.
    public static let subevent: HCILESubeventCode? = .scanRequestReceived
    /// The name in errors.
    public static let name: StaticString = "HCI LE Scan Request Received"

    /// The advertising set.
    public var advertisingHandle: UInt8
    /// The requesting scanner.
    public var scanner: DeviceAddress
    /// Whether ``scanner`` is an identity that the controller has resolved.
    public var isResolved: Bool

    /// The event with these parameters.
    public init(advertisingHandle: UInt8, scanner: DeviceAddress, isResolved: Bool = false) {
        self.advertisingHandle = advertisingHandle
        self.scanner = scanner
        self.isResolved = isResolved
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        advertisingHandle = try reader.uint8()
        (scanner, isResolved) = try reader.hciResolvedAddress()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(advertisingHandle)
        writer.hciAddress(scanner, isResolved: isResolved)
    }
}
