public import BLECore
public import ByteCodec

/// The event properties of an advertising set (Core 5.4, Vol 4 Part E 7.8.53).
public struct HCIAdvertisingEventProperties: OptionSet, Hashable, Sendable {
    /// The two octets.
    public let rawValue: UInt16

    /// Properties by their bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Connectable, by one peer if directed.
    public static let connectable = HCIAdvertisingEventProperties(rawValue: 0x01)
    /// Scannable.
    public static let scannable = HCIAdvertisingEventProperties(rawValue: 0x02)
    /// For one peer.
    public static let directed = HCIAdvertisingEventProperties(rawValue: 0x04)
    /// High duty cycle directed advertising, for 1.28 s.
    public static let highDuty = HCIAdvertisingEventProperties(rawValue: 0x08)
    /// Legacy packets.
    public static let legacy = HCIAdvertisingEventProperties(rawValue: 0x10)
    /// Without the advertiser's address.
    public static let anonymous = HCIAdvertisingEventProperties(rawValue: 0x20)
    /// With the transmit power.
    public static let includesTxPower = HCIAdvertisingEventProperties(rawValue: 0x40)
}

/// Sets the parameters of an advertising set; creates it if it does not exist (Core 5.4, Vol 4 Part E 7.8.53).
public struct HCILESetExtendedAdvertisingParameters: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetExtendedAdvertisingParameters
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Extended Advertising Parameters"

    /// The advertising set; 0x00...0xEF.
    public var advertisingHandle: UInt8
    /// The event type.
    public var properties: HCIAdvertisingEventProperties
    /// The shortest primary interval, in 0.625 ms; at least 0x20.
    public var minimumInterval: UInt32
    /// The longest primary interval, in 0.625 ms; at least 0x20.
    public var maximumInterval: UInt32
    /// Bit 0 is channel 37, bit 1 is 38, bit 2 is 39.
    public var channelMap: UInt8
    /// The own address type.
    public var ownAddressType: HCIOwnAddressType
    /// The target of directed advertising.
    public var peerAddress: DeviceAddress
    /// Bit 0: scan requests, bit 1: connection requests from the accept list only.
    public var filterPolicy: UInt8
    /// The most, in dBm; 127: the controller chooses.
    public var txPower: Int8
    /// 1M or coded.
    public var primaryPHY: HCIPHY
    /// Secondary_Advertising_Max_Skip.
    public var secondaryMaximumSkip: UInt8
    /// The PHY of auxiliary packets.
    public var secondaryPHY: HCIPHY
    /// The set's identifier; 0...15.
    public var sid: UInt8
    /// Whether scan requests are reported to the host.
    public var notifiesScanRequests: Bool

    /// The command with these parameters.
    public init(
        advertisingHandle: UInt8, properties: HCIAdvertisingEventProperties, minimumInterval: UInt32,
        maximumInterval: UInt32, channelMap: UInt8, ownAddressType: HCIOwnAddressType, peerAddress: DeviceAddress,
        filterPolicy: UInt8, txPower: Int8, primaryPHY: HCIPHY, secondaryMaximumSkip: UInt8, secondaryPHY: HCIPHY,
        sid: UInt8, notifiesScanRequests: Bool
    ) {
        self.advertisingHandle = advertisingHandle
        self.properties = properties
        self.minimumInterval = minimumInterval
        self.maximumInterval = maximumInterval
        self.channelMap = channelMap
        self.ownAddressType = ownAddressType
        self.peerAddress = peerAddress
        self.filterPolicy = filterPolicy
        self.txPower = txPower
        self.primaryPHY = primaryPHY
        self.secondaryMaximumSkip = secondaryMaximumSkip
        self.secondaryPHY = secondaryPHY
        self.sid = sid
        self.notifiesScanRequests = notifiesScanRequests
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        advertisingHandle = try reader.uint8()
        properties = HCIAdvertisingEventProperties(rawValue: try reader.uint16())
        minimumInterval = try reader.uint24()
        maximumInterval = try reader.uint24()
        channelMap = try reader.uint8()
        ownAddressType = HCIOwnAddressType(rawValue: try reader.uint8())
        peerAddress = try DeviceAddress(fromTypeAndAddress: &reader)
        filterPolicy = try reader.uint8()
        txPower = try reader.int8()
        primaryPHY = HCIPHY(rawValue: try reader.uint8())
        secondaryMaximumSkip = try reader.uint8()
        secondaryPHY = HCIPHY(rawValue: try reader.uint8())
        sid = try reader.uint8()
        notifiesScanRequests = try reader.hciBool("notifiesScanRequests")
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(advertisingHandle)
        writer.uint16(properties.rawValue)
        writer.uint24(minimumInterval)
        writer.uint24(maximumInterval)
        writer.uint8(channelMap)
        writer.uint8(ownAddressType.rawValue)
        peerAddress.writeTypeAndAddress(to: &writer)
        writer.uint8(filterPolicy)
        writer.int8(txPower)
        writer.uint8(primaryPHY.rawValue)
        writer.uint8(secondaryMaximumSkip)
        writer.uint8(secondaryPHY.rawValue)
        writer.uint8(sid)
        writer.uint8(notifiesScanRequests ? 1 : 0)
    }

    /// The return parameters.
    public struct ReturnParameters: HCIReturnParameters {
        /// Whether it succeeded.
        public var status: HCIErrorCode
        /// In dBm.
        public var selectedTxPower: Int8

        /// An answer with these values.
        public init(status: HCIErrorCode, selectedTxPower: Int8) {
            self.status = status
            self.selectedTxPower = selectedTxPower
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            selectedTxPower = try reader.int8()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.int8(selectedTxPower)
        }
    }
}
