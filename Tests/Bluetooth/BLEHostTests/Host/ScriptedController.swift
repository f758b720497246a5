import BLECore
import BLEHost
import BLEPackets
import ByteCodec
import MonotonicTime
import Testing

/// A host against a controller scripted by the test: every packet of the host must be expected, in order.
struct ScriptedController {
    let host: Host
    var now = MonotonicInstant.zero
    /// The host's packets that no test has read, as H4 packets in hexadecimal.
    private(set) var sent: [String] = []
    private(set) var events: [HostEvent] = []

    /// The answers of the recorded controller to the commands of the startup (`nimble-hci-init.jsonl`).
    static let answers: [String: String] = [
        "030c": "00", "0110": "00080e030860000e03",
        "0210": """
        002000800300c000000000e4000000a822000000000000040000f7ffff7f00000030f0f9ff01008004002000000000000000000000000000\
        000000000000000000
        """, "0310": "000000000060000080", "010c": "00", "630c": "00", "0120": "00", "0220": "00fb000c",
        "0320": "00ff00000000000000", "0910": "0002f0f0f0f0f0", "310c": "00", "330c": "00",
        "1820": "003cc2248ffef4ceb4", "0520": "00",
    ]

    init(_ configuration: HostConfiguration) {
        host = Host(configuration: configuration)
    }

    /// Starts the host with the recorded answers.
    mutating func bringUp(sourceLocation: SourceLocation = #_sourceLocation) throws {
        host.start(now: now)
        drain()
        while let command = sent.first {
            sent.removeFirst()
            let opcode = String(command.dropFirst(2).prefix(4))
            let parameters = try #require(
                Self.answers[opcode], "unexpected command \(command)", sourceLocation: sourceLocation)
            try complete(opcode, parameters)
        }
        #expect(host.isReady, sourceLocation: sourceLocation)
        events = []
    }

    /// The controller sends an H4 packet.
    mutating func send(_ packet: String) throws {
        let bytes = try #require(Hexadecimal.bytes(packet))
        let kind = try #require(HCIPacket.Kind(rawValue: bytes[0]))
        host.receive(HCIPacket(kind, Array(bytes[1...])), now: now)
        drain()
    }

    /// The controller completes a command; `opcode` as in the packet, `parameters` from the status on.
    mutating func complete(_ opcode: String, _ parameters: String = "00") throws {
        let length = String(3 + parameters.count / 2, radix: 16)
        try send("040e" + (length.count < 2 ? "0" : "") + length + "01" + opcode + parameters)
    }

    /// The controller answers a command with a status.
    mutating func status(_ opcode: String, _ status: String = "00") throws {
        try send("040f04" + status + "01" + opcode)
    }

    /// Sends L2CAP bytes as one ACL packet.
    mutating func sendACL(handle: UInt16 = 1, boundary: UInt16 = 2, _ bytes: [UInt8]) {
        let word = handle | boundary << 12
        let header = [word, UInt16(bytes.count)].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        host.receive(HCIPacket(.acl, header + bytes), now: now)
        drain()
    }

    /// The test called the host directly.
    mutating func drain() {
        while let packet = host.nextOutput() {
            sent.append(Hexadecimal.string([packet.kind.rawValue] + packet.bytes))
        }
        while let event = host.nextEvent() { events.append(event) }
    }

    mutating func advance(by duration: Duration) {
        now = now.advanced(by: duration)
        host.advance(to: now)
        drain()
    }

    /// The host's packets since the last call.
    mutating func drainSent() -> [String] {
        defer { sent = [] }
        return sent
    }

    /// The host's events since the last call, as text.
    mutating func drainEvents() -> [String] {
        defer { events = [] }
        return events.map { $0.words }
    }

    /// A central connects to the host with handle 1; the peer's version and features are read.
    mutating func connectAsPeripheral() throws {
        try send("043e1301000100010001f0f0f0f0f00a0000000a0007")
        try status("1d04")
        try send("040c080001000b4c000000")
        try status("1620")
        try send("043e0c04000100ff79010000000000")
        try complete("2220", "000100")
        sent = []
        events = []
    }

    /// The host has connected to a peripheral with handle 1.
    mutating func connectAsCentral() throws {
        try host.connect(to: DeviceAddress(0xF0F0_F0F0_F001, .public), now: now)
        drain()
        try status("0d20")
        try send("043e1301000100000001f0f0f0f0f006000000c80007")
        try complete("2220", "000100")
        sent = []
        events = []
    }
}

extension HostEvent {
    /// One line, for expectations.
    var words: String {
        switch self {
        case .synchronized(let address): "synchronized \(address)"
        case .failed(let error): "failed \(error)"
        case .commandFailed(let opcode, let status): "commandFailed \(opcode) \(status)"
        case .malformedPacket(let error): "malformedPacket \(error)"
        case .linkEstablished(let info): "linkEstablished \(info.handle) \(info.peer)"
        case .connected(let info): "connected \(info.handle)"
        case .linkEnding(let handle): "linkEnding \(handle)"
        case .disconnected(let info, let reason, let wasConnected):
            "disconnected \(info.handle) \(reason) \(wasConnected)"
        case .parametersUpdated(let info):
            "parametersUpdated \(info.interval) \(info.latency) \(info.supervisionTimeout)"
        case .parameterUpdateFailed(_, let status): "parameterUpdateFailed \(status)"
        case .attributePDU(let handle, let pdu): "att \(handle) \(Hexadecimal.string(pdu))"
        case .roomAvailable(let handle): "roomAvailable \(handle)"
        case .advertisingEnded: "advertisingEnded"
        case .scanningStarted: "scanningStarted"
        case .scanningStopped: "scanningStopped"
        case .advertisingReport(let report):
            "report \(report.address) \(report.rssi) \(Hexadecimal.string(report.data))"
        case .connectionFailed(let status): "connectionFailed \(status)"
        case .pairingInput(let handle, let input): "pairingInput \(handle) \(input)"
        case .encryptionChanged(let handle, let status, let security):
            "encryptionChanged \(handle) \(status) \(security.words)"
        case .pairingEnded(let handle, let status): "pairingEnded \(handle) \(status)"
        case .bondEstablished(let handle, let peer): "bondEstablished \(handle) \(peer)"
        case .bondRestored(let handle, let peer): "bondRestored \(handle) \(peer)"
        case .securityChanged(let handle): "securityChanged \(handle)"
        case .identityResolved(let handle, let peer): "identityResolved \(handle) \(peer)"
        case .securityRequested(let handle, let requirements):
            "securityRequested \(handle) \(requirements.rawValue)"
        case .bondsChanged: "bondsChanged"
        case .rssiAnswered(let result): "rssiAnswered \(result)"
        case .phyAnswered(let result): "phyAnswered \(result)"
        case .acceptListAnswered(let status): "acceptListAnswered \(status)"
        case .bondRemoved(let peer): "bondRemoved \(peer)"
        case .identityKeyMade(let key): "identityKeyMade \(Hexadecimal.string(key))"
        }
    }
}

extension LinkSecurity {
    /// The present part.
    var words: String {
        let parts = [isEncrypted ? "encrypted" : "", isAuthenticated ? "authenticated" : "", isBonded ? "bonded" : ""]
        return "[\((parts.filter { !$0.isEmpty } + ["\(keySize)"]).joined(separator: " "))]"
    }
}
