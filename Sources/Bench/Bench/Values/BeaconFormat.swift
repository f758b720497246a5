import BLECore
import ByteCodec

/// A format of beacons, whose advertised data are read as an object with named values.
public enum BeaconFormat: String, Hashable, Sendable, CaseIterable {
    /// Apple's iBeacon: `uuid`, `major`, `minor`, `power`.
    case iBeacon = "ibeacon"
    /// Eddystone: `namespace` and `instance`, `url`, or `battery`, `temperature`, `advertisements` and `uptime`.
    case eddystone
    /// BTHome version 2, unencrypted: the names of its objects.
    case btHome = "bthome"

    /// The values that an advertisement has; `nil`: it has none of this format.
    func values(_ data: AdvertisingData) -> Result<JSONValue, BeaconFault>? {
        let found =
            switch self {
            case .iBeacon: data.manufacturerData(of: 0x004C).filter { $0.first == 0x02 }
            case .eddystone: data.serviceData(of: BLEUUID(0xFEAA))
            case .btHome: data.serviceData(of: BLEUUID(0xFCD2))
            }
        return found.first.map { bytes in
            Result { () throws(BeaconFault) in
                var reader = BeaconReader(bytes)
                switch self {
                case .iBeacon: try reader.iBeacon()
                case .eddystone: try reader.eddystone()
                case .btHome: try reader.btHome()
                }
                return .object(reader.members)
            }
        }
    }
}

/// The reason why the data of a beacon cannot be read.
struct BeaconFault: Error, CustomStringConvertible {
    let description: String
}

/// Reads the data of a beacon.
private struct BeaconReader {
    private var rest: ArraySlice<UInt8>
    private(set) var members: [JSONValue.Member] = []

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    private mutating func take(_ count: Int) throws(BeaconFault) -> [UInt8] {
        guard rest.count >= count else {
            throw BeaconFault(description: "expected \(count) bytes after byte \(rest.startIndex), got \(rest.count)")
        }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    private mutating func add(_ name: String, _ value: JSONValue) {
        // A format may have an object several times: its first value counts.
        guard !members.contains(where: { $0.name == name }) else { return }
        members.append(JSONValue.Member(name: name, value: value))
    }

    /// A number of bytes, most significant first.
    private static func number(_ bytes: some Sequence<UInt8>, isSigned: Bool = false, _ count: Int) -> Int64 {
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let shift = 64 - 8 * count
        return isSigned ? Int64(bitPattern: number << shift) >> shift : Int64(number)
    }

    private mutating func integer(_ count: Int, isSigned: Bool = false) throws(BeaconFault) -> Int64 {
        Self.number(try take(count), isSigned: isSigned, count)
    }

    private mutating func add(_ name: String, bytes count: Int, isSigned: Bool = false) throws(BeaconFault) {
        add(name, .number("\(try integer(count, isSigned: isSigned))"))
    }

    /// iBeacon: Proximity Beacon Specification R1, 2.
    mutating func iBeacon() throws(BeaconFault) {
        let head = try take(2)
        guard head == [0x02, 0x15] else { throw BeaconFault(description: "expected the length 21, got \(head[1])") }
        add("uuid", .text("\(BLEUUID(littleEndian: try take(16).reversed()) ?? BLEUUID(0))"))
        try add("major", bytes: 2)
        try add("minor", bytes: 2)
        try add("power", bytes: 1, isSigned: true)
    }

    /// Eddystone Protocol Specification.
    mutating func eddystone() throws(BeaconFault) {
        let frame = try take(1)[0]
        switch frame {
        case 0x00:
            try add("power", bytes: 1, isSigned: true)
            add("namespace", .text(Hexadecimal.string(try take(10))))
            add("instance", .text(Hexadecimal.string(try take(6))))
        case 0x10:
            try add("power", bytes: 1, isSigned: true)
            add("url", .text(try url()))
        case 0x20:
            let version = try take(1)[0]
            guard version == 0 else { throw BeaconFault(description: "expected TLM version 0, got \(version)") }
            add("battery", .number("\(Double(try integer(2)) / 1000)"))
            add("temperature", .number("\(Double(try integer(2, isSigned: true)) / 256)"))
            try add("advertisements", bytes: 4)
            add("uptime", .number("\(Double(try integer(4)) / 10)"))
        default:
            throw BeaconFault(
                description: "expected a frame 0x00, 0x10 or 0x20, got \(Hexadecimal.number(frame, digits: 2))")
        }
    }

    private mutating func url() throws(BeaconFault) -> String {
        let schemes = ["http://www.", "https://www.", "http://", "https://"]
        let domains = [".com", ".org", ".edu", ".net", ".info", ".biz", ".gov"]
        let scheme = Int(try take(1)[0])
        guard schemes.indices.contains(scheme) else {
            throw BeaconFault(description: "expected a URL scheme of 0...3, got \(scheme)")
        }
        var url = schemes[scheme]
        for byte in try take(rest.count) {
            switch Int(byte) {
            case 0..<7: url += domains[Int(byte)] + "/"
            case 7..<14: url += domains[Int(byte) - 7]
            case 0x21..<0x7F: url.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                throw BeaconFault(
                    description: "expected a character of a URL, got \(Hexadecimal.number(byte, digits: 2))")
            }
        }
        return url
    }

    /// BTHome version 2 (bthome.io/format).
    mutating func btHome() throws(BeaconFault) {
        let information = try take(1)[0]
        guard information >> 5 == 2 else {
            throw BeaconFault(description: "expected BTHome version 2, got \(information >> 5)")
        }
        guard information & 1 == 0 else { throw BeaconFault(description: "its data are encrypted") }
        while !rest.isEmpty {
            let id = try take(1)[0]
            if id == 0x53 || id == 0x54 {
                let bytes = try take(Int(try take(1)[0]))
                let text = id == 0x53 ? String(decoding: bytes, as: UTF8.self) : Hexadecimal.string(bytes)
                add(id == 0x53 ? "text" : "raw", .text(text))
                continue
            }
            guard let object = BTHomeObject.all[id] else {
                let place = "object \(Hexadecimal.number(id, digits: 2)) at byte \(rest.startIndex)"
                throw BeaconFault(description: "the \(place) is unknown")
            }
            let bytes = try take(object.count)
            let value = Self.number(bytes.reversed(), isSigned: object.isSigned, object.count)
            if object.isBinary {
                add(object.name, .bool(value != 0))
            } else {
                add(object.name, .number(object.text(value)))
            }
        }
    }
}
