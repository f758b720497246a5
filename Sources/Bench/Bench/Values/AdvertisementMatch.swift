public import BLECore
import BLECentral
import BenchModel
import Console

/// Conditions on an advertisement, together with its scan response; one advertisement must meet all that are given.
public struct AdvertisementMatch: Hashable, Sendable {
    /// Service data: those of a service, with conditions on them (`nil`: any data).
    public struct ServiceData: Hashable, Sendable {
        /// The service.
        public let service: BLEUUID
        /// The conditions on the bytes after the service's UUID.
        public let match: ValueMatch?

        /// Service data.
        public init(_ service: BLEUUID, _ match: ValueMatch?) {
            self.service = service
            self.match = match
        }
    }

    /// Manufacturer specific data: those of a company, with conditions on them (`nil`: any data).
    public struct ManufacturerData: Hashable, Sendable {
        /// The company's identifier.
        public let company: UInt16
        /// The conditions on the bytes after the identifier.
        public let match: ValueMatch?

        /// Manufacturer specific data.
        public init(_ company: UInt16, _ match: ValueMatch?) {
            self.company = company
            self.match = match
        }
    }

    /// The values of a beacon's format.
    public struct Beacon: Hashable, Sendable {
        /// The format.
        public let format: BeaconFormat
        /// The expected values.
        public let values: JSONPattern

        /// The values of a format; a UUID may have letters of either case.
        public init(_ format: BeaconFormat, _ values: JSONPattern) {
            self.format = format
            guard case .object(let members) = values else {
                self.values = values
                return
            }
            self.values = .object(
                members.map { member in
                    guard member.name == "uuid", case .text(let text) = member.value, let uuid = BLEUUID(text) else {
                        return member
                    }
                    return JSONPattern.Member(member.name, .text("\(uuid)"))
                })
        }

        func difference(_ data: AdvertisingData) -> String? {
            switch format.values(data) {
            case nil: "it has no \(format.rawValue) data"
            case .failure(let fault): "its \(format.rawValue) data cannot be read: \(fault)"
            case .success(let got): values.difference(of: got).map { "of its \(format.rawValue) data, \($0)" }
            }
        }
    }

    /// The time from one advertising event to the next, with its text for failures.
    public struct Interval: Hashable, Sendable {
        /// The time in milliseconds.
        public let milliseconds: ClosedRange<Double>
        /// The time as it is written.
        public let text: String

        /// A time.
        public init(milliseconds: ClosedRange<Double>, text: String) {
            self.milliseconds = milliseconds
            self.text = text
        }
    }

    /// The advertiser's address, as a number.
    public var address: UInt64?
    /// The local name.
    public var name: String?
    /// Services that are all advertised.
    public var services: [BLEUUID] = []
    /// The manufacturer specific data.
    public var manufacturer: ManufacturerData?
    /// The data of services, which are all advertised.
    public var serviceData: [ServiceData] = []
    /// The values of beacons.
    public var beacons: [Beacon] = []
    /// The appearance (Assigned Numbers 2.6).
    public var appearance: Int?
    /// The TX Power Level in dBm.
    public var txPower: Int?
    /// The flags.
    public var flags: Int?
    /// True if the advertiser accepts connections.
    public var isConnectable: Bool?
    /// The time since the advertising event before this one.
    public var interval: Interval?

    /// No conditions.
    public init() {}

    /// True if it names the advertiser.
    func names(_ advertisement: Advertisement) -> Bool {
        (address == nil || address == advertisement.peer.address?.value)
            && (name == nil || name == advertisement.data.localName)
            && services.allSatisfy(advertisement.data.serviceUUIDs.contains)
    }

    /// The conditions on data, with their compiled expressions.
    var matches: [ValueMatch] { (serviceData.map(\.match) + [manufacturer?.match]).compactMap(\.self) }

    /// The first difference of an advertisement's data from the expected ones; `nil`: there is none.
    func difference(_ advertisement: Advertisement, _ patterns: LinePatterns) -> String? {
        let data = advertisement.data
        if let isConnectable, isConnectable != advertisement.isConnectable {
            return isConnectable ? "it is not connectable" : "it is connectable"
        }
        let numbers: [(String, wanted: Int?, got: Int?)] = [
            ("flags", flags, data.flags.map { Int($0) }), ("appearance", appearance, data.appearance.map { Int($0) }),
            ("TX power", txPower, data.txPowerLevel.map { Int($0) }),
        ]
        for (what, wanted, got) in numbers {
            guard let wanted, wanted != got else { continue }
            return got.map { "its \(what) is \($0), not \(wanted)" } ?? "it has no \(what)"
        }
        if let manufacturer {
            let what = "manufacturer data of \(Self.text(manufacturer.company))"
            let found = data.manufacturerData(of: manufacturer.company)
            if let different = Self.difference(found, manufacturer.match, what, patterns) { return different }
        }
        for service in serviceData {
            let what = "service data of \(service.service)"
            let found = data.serviceData(of: service.service)
            if let different = Self.difference(found, service.match, what, patterns) { return different }
        }
        return beacons.lazy.compactMap { $0.difference(data) }.first
    }

    private static func difference(
        _ found: [[UInt8]], _ match: ValueMatch?, _ what: String, _ patterns: LinePatterns
    ) -> String? {
        guard !found.isEmpty else { return "it has no \(what)" }
        guard let match else { return nil }
        var last = ""
        for data in found {
            switch match.answer(data, patterns) {
            case .met: return nil
            case .differs(let text), .undecided(let text): last = text
            }
        }
        return "its \(what) is \(last)"
    }

    private static func text(_ company: UInt16) -> String {
        "0x" + String(repeating: "0", count: 4 - String(company, radix: 16).count) + String(company, radix: 16)
    }

    /// The conditions in words.
    var words: [String] {
        var words: [String] = []
        if let name { words.append("the name '\(name)'") }
        if let address { words.append("the address \(DeviceAddress(address, .public))") }
        if let isConnectable { words.append(isConnectable ? "connections" : "no connections") }
        if let flags { words.append("the flags \(flags)") }
        if let appearance { words.append("the appearance \(appearance)") }
        if let txPower { words.append("the TX power \(txPower)") }
        if let manufacturer {
            let conditions = manufacturer.match.map { " \($0.words)" } ?? ""
            words.append("manufacturer data of \(Self.text(manufacturer.company))\(conditions)")
        }
        for data in serviceData {
            words.append("service data of \(data.service)" + (data.match.map { " \($0.words)" } ?? ""))
        }
        words += beacons.map { "\($0.format.rawValue) data \($0.values)" }
        if let interval { words.append("an interval of \(interval.text)") }
        return words
    }
}
