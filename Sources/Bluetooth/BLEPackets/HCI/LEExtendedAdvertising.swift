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

/// The kind of fragment in a command (Core 5.4, Vol 4 Part E 7.8.54); open for any value.
public struct HCIDataOperation: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// An operation by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Neither the first nor the last fragment.
    public static let intermediate = HCIDataOperation(rawValue: 0)
    /// The first piece; more follow.
    public static let first = HCIDataOperation(rawValue: 1)
    /// The last piece.
    public static let last = HCIDataOperation(rawValue: 2)
    /// All of it.
    public static let complete = HCIDataOperation(rawValue: 3)
    /// Unchanged data with a new DID.
    public static let unchanged = HCIDataOperation(rawValue: 4)
}

/// Sets the data of an advertising set, or a fragment (Core 5.4, Vol 4 Part E 7.8.54).
public struct HCILESetExtendedAdvertisingData: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetExtendedAdvertisingData
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Extended Advertising Data"

    /// The advertising set; 0x00...0xEF.
    public var advertisingHandle: UInt8
    /// The kind of fragment.
    public var operation: HCIDataOperation
    /// 0: the controller may fragment the data, 1: it should minimize fragmentation.
    public var fragmentPreference: UInt8
    /// At most 251 bytes; further bytes are not sent.
    public var data: ArraySlice<UInt8>

    /// The command with these parameters.
    public init(
        advertisingHandle: UInt8, operation: HCIDataOperation, fragmentPreference: UInt8, data: ArraySlice<UInt8>
    ) {
        self.advertisingHandle = advertisingHandle
        self.operation = operation
        self.fragmentPreference = fragmentPreference
        self.data = data
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        advertisingHandle = try reader.uint8()
        operation = HCIDataOperation(rawValue: try reader.uint8())
        fragmentPreference = try reader.uint8()
        data = try reader.hciExtendedData()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(advertisingHandle)
        writer.uint8(operation.rawValue)
        writer.uint8(fragmentPreference)
        writer.hciExtendedData(data)
    }
}

/// Sets the scan response data of an advertising set, or a fragment (Core 5.4, Vol 4 Part E 7.8.55).
public struct HCILESetExtendedScanResponseData: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leSetExtendedScanResponseData
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Extended Scan Response Data"

    /// The advertising set; 0x00...0xEF.
    public var advertisingHandle: UInt8
    /// The kind of fragment.
    public var operation: HCIDataOperation
    /// 0: the controller may fragment the data, 1: it should minimize fragmentation.
    public var fragmentPreference: UInt8
    /// At most 251 bytes; further bytes are not sent.
    public var data: ArraySlice<UInt8>

    /// The command with these parameters.
    public init(
        advertisingHandle: UInt8, operation: HCIDataOperation, fragmentPreference: UInt8, data: ArraySlice<UInt8>
    ) {
        self.advertisingHandle = advertisingHandle
        self.operation = operation
        self.fragmentPreference = fragmentPreference
        self.data = data
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        advertisingHandle = try reader.uint8()
        operation = HCIDataOperation(rawValue: try reader.uint8())
        fragmentPreference = try reader.uint8()
        data = try reader.hciExtendedData()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(advertisingHandle)
        writer.uint8(operation.rawValue)
        writer.uint8(fragmentPreference)
        writer.hciExtendedData(data)
    }
}

extension ByteReader {
    /// One octet of length, then the bytes.
    fileprivate mutating func hciExtendedData() throws(CodecError) -> ArraySlice<UInt8> {
        let length = try uint8()
        guard length <= 251 else { throw invalid("data length", UInt64(length), allowed: "0...251") }
        return try slice(Int(length))
    }
}

extension ByteWriter {
    fileprivate mutating func hciExtendedData(_ data: ArraySlice<UInt8>) {
        let sent = data.prefix(251)
        uint8(UInt8(truncatingIfNeeded: sent.count))
        append(sent)
    }
}

/// Starts or stops advertising sets (Core 5.4, Vol 4 Part E 7.8.56).
public struct HCILESetExtendedAdvertisingEnable: HCICommand {
    /// One advertising set, and its duration.
    public struct AdvertisingSet: Hashable, Sendable {
        /// The advertising set; 0x00...0xEF.
        public var advertisingHandle: UInt8
        /// In 10 ms; 0: until disabled.
        public var duration: UInt16
        /// The most advertising events; 0: any number.
        public var maximumEvents: UInt8

        /// A set to start or stop.
        public init(advertisingHandle: UInt8, duration: UInt16 = 0, maximumEvents: UInt8 = 0) {
            self.advertisingHandle = advertisingHandle
            self.duration = duration
            self.maximumEvents = maximumEvents
        }
    }

    /// The opcode.
    public static let opcode = HCIOpcode.leSetExtendedAdvertisingEnable
    /// The name in errors.
    public static let name: StaticString = "HCI LE Set Extended Advertising Enable"

    /// Whether to advertise.
    public var isEnabled: Bool
    /// At most 63; none: all sets are stopped.
    public var sets: [AdvertisingSet]

    /// The command with these parameters.
    public init(isEnabled: Bool, sets: [AdvertisingSet]) {
        self.isEnabled = isEnabled
        self.sets = sets
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        isEnabled = try reader.hciBool("isEnabled")
        let count = try reader.uint8()
        guard count <= 0x3F else { throw reader.invalid("number of sets", UInt64(count), allowed: "0...63") }
        sets = []
        for _ in 0..<count {
            let handle = try reader.uint8()
            let duration = try reader.uint16()
            sets.append(
                AdvertisingSet(
                    advertisingHandle: handle, duration: duration, maximumEvents: try reader.uint8()))
        }
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(isEnabled ? 1 : 0)
        writer.uint8(UInt8(truncatingIfNeeded: sets.count))
        for set in sets {
            writer.uint8(set.advertisingHandle)
            writer.uint16(set.duration)
            writer.uint8(set.maximumEvents)
        }
    }
}
