public import BLECore
public import ByteCodec

/// Received advertisements (Core 5.4, Vol 4 Part E 7.7.65.2).
public struct HCILEAdvertisingReport: HCIEvent {
    /// The report.
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
        /// The report.
        public var kind: Kind
        /// The advertiser.
        public var address: DeviceAddress
        /// Whether ``address`` is an identity that the controller has resolved.
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

    /// LE Meta.
    public static let code = HCIEventCode.leMeta
    /// The subevent code.
    public static let subevent: HCILESubeventCode? = .advertisingReport
    /// The name in errors.
    public static let name: StaticString = "HCI LE Advertising Report"

    /// One after another.
    public var reports: [Report]

    /// The event with these reports.
    public init(reports: [Report]) {
        self.reports = reports
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
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

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
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
