public import BLECore
public import ByteCodec

/// Received directed advertisements to unresolved private addresses (Core 5.4, Vol 4 Part E 7.7.65.11).
public struct HCILEDirectedAdvertisingReport: HCIEvent {
    /// One received packet; always ADV_DIRECT_IND.
    public struct Report: Hashable, Sendable {
        /// The advertiser.
        public var address: DeviceAddress
        /// Whether ``address`` is an identity that the controller has resolved.
        public var isResolved: Bool
        /// The private address it is for.
        public var target: DeviceAddress
        /// The RSSI, in dBm; 127 is unknown.
        public var rssi: Int8

        /// A report of one packet.
        public init(address: DeviceAddress, isResolved: Bool = false, target: DeviceAddress, rssi: Int8) {
            self.address = address
            self.isResolved = isResolved
            self.target = target
            self.rssi = rssi
        }
    }

    /// LE Meta.
    public static let code = HCIEventCode.leMeta
    /// The subevent code.
    public static let subevent: HCILESubeventCode? = .directedAdvertisingReport
    /// The name in errors.
    public static let name: StaticString = "HCI LE Directed Advertising Report"

    /// One after another.
    public var reports: [Report]

    /// The event with these reports.
    public init(reports: [Report]) {
        self.reports = reports
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
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

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(UInt8(truncatingIfNeeded: reports.count))
        for report in reports {
            writer.uint8(1)
            writer.hciAddress(report.address, isResolved: report.isResolved)
            report.target.writeTypeAndAddress(to: &writer)
            writer.int8(report.rssi)
        }
    }
}
