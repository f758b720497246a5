import BLECore
import MonotonicTime

/// Writes events as JSON Lines: one object a line, keys in a fixed order, integers only, so that equal runs give
/// equal bytes.
///
/// Each line has `t` (nanoseconds on the bench's clock), `source` and `kind`, then the kind's own keys. Values are
/// lower-case hexadecimal text.
public struct TimelineLineWriter: Sendable {
    private static let hexadecimal = Array("0123456789abcdef".utf8)

    /// The lines written so far; the owner takes them out and empties it.
    public var bytes: [UInt8] = []

    /// A writer with nothing written.
    public init() {}

    /// Appends the line of `event`.
    public mutating func append(_ event: BenchEvent) {
        bytes.append(contentsOf: "{\"t\":".utf8)
        integer(event.time.nanoseconds)
        text("source", event.source)
        payload(event.payload)
        bytes.append(contentsOf: "}\n".utf8)
    }

    private mutating func payload(_ payload: BenchEvent.Payload) {
        text("kind", payload.kind)
        switch payload {
        case .timeline(let version, let seed):
            number("version", version)
            text("seed", String(seed))
        case .suite(let name, let file):
            text("name", name)
            text("file", file)
        case .case(let name): text("name", name)
        case .step(let line, let step):
            number("line", line)
            text("text", step)
        case .verdict(let cause): text("verdict", cause?.rawValue ?? "passed")
        case .power(let isOn): bool("on", isOn)
        case .reset: break
        case .flash(let count, let address):
            number("bytes", count)
            number("address", address)
        case .console(let line), .input(let line): text("text", line)
        case .panic(let message), .watchdog(let message): text("text", message)
        case .advertisement(let address, let name, let services, let rssi):
            advertisement(address, name, services, rssi)
        case .connected(let address): text("address", address)
        case .disconnected(let reason): number("reason", Int(reason))
        case .mtu(let mtu): number("mtu", mtu)
        case .discovered(let services, let characteristics):
            number("services", services)
            number("characteristics", characteristics)
        case .write(let attribute, let value, let hasResponse):
            number("attribute", Int(attribute))
            hex("value", value)
            bool("response", hasResponse)
        case .read(let attribute, let value), .notification(let attribute, let value),
            .indication(let attribute, let value):
            number("attribute", Int(attribute))
            hex("value", value)
        case .subscription(let attribute, let kind):
            number("attribute", Int(attribute))
            text("to", kind.rawValue)
        case .attError(let attribute, let code):
            number("attribute", Int(attribute))
            number("code", Int(code))
        }
    }

    private mutating func advertisement(_ address: String, _ name: String?, _ services: [BLEUUID], _ rssi: Int) {
        text("address", address)
        if let name { text("name", name) }
        key("services")
        bytes.append(UInt8(ascii: "["))
        for (index, service) in services.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            quoted(service.description)
        }
        bytes.append(UInt8(ascii: "]"))
        number("rssi", rssi)
    }

    private mutating func key(_ key: StaticString) {
        bytes.append(contentsOf: ",\"".utf8)
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: "\":".utf8)
    }

    private mutating func number(_ key: StaticString, _ value: Int) {
        self.key(key)
        integer(Int64(value))
    }

    private mutating func bool(_ key: StaticString, _ value: Bool) {
        self.key(key)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    private mutating func text(_ key: StaticString, _ value: String) {
        self.key(key)
        quoted(value)
    }

    private mutating func hex(_ key: StaticString, _ value: [UInt8]) {
        self.key(key)
        bytes.append(UInt8(ascii: "\""))
        for byte in value {
            bytes.append(Self.hexadecimal[Int(byte >> 4)])
            bytes.append(Self.hexadecimal[Int(byte & 15)])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func integer(_ value: Int64) {
        let start = bytes.count
        var magnitude = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10))
            magnitude /= 10
        } while magnitude > 0
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes[start...].reverse()
    }

    private mutating func quoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20, 0x7F:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(Self.hexadecimal[Int(byte >> 4)])
                bytes.append(Self.hexadecimal[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension BenchEvent.Payload {
    /// The name of the kind, as the timeline writes it.
    public var kind: String {
        switch self {
        case .timeline: "timeline"
        case .suite: "suite"
        case .case: "case"
        case .step: "step"
        case .verdict: "verdict"
        case .power: "power"
        case .reset: "reset"
        case .flash: "flash"
        case .console: "console"
        case .input: "input"
        case .panic: "panic"
        case .watchdog: "watchdog"
        case .advertisement: "advertisement"
        case .connected: "connected"
        case .disconnected: "disconnected"
        case .mtu: "mtu"
        case .discovered: "discovered"
        case .write: "write"
        case .read: "read"
        case .subscription: "subscription"
        case .notification: "notification"
        case .indication: "indication"
        case .attError: "attError"
        }
    }
}
