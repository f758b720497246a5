public import BLECore
public import ByteCodec

/// What an advertising set allows, and what it says (Core 5.4, Vol 4 Part E 7.8.53).
public struct HCIAdvertisingEventProperties: OptionSet, Hashable, Sendable {
    /// The two octets.
    public let rawValue: UInt16

    /// Properties by their bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Anyone may connect, or one peer where it is directed.
    public static let connectable = HCIAdvertisingEventProperties(rawValue: 0x01)
    /// Anyone may scan.
    public static let scannable = HCIAdvertisingEventProperties(rawValue: 0x02)
    /// For one peer.
    public static let directed = HCIAdvertisingEventProperties(rawValue: 0x04)
    /// Directed, as fast as can be for 1.28 s.
    public static let highDuty = HCIAdvertisingEventProperties(rawValue: 0x08)
    /// Legacy packets.
    public static let legacy = HCIAdvertisingEventProperties(rawValue: 0x10)
    /// Without the advertiser's address.
    public static let anonymous = HCIAdvertisingEventProperties(rawValue: 0x20)
    /// With the transmit power.
    public static let includesTxPower = HCIAdvertisingEventProperties(rawValue: 0x40)
}

/// Says how an advertising set advertises, and makes it where there is none (Core 5.4, Vol 4 Part E 7.8.53).
public struct HCILESetExtendedAdvertisingParameters: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetExtendedAdvertisingParameters
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Extended Advertising Parameters"

    /// The advertising set; 0x00...0xEF.
    public var advertisingHandle: UInt8
    /// What the advertisement allows, and what it says.
    public var properties: HCIAdvertisingEventProperties
    /// The shortest primary interval, in 0.625 ms; at least 0x20.
    public var minimumInterval: UInt32
    /// The longest primary interval, in 0.625 ms; at least 0x20.
    public var maximumInterval: UInt32
    /// Bit 0 is channel 37, bit 1 is 38, bit 2 is 39.
    public var channelMap: UInt8
    /// Which own address is sent.
    public var ownAddressType: HCIOwnAddressType
    /// Whom directed advertising is for.
    public var peerAddress: DeviceAddress
    /// Bit 0: scan requests, bit 1: connection requests from the accept list only.
    public var filterPolicy: UInt8
    /// The most, in dBm; 127: the controller chooses.
    public var txPower: Int8
    /// 1M or coded.
    public var primaryPHY: HCIPHY
    /// How many events the auxiliary packet may be left out.
    public var secondaryMaximumSkip: UInt8
    /// The PHY of auxiliary packets.
    public var secondaryPHY: HCIPHY
    /// Tells the sets of one advertiser apart; 0...15.
    public var sid: UInt8
    /// Whether the host hears of each scan request.
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

    /// Reads the parameters.
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

    /// What the controller answers.
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

        /// Reads the parameters.
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
