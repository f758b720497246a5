import BLECore
import ByteCodec

/// The event properties of an advertising set (Core 5.4, Vol 4 Part E 7.8.53).
package struct HCIAdvertisingEventProperties: OptionSet, Hashable, Sendable {
    /// The two octets.
    package let rawValue: UInt16

    /// Properties by their bits.
    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Connectable; by one peer if directed.
    package static let connectable = HCIAdvertisingEventProperties(rawValue: 0x01)
    /// Scannable.
    package static let scannable = HCIAdvertisingEventProperties(rawValue: 0x02)
    /// Directed to one peer.
    package static let directed = HCIAdvertisingEventProperties(rawValue: 0x04)
    /// High duty cycle directed advertising, for 1.28 s.
    package static let highDuty = HCIAdvertisingEventProperties(rawValue: 0x08)
    /// Legacy packets.
    package static let legacy = HCIAdvertisingEventProperties(rawValue: 0x10)
    /// Without the advertiser's address.
    package static let anonymous = HCIAdvertisingEventProperties(rawValue: 0x20)
    /// With the transmit power.
    package static let includesTxPower = HCIAdvertisingEventProperties(rawValue: 0x40)
}

/// Sets the parameters of an advertising set; creates it if it does not exist (Core 5.4, Vol 4 Part E 7.8.53).
package struct HCILESetExtendedAdvertisingParameters: HCICommand {
    package static let opcode = HCIOpcode.leSetExtendedAdvertisingParameters
    package static let name: StaticString = "HCI LE Set Extended Advertising Parameters"

    /// The advertising set; 0x00...0xEF.
    package var advertisingHandle: UInt8
    /// The event properties.
    package var properties: HCIAdvertisingEventProperties
    /// The shortest primary interval, in 0.625 ms; at least 0x20.
    package var minimumInterval: UInt32
    /// The longest primary interval, in 0.625 ms; at least 0x20.
    package var maximumInterval: UInt32
    /// Bit 0 is channel 37, bit 1 is 38, bit 2 is 39.
    package var channelMap: UInt8
    /// The own address type.
    package var ownAddressType: HCIOwnAddressType
    /// The target of directed advertising.
    package var peerAddress: DeviceAddress
    /// Bit 0: only scan requests from the accept list, bit 1: only connection requests from the accept list.
    package var filterPolicy: UInt8
    /// The maximum transmit power, in dBm; 127: the controller chooses.
    package var txPower: Int8
    /// 1M or coded.
    package var primaryPHY: HCIPHY
    /// Secondary_Advertising_Max_Skip.
    package var secondaryMaximumSkip: UInt8
    /// The PHY of auxiliary packets.
    package var secondaryPHY: HCIPHY
    /// The set's identifier; 0...15.
    package var sid: UInt8
    /// True if scan requests are reported to the host.
    package var notifiesScanRequests: Bool

    package init(
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

    package init(from reader: inout ByteReader) throws(CodecError) {
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

    package func write(to writer: inout ByteWriter) {
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
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The selected transmit power, in dBm.
        package var selectedTxPower: Int8

        /// An answer with these values.
        package init(status: HCIErrorCode, selectedTxPower: Int8) {
            self.status = status
            self.selectedTxPower = selectedTxPower
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            selectedTxPower = try reader.int8()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.int8(selectedTxPower)
        }
    }
}

/// The kind of fragment in a command (Core 5.4, Vol 4 Part E 7.8.54); open for any value.
package struct HCIDataOperation: RawRepresentable, Hashable, Sendable {
    /// The octet.
    package let rawValue: UInt8

    /// An operation by number.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Neither the first nor the last fragment.
    package static let intermediate = HCIDataOperation(rawValue: 0)
    /// The first fragment; more follow.
    package static let first = HCIDataOperation(rawValue: 1)
    /// The last fragment.
    package static let last = HCIDataOperation(rawValue: 2)
    /// The complete data.
    package static let complete = HCIDataOperation(rawValue: 3)
    /// Unchanged data with a new DID.
    package static let unchanged = HCIDataOperation(rawValue: 4)
}

/// Sets the data of an advertising set, or a fragment (Core 5.4, Vol 4 Part E 7.8.54).
package struct HCILESetExtendedAdvertisingData: HCICommand {
    package static let opcode = HCIOpcode.leSetExtendedAdvertisingData
    package static let name: StaticString = "HCI LE Set Extended Advertising Data"

    /// The advertising set; 0x00...0xEF.
    package var advertisingHandle: UInt8
    /// The kind of fragment.
    package var operation: HCIDataOperation
    /// 0: the controller may fragment the data, 1: it should minimize fragmentation.
    package var fragmentPreference: UInt8
    /// At most 251 bytes; further bytes are not sent.
    package var data: ArraySlice<UInt8>

    package init(
        advertisingHandle: UInt8, operation: HCIDataOperation, fragmentPreference: UInt8, data: ArraySlice<UInt8>
    ) {
        self.advertisingHandle = advertisingHandle
        self.operation = operation
        self.fragmentPreference = fragmentPreference
        self.data = data
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        advertisingHandle = try reader.uint8()
        operation = HCIDataOperation(rawValue: try reader.uint8())
        fragmentPreference = try reader.uint8()
        data = try reader.hciExtendedData()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(advertisingHandle)
        writer.uint8(operation.rawValue)
        writer.uint8(fragmentPreference)
        writer.hciExtendedData(data)
    }
}

/// Sets the scan response data of an advertising set, or a fragment (Core 5.4, Vol 4 Part E 7.8.55).
package struct HCILESetExtendedScanResponseData: HCICommand {
    package static let opcode = HCIOpcode.leSetExtendedScanResponseData
    package static let name: StaticString = "HCI LE Set Extended Scan Response Data"

    /// The advertising set; 0x00...0xEF.
    package var advertisingHandle: UInt8
    /// The kind of fragment.
    package var operation: HCIDataOperation
    /// 0: the controller may fragment the data, 1: it should minimize fragmentation.
    package var fragmentPreference: UInt8
    /// At most 251 bytes; further bytes are not sent.
    package var data: ArraySlice<UInt8>

    package init(
        advertisingHandle: UInt8, operation: HCIDataOperation, fragmentPreference: UInt8, data: ArraySlice<UInt8>
    ) {
        self.advertisingHandle = advertisingHandle
        self.operation = operation
        self.fragmentPreference = fragmentPreference
        self.data = data
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        advertisingHandle = try reader.uint8()
        operation = HCIDataOperation(rawValue: try reader.uint8())
        fragmentPreference = try reader.uint8()
        data = try reader.hciExtendedData()
    }

    package func write(to writer: inout ByteWriter) {
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
package struct HCILESetExtendedAdvertisingEnable: HCICommand {
    /// One advertising set, and its duration.
    package struct AdvertisingSet: Hashable, Sendable {
        /// The advertising set; 0x00...0xEF.
        package var advertisingHandle: UInt8
        /// In 10 ms; 0: until disabled.
        package var duration: UInt16
        /// Limit of advertising events; 0: no limit.
        package var maximumEvents: UInt8

        /// A set to start or stop.
        package init(advertisingHandle: UInt8, duration: UInt16 = 0, maximumEvents: UInt8 = 0) {
            self.advertisingHandle = advertisingHandle
            self.duration = duration
            self.maximumEvents = maximumEvents
        }
    }

    package static let opcode = HCIOpcode.leSetExtendedAdvertisingEnable
    package static let name: StaticString = "HCI LE Set Extended Advertising Enable"

    /// True to advertise.
    package var isEnabled: Bool
    /// At most 63; empty: all sets are stopped.
    package var sets: [AdvertisingSet]

    package init(isEnabled: Bool, sets: [AdvertisingSet]) {
        self.isEnabled = isEnabled
        self.sets = sets
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
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

    package func write(to writer: inout ByteWriter) {
        writer.uint8(isEnabled ? 1 : 0)
        writer.uint8(UInt8(truncatingIfNeeded: sets.count))
        for set in sets {
            writer.uint8(set.advertisingHandle)
            writer.uint16(set.duration)
            writer.uint8(set.maximumEvents)
        }
    }
}
