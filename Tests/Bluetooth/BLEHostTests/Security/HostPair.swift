import BLECore
import BLEHost
import BLEPackets
import ByteCodec
import MonotonicTime
import Testing

/// A central's and a peripheral's host connected directly: transports their ACL data, draws random numbers, and
/// encrypts when both hosts supply the same key.
final class HostPair {
    /// The two ends.
    enum Side: CaseIterable {
        case central, peripheral

        var other: Side { self == .central ? .peripheral : .central }
    }

    /// The peripheral's and, by default, the central's public address, as in the recordings.
    static let peripheralAddress = DeviceAddress(0xF0F0_F0F0_F002, .public)
    static let centralAddress = DeviceAddress(0xF0F0_F0F0_F001, .public)

    let central: Host
    let peripheral: Host
    var now = MonotonicInstant.zero
    /// Called for every event; the test answers pairing requests.
    var onEvent: (Side, HostEvent) -> Void = { _, _ in }
    /// The events of both, as text.
    private(set) var log: [String] = []
    /// The commands each side has sent.
    private(set) var commands: [Side: [HCIPacket]] = [:]
    /// Modifies an ACL packet in transit; `nil` drops it.
    var onAir: (Side, HCIPacket) -> HCIPacket? = { _, packet in packet }
    /// The addresses on air, if they are not the public ones.
    var randomAddress: [Side: DeviceAddress] = [:]

    private var random = SeededRandom(seed: 3)
    private var isEncrypted = false
    private var pendingKey: [UInt8] = []

    init(_ central: HostConfiguration = .central(.none), _ peripheral: HostConfiguration = .nimble) {
        self.central = Host(configuration: central)
        self.peripheral = Host(configuration: peripheral)
    }

    func host(_ side: Side) -> Host { side == .central ? central : peripheral }

    func start() throws {
        for side in Side.allCases {
            host(side).start(now: now)
            run()
            try #require(host(side).isReady)
        }
        log = []
    }

    /// Removes and returns the events since the last call.
    func drainLog() -> [String] {
        defer { log = [] }
        return log
    }

    /// Connects with handle 1; the addresses on air are `addresses`, or else the public ones.
    func connect(central: DeviceAddress = centralAddress, peripheral: DeviceAddress = peripheralAddress) throws {
        try self.central.connect(to: peripheral, now: now)
        run()
        for (side, peer, role) in [(Side.central, peripheral, UInt8(0)), (.peripheral, central, 1)] {
            var writer = ByteWriter(capacity: 32)
            writer.append([0x01, 0x00, 0x01, 0x00, role, peer.kind.rawValue])
            peer.write(to: &writer)
            writer.append([0x06, 0, 0, 0, 0xC8, 0, 7])
            event(0x3E, writer.bytes, to: side)
        }
        run()
    }

    func disconnect(_ reason: HCIErrorCode = .remoteUserTerminatedConnection) {
        for side in Side.allCases { event(0x05, [0, 1, 0, reason.rawValue], to: side) }
        isEncrypted = false
        run()
    }

    func advance(by duration: Duration) {
        now = now.advanced(by: duration)
        for side in Side.allCases { host(side).advance(to: now) }
        run()
    }

    /// Transports packets until none is left.
    func run() {
        var hasWorked = true
        while hasWorked {
            hasWorked = false
            for side in Side.allCases {
                while let packet = host(side).nextOutput() {
                    hasWorked = true
                    carry(packet, from: side)
                }
                while let event = host(side).nextEvent() {
                    hasWorked = true
                    if !event.words.hasPrefix("att") { log.append("\(side) \(event.words)") }
                    onEvent(side, event)
                }
            }
        }
    }

    // MARK: The controllers

    private func carry(_ packet: HCIPacket, from side: Side) {
        guard packet.kind == .acl else { return answer(packet, side) }
        event(0x13, [1, 1, 0, 1, 0], to: side)
        guard let carried = onAir(side, packet) else { return }
        // Packets to a controller begin with boundary 0, packets from it with 2.
        var bytes = carried.bytes
        if bytes[1] & 0x30 == 0 { bytes[1] |= 0x20 }
        host(side.other).receive(HCIPacket(.acl, bytes), now: now)
    }

    private func event(_ code: UInt8, _ parameters: [UInt8], to side: Side) {
        host(side).receive(HCIPacket(.event, [code, UInt8(parameters.count)] + parameters), now: now)
    }

    private func complete(_ command: HCIPacket, _ parameters: [UInt8], to side: Side) {
        event(0x0E, [1] + command.bytes.prefix(2) + parameters, to: side)
    }

    private func answer(_ command: HCIPacket, _ side: Side) {
        commands[side, default: []].append(command)
        let opcode = HCIOpcode(rawValue: UInt16(command.bytes[0]) | UInt16(command.bytes[1]) << 8)
        let parameters = Array(command.bytes.dropFirst(3))
        switch opcode {
        case .hostNumberOfCompletedPackets: break
        case .leRand: complete(command, [0] + random.bytes(8), to: side)
        case .readBDADDR:
            complete(command, [0, side == .central ? 0x01 : 0x02, 0xF0, 0xF0, 0xF0, 0xF0, 0xF0], to: side)
        case .readRemoteVersionInformation:
            status(command, to: side)
            event(0x0C, [0, 1, 0, 0x0B, 0x4C, 0, 0, 0], to: side)
        case .leReadRemoteFeatures:
            status(command, to: side)
            event(0x3E, [4, 0, 1, 0, 0xFF, 0x79, 1, 0, 0, 0, 0, 0], to: side)
        case .leSetDataLength: complete(command, [0, 1, 0], to: side)
        case .leCreateConnection: status(command, to: side)
        case .disconnect:
            status(command, to: side)
            disconnect(.remoteUserTerminatedConnection)
        case .leEnableEncryption:
            status(command, to: side)
            pendingKey = Array(parameters.suffix(16))
            event(0x3E, [5] + parameters.prefix(12), to: side.other)
        case .leLongTermKeyRequestReply:
            complete(command, [0, 1, 0], to: side)
            if Array(parameters.suffix(16)) == pendingKey {
                encrypted()
            } else {
                disconnect(.terminatedDueToMICFailure)
            }
        case .leLongTermKeyRequestNegativeReply:
            complete(command, [0, 1, 0], to: side)
            event(0x08, [0x06, 1, 0, 0], to: side.other)
        default:
            let text = Hexadecimal.string(command.bytes.prefix(2))
            complete(command, Hexadecimal.bytes(ScriptedController.answers[text] ?? "00") ?? [], to: side)
        }
    }

    private func status(_ command: HCIPacket, to side: Side) {
        event(0x0F, [0, 1] + command.bytes.prefix(2), to: side)
    }

    private func encrypted() {
        for side in Side.allCases {
            if isEncrypted { event(0x30, [0, 1, 0], to: side) } else { event(0x08, [0, 1, 0, 1], to: side) }
        }
        isEncrypted = true
    }
}
