import BLECore
import MonotonicTime

/// Writes events as JSON Lines: one object a line, keys in a fixed order, integers only, so that equal runs give
/// equal bytes.
///
/// Each line has `t` (nanoseconds on the bench's clock), `source` and `kind`, then the kind's own keys. Values are
/// lower-case hexadecimal text.
public struct TimelineLineWriter: Sendable {
    private var json = JSONWriter()

    /// A writer with nothing written.
    public init() {}

    /// The lines written so far.
    public var bytes: [UInt8] { json.bytes }

    /// How many bytes the lines written so far have.
    public var count: Int { json.bytes.count }

    /// Forgets the lines written so far.
    public mutating func removeAll() {
        json.bytes.removeAll(keepingCapacity: true)
    }

    /// Appends the line of `event`.
    public mutating func append(_ event: BenchEvent) {
        json.line(event)
    }
}

extension JSONWriter {
    fileprivate mutating func line(_ event: BenchEvent) {
        self.event(event)
        bytes.append(UInt8(ascii: "\n"))
        startOver()
    }

    /// Writes an event as an object.
    package mutating func event(_ event: BenchEvent) {
        object { json in
            json.key("t")
            json.integer(event.time.nanoseconds)
            json.string("source", event.source)
            json.string("kind", event.payload.kind)
            json.payload(event.payload)
        }
    }

    private mutating func payload(_ payload: BenchEvent.Payload) {
        switch payload {
        case .timeline(let version, let seed):
            integer("version", version)
            string("seed", String(seed))
        case .suite(let name, let file):
            string("name", name)
            string("file", file)
        case .case(let name): string("name", name)
        case .step(let line, let step):
            integer("line", line)
            string("text", step)
        case .verdict(let cause): string("verdict", cause?.rawValue ?? "passed")
        case .power(let isOn): bool("on", isOn)
        case .reset: break
        case .flash(let count, let address):
            integer("bytes", count)
            integer("address", address)
        case .boot(let text): string("text", text)
        case .pin(let number, let isHigh):
            integer("pin", number)
            bool("high", isHigh)
        case .hci(let isFromHost, let packet):
            bool("fromHost", isFromHost)
            hexadecimal("packet", packet)
        case .console(let line), .input(let line): string("text", line)
        case .panic(let message), .watchdog(let message): string("text", message)
        case .advertisement(let address, let name, let services, let rssi):
            string("address", address)
            if let name { string("name", name) }
            key("services")
            array(services) { $0.string($1.description) }
            integer("rssi", rssi)
        case .connected(let address): string("address", address)
        case .disconnected(let reason): integer("reason", Int(reason))
        case .mtu(let mtu): integer("mtu", mtu)
        case .discovered(let services, let characteristics):
            integer("services", services)
            integer("characteristics", characteristics)
        case .write(let attribute, let value, let hasResponse):
            integer("attribute", Int(attribute))
            hexadecimal("value", value)
            bool("response", hasResponse)
        case .read(let attribute, let value), .notification(let attribute, let value),
            .indication(let attribute, let value):
            integer("attribute", Int(attribute))
            hexadecimal("value", value)
        case .subscription(let attribute, let kind):
            integer("attribute", Int(attribute))
            string("to", kind.rawValue)
        case .attError(let attribute, let code):
            integer("attribute", Int(attribute))
            integer("code", Int(code))
        case .servo, .button, .nvs, .attPDU, .pairing, .pairingInput, .pairingAnswer, .securityFailure,
            .securityRequest, .security, .forgotten, .fault:
            securityPayload(payload)
        }
    }
}

extension JSONWriter {
    /// The keys of what pairings, locks and faults are about.
    private mutating func securityPayload(_ payload: BenchEvent.Payload) {
        switch payload {
        case .servo(let pin, let isAttached, let angle):
            integer("pin", pin)
            bool("attached", isAttached)
            if let angle { integer("angle", angle) }
        case .button(let pin, let isPressed):
            integer("pin", pin)
            bool("pressed", isPressed)
        case .attPDU(let isSent, let pdu):
            bool("sent", isSent)
            hexadecimal("pdu", pdu)
        case .nvs(let text), .pairingInput(let text), .pairingAnswer(let text), .securityFailure(let text),
            .forgotten(let text), .fault(let text):
            string("text", text)
        case .security(let isEncrypted, let isAuthenticated, let isBonded, let keySize):
            bool("encrypted", isEncrypted)
            bool("authenticated", isAuthenticated)
            bool("bonded", isBonded)
            integer("keySize", keySize)
        default: break
        }
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
        case .boot: "boot"
        case .hci: "hci"
        case .pin: "pin"
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
        case .attPDU: "attPDU"
        case .servo: "servo"
        case .button: "button"
        case .nvs: "nvs"
        case .pairing: "pairing"
        case .pairingInput: "pairingInput"
        case .pairingAnswer: "pairingAnswer"
        case .securityFailure: "securityFailure"
        case .securityRequest: "securityRequest"
        case .security: "security"
        case .forgotten: "forgotten"
        case .fault: "fault"
        }
    }
}
