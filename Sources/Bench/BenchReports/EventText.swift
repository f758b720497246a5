import BLECore
import BenchModel
import MonotonicTime

/// Events as people read them.
enum EventText {
    /// One line: time in seconds, source, what happened.
    static func line(_ event: BenchEvent) -> String {
        let microseconds = String(event.time.nanoseconds / 1000 % 1_000_000 + 1_000_000).dropFirst()
        let seconds = "\(event.time.nanoseconds / 1_000_000_000).\(microseconds) s"
        return "\(padLeft(seconds, to: 14))  \(pad(event.source, to: 8))  \(text(event.payload))"
    }

    private static func padLeft(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func text(_ payload: BenchEvent.Payload) -> String {
        switch payload {
        case .timeline(let version, let seed): "timeline version \(version), seed \(seed)"
        case .suite(let name, _): "suite \(name)"
        case .case(let name): "case \(name)"
        case .step(let line, let text): "line \(line): \(text)"
        case .verdict(let cause): cause.map { "failed: \($0.rawValue)" } ?? "passed"
        case .power(let isOn): isOn ? "power on" : "power off"
        case .reset: "reset"
        case .flash(let bytes, let address): "flashed \(bytes) bytes at 0x\(String(address, radix: 16))"
        case .boot(let text): text
        case .pin(let number, let isHigh): "pin \(number) \(isHigh ? "high" : "low")"
        case .hci(let isFromHost, let packet): "HCI \(isFromHost ? "→" : "←") \(bytes(packet))"
        case .console(let line): line
        case .input(let line): "typed: \(line)"
        case .panic(let message): "panic: \(message)"
        case .watchdog(let message): "watchdog: \(message)"
        case .advertisement(let address, let name, let services, let rssi):
            "heard \(address) \(name.map { "'\($0)' " } ?? "")[\(services.map(\.description).joined(separator: " "))] "
                + "\(rssi) dBm"
        case .connected(let address): "connected to \(address)"
        case .disconnected(let reason): "disconnected, reason \(octet(reason))"
        case .mtu(let mtu): "MTU \(mtu)"
        case .discovered(let services, let characteristics):
            "discovered \(services.of("service")), \(characteristics.of("characteristic"))"
        case .write(let attribute, let value, let hasResponse):
            "write \(handle(attribute)) \(bytes(value))\(hasResponse ? "" : " (no response)")"
        case .read(let attribute, let value): "read \(handle(attribute)) \(bytes(value))"
        case .subscription(let attribute, let kind): "subscribe \(handle(attribute)) \(kind.rawValue)"
        case .notification(let attribute, let value): "notification \(handle(attribute)) \(bytes(value))"
        case .indication(let attribute, let value): "indication \(handle(attribute)) \(bytes(value))"
        case .attError(let attribute, let code): "ATT error \(octet(code)) on \(handle(attribute))"
        case .attPDU(let isSent, let pdu): "\(isSent ? "sent" : "got") the ATT PDU \(bytes(pdu))"
        case .servo(let pin, let isAttached, let angle):
            "servo on pin \(pin) " + (angle.map { "at \($0)°" } ?? (isAttached ? "attached" : "detached"))
        case .button(let pin, let isPressed): "button on pin \(pin) \(isPressed ? "pressed" : "released")"
        case .nvs(let text): "NVS \(text)"
        case .pairing: "pairs"
        case .pairingInput(let text): "is asked to \(text)"
        case .pairingAnswer(let text): "answers \(text)"
        case .securityFailure(let text): "security failed: \(text)"
        case .securityRequest: "is asked to protect the link"
        case .security(let isEncrypted, let isAuthenticated, let isBonded, let keySize):
            isEncrypted
                ? "encrypted\(isAuthenticated ? ", authenticated" : "")\(isBonded ? ", bonded" : ""), key size \(keySize)"
                : "not encrypted"
        case .forgotten(let text): "forgot \(text)"
        case .fault(let text): "fault \(text)"
        }
    }

    private static func octet(_ value: UInt8) -> String {
        "0x" + (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true)
    }

    private static func handle(_ handle: UInt16) -> String {
        "0x" + String(Int(handle) + 0x10000, radix: 16).dropFirst()
    }

    private static func bytes(_ bytes: [UInt8]) -> String {
        let text = bytes.prefix(32).map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined(separator: " ")
        return bytes.isEmpty ? "(no bytes)" : bytes.count > 32 ? "\(text) … (\(bytes.count) bytes)" : text
    }
}
