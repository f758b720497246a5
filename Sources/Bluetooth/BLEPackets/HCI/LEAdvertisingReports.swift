import BLECore
import ByteCodec

/// Received advertisements (Core 5.4, Vol 4 Part E 7.7.65.2).
public struct HCILEAdvertisingReport: HCIEvent {
    /// The kind of report.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The octet.
        public let rawValue: UInt8

        /// A kind by number.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// ADV_IND.
        public static let connectable = Kind(rawValue: 0)
        /// ADV_DIRECT_IND.
        public static let directed = Kind(rawValue: 1)
        /// ADV_SCAN_IND.
        public static let scannable = Kind(rawValue: 2)
        /// ADV_NONCONN_IND.
        public static let nonConnectable = Kind(rawValue: 3)
        /// SCAN_RSP.
        public static let scanResponse = Kind(rawValue: 4)
    }

    /// One received packet.
    public struct Report: Hashable, Sendable {
        /// The kind of report.
        public var kind: Kind
        /// The advertiser.
        public var address: DeviceAddress
        /// True if ``address`` is an identity that the controller has resolved.
        public var isResolved: Bool
        /// Advertising or scan response data; at most 31 bytes.
        public var data: ArraySlice<UInt8>
        /// The RSSI, in dBm; 127 is unknown.
        public var rssi: Int8

        /// A report of one packet.
        public init(kind: Kind, address: DeviceAddress, isResolved: Bool = false, data: ArraySlice<UInt8>, rssi: Int8) {
            self.kind = kind
            self.address = address
            self.isResolved = isResolved
            self.data = data
            self.rssi = rssi
        }
    }

    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .advertisingReport
    package static let name: StaticString = "HCI LE Advertising Report"

    /// The reports, in order.
    public var reports: [Report]

    package init(reports: [Report]) {
        self.reports = reports
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        let count = try reader.uint8()
        guard 1...0x19 ~= count else { throw reader.invalid("number of reports", UInt64(count), allowed: "1...25") }
        reports = []
        for _ in 0..<count {
            let kind = Kind(rawValue: try reader.uint8())
            let (address, isResolved) = try reader.hciResolvedAddress()
            let length = Int(try reader.uint8())
            let data = try reader.slice(length)
            reports.append(
                Report(
                    kind: kind, address: address, isResolved: isResolved, data: data, rssi: try reader.int8()))
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(UInt8(truncatingIfNeeded: reports.count))
        for report in reports {
            writer.uint8(report.kind.rawValue)
            writer.hciAddress(report.address, isResolved: report.isResolved)
            writer.uint8(UInt8(truncatingIfNeeded: report.data.count))
            writer.append(report.data)
            writer.int8(report.rssi)
        }
    }
}

/// Received directed advertisements to unresolved private addresses (Core 5.4, Vol 4 Part E 7.7.65.11).
package struct HCILEDirectedAdvertisingReport: HCIEvent {
    /// One received packet; always ADV_DIRECT_IND.
    package struct Report: Hashable, Sendable {
        /// The advertiser.
        package var address: DeviceAddress
        /// True if ``address`` is an identity that the controller has resolved.
        package var isResolved: Bool
        /// The private address to which the advertisement was directed.
        package var target: DeviceAddress
        /// The RSSI, in dBm; 127 is unknown.
        package var rssi: Int8

        /// A report of one packet.
        package init(address: DeviceAddress, isResolved: Bool = false, target: DeviceAddress, rssi: Int8) {
            self.address = address
            self.isResolved = isResolved
            self.target = target
            self.rssi = rssi
        }
    }

    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .directedAdvertisingReport
    package static let name: StaticString = "HCI LE Directed Advertising Report"

    /// The reports, in order.
    package var reports: [Report]

    package init(reports: [Report]) {
        self.reports = reports
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        let count = try reader.uint8()
        guard 1...15 ~= count else { throw reader.invalid("number of reports", UInt64(count), allowed: "1...15") }
        reports = []
        for _ in 0..<count {
            let kind = try reader.uint8()
            guard kind == 1 else { throw reader.invalid("event type", UInt64(kind), allowed: "1 (directed)") }
            let (address, isResolved) = try reader.hciResolvedAddress()
            let target = try DeviceAddress(fromTypeAndAddress: &reader)
            reports.append(
                Report(address: address, isResolved: isResolved, target: target, rssi: try reader.int8()))
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(UInt8(truncatingIfNeeded: reports.count))
        for report in reports {
            writer.uint8(1)
            writer.hciAddress(report.address, isResolved: report.isResolved)
            report.target.writeTypeAndAddress(to: &writer)
            writer.int8(report.rssi)
        }
    }
}

/// Received extended or legacy advertisements (Core 5.4, Vol 4 Part E 7.7.65.13).
package struct HCILEExtendedAdvertisingReport: HCIEvent {
    /// The kind of report.
    package struct Kind: OptionSet, Hashable, Sendable {
        /// The two octets.
        package let rawValue: UInt16

        /// Kinds by their bits.
        package init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// The advertiser accepts connections.
        package static let connectable = Kind(rawValue: 0x01)
        /// The advertiser answers scanners.
        package static let scannable = Kind(rawValue: 0x02)
        /// The advertisement is for one peer.
        package static let directed = Kind(rawValue: 0x04)
        /// A scan response.
        package static let scanResponse = Kind(rawValue: 0x08)
        /// A legacy packet.
        package static let legacy = Kind(rawValue: 0x10)
        /// More data follow in another report.
        package static let incomplete = Kind(rawValue: 0x20)
        /// Truncated: no more data follow.
        package static let truncated = Kind(rawValue: 0x40)
    }

    /// The target of a directed advertisement.
    package struct Target: Hashable, Sendable {
        /// The type octet: public, random, or 0xFE, a private address that was not resolved.
        package var type: UInt8
        /// The address in the packet.
        package var address: DeviceAddress

        /// A target with these values.
        package init(type: UInt8, address: DeviceAddress) {
            self.type = type
            self.address = address
        }

        /// No target: type and address are 0.
        package static let none = Target(type: 0, address: DeviceAddress(0, .public))
        /// A private address that was not resolved.
        package static let unresolved: UInt8 = 0xFE
    }

    /// One received packet, or a fragment.
    package struct Report: Hashable, Sendable {
        /// The kind of report.
        package var kind: Kind
        /// The advertiser; `nil` if anonymous.
        package var address: DeviceAddress?
        /// True if ``address`` is an identity that the controller has resolved.
        package var isResolved: Bool
        /// The PHY of the advertisement.
        package var primaryPHY: HCIPHY
        /// The PHY of its auxiliary packets.
        package var secondaryPHY: HCIPHY
        /// The advertising set; 0xFF: none.
        package var sid: UInt8
        /// The transmit power, in dBm; 127 is unknown.
        package var txPower: Int8
        /// The RSSI, in dBm; 127 is unknown.
        package var rssi: Int8
        /// The interval of periodic advertising, in 1.25 ms; 0: none.
        package var periodicInterval: UInt16
        /// The target.
        package var target: Target
        /// Advertising or scan response data; at most 229 bytes.
        package var data: ArraySlice<UInt8>

        /// A report of one packet.
        package init(
            kind: Kind, address: DeviceAddress?, isResolved: Bool = false, primaryPHY: HCIPHY = .le1M,
            secondaryPHY: HCIPHY = .none, sid: UInt8 = 0xFF, txPower: Int8 = 127, rssi: Int8,
            periodicInterval: UInt16 = 0, target: Target = .none, data: ArraySlice<UInt8>
        ) {
            self.kind = kind
            self.address = address
            self.isResolved = isResolved
            self.primaryPHY = primaryPHY
            self.secondaryPHY = secondaryPHY
            self.sid = sid
            self.txPower = txPower
            self.rssi = rssi
            self.periodicInterval = periodicInterval
            self.target = target
            self.data = data
        }

        init(from reader: inout ByteReader) throws(CodecError) {
            kind = Kind(rawValue: try reader.uint16())
            let type = try reader.uint8()
            guard type <= 3 || type == Self.anonymous else {
                throw reader.invalid("address type", UInt64(type), allowed: "0...3 or 255 (anonymous)")
            }
            let sender = try DeviceAddress(from: &reader, type & 1 == 0 ? .public : .random)
            address = type == Self.anonymous ? nil : sender
            isResolved = 2...3 ~= type
            primaryPHY = HCIPHY(rawValue: try reader.uint8())
            secondaryPHY = HCIPHY(rawValue: try reader.uint8())
            sid = try reader.uint8()
            txPower = try reader.int8()
            rssi = try reader.int8()
            periodicInterval = try reader.uint16()
            let targetType = try reader.uint8()
            let kind: DeviceAddress.Kind = targetType == 0 || targetType == 2 ? .public : .random
            target = Target(type: targetType, address: try DeviceAddress(from: &reader, kind))
            data = try reader.slice(Int(try reader.uint8()))
        }

        func write(to writer: inout ByteWriter) {
            writer.uint16(kind.rawValue)
            if let address {
                writer.hciAddress(address, isResolved: isResolved)
            } else {
                writer.uint8(Self.anonymous)
                DeviceAddress(0, .public).write(to: &writer)
            }
            writer.uint8(primaryPHY.rawValue)
            writer.uint8(secondaryPHY.rawValue)
            writer.uint8(sid)
            writer.int8(txPower)
            writer.int8(rssi)
            writer.uint16(periodicInterval)
            writer.uint8(target.type)
            target.address.write(to: &writer)
            writer.uint8(UInt8(truncatingIfNeeded: data.count))
            writer.append(data)
        }

        private static let anonymous: UInt8 = 0xFF
    }

    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .extendedAdvertisingReport
    package static let name: StaticString = "HCI LE Extended Advertising Report"
    /// The longest data in one report.
    package static let maximumDataLength = 229

    /// The reports, in order.
    package var reports: [Report]

    package init(reports: [Report]) {
        self.reports = reports
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        let count = try reader.uint8()
        guard 1...10 ~= count else { throw reader.invalid("number of reports", UInt64(count), allowed: "1...10") }
        reports = []
        for _ in 0..<count { reports.append(try Report(from: &reader)) }
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(UInt8(truncatingIfNeeded: reports.count))
        for report in reports { report.write(to: &writer) }
    }
}
