import BLECore
import BLEHost
import BLEPackets
import ByteCodec
import MonotonicTime
import Testing

/// A host with recorded and nearly valid input from its controller and peers.
@Suite struct HostFuzzTests {
    private static let inputs = 60_000
    /// The most packets that an input may cause.
    private static let outputLimit = 64

    @Test(arguments: Fuzz.seeds, [true, false]) func randomControllerInputNeverTrapsTheHost(
        seed: UInt64, isNimBLE: Bool
    ) throws {
        var fuzz = Fuzz(seed: seed, "host")
        let packets = try Recordings.packets()
        let events = Recordings.fewOfEach(packets.filter { $0.kind == .event }.map(\.bytes)) { bytes in
            // Event code; subevent of an LE event, command of Command Complete.
            [bytes[0]] + (bytes[0] == 0x3E ? bytes[2...2] : bytes[0] == 0x0E ? bytes[3...4] : [])
        }
        let attributes = try Recordings.attributePDUs()
        let channels: [(UInt16, [[UInt8]])] = [
            (4, attributes.requests), (4, attributes.answers),
            (6, Recordings.fewOfEach(try Recordings.securityPDUs()) { Array($0.prefix(1)) }),
            (
                5,
                packets.filter { $0.kind == .acl && $0.bytes.count > 8 && $0.bytes[6] == 5 }.map {
                    Array($0.bytes[8...])
                }
            ),
        ]
        var bench = HostUnderFuzz(isNimBLE ? .nimble : .central(.none), seed)
        try bench.bringUp()
        for round in 0..<Self.inputs {
            let packet: HCIPacket
            if fuzz.once(in: 3) {
                var bytes = fuzz.input(near: events)
                // A valid length reaches more code.
                if bytes.count >= 2, !fuzz.once(in: 4) { bytes[1] = UInt8(truncatingIfNeeded: bytes.count - 2) }
                packet = HCIPacket(.event, bytes)
            } else {
                let (channel, valid) = fuzz.any(of: channels)
                let pdu = fuzz.input(near: valid, longest: 300)
                packet = HCIPacket(.acl, bench.fragment(pdu, on: channel, &fuzz))
            }
            bench.receive(packet, &fuzz)
            if bench.outputs > Self.outputLimit {
                Issue.record("\(bench.outputs) outputs for one input: \(fuzz.place(packet.bytes))")
                return
            }
            if fuzz.once(in: 50) { bench.advance(by: .milliseconds(fuzz.below(400))) }
            if fuzz.once(in: 8) { bench.act(&fuzz) }
            bench.reconnect()
            // A failed host can be restarted at any time.
            if round % 500 == 499 || !bench.host.isReady { try bench.recover() }
        }
        // Coverage.
        #expect(bench.pairingInputs > 10)
        #expect(bench.disconnections > 50)
    }
}

/// A host, and a controller that answers every command with success.
struct HostUnderFuzz {
    let host: Host
    private var now = MonotonicInstant.zero
    private var random: SeededRandom
    /// The host's packets and events since the last input.
    private(set) var outputs = 0
    private var attributePDUs = 0
    /// The number of pairings that reached the user, and of lost links.
    private(set) var pairingInputs = 0
    private(set) var disconnections = 0

    init(_ configuration: HostConfiguration, _ seed: UInt64) {
        host = Host(configuration: configuration)
        host.security = SecurityConfiguration(
            ioCapability: .keyboardDisplay, bonding: true, mitm: true, secureConnections: true)
        random = SeededRandom(seed: seed)
    }

    mutating func bringUp() throws {
        host.start(now: now)
        drain(answersAll: true)
        try #require(host.isReady)
        for handle: UInt8 in 1...2 { connect(handle) }
    }

    /// Reconnects lost links.
    mutating func reconnect() {
        for handle: UInt8 in 1...2 where host.isReady && host.connection(UInt16(handle)) == nil { connect(handle) }
    }

    private mutating func connect(_ handle: UInt8) {
        let role = handle & 1
        let event: [UInt8] = [
            0x3E, 19, 1, 0, handle, 0, role, 0, handle, 0xF0, 0xF0, 0xF0, 0xF0, 0xF0, 6, 0, 0, 0, 0xC8, 0, 7,
        ]
        host.receive(HCIPacket(.event, event), now: now)
        drain(answersAll: true)
    }

    mutating func receive(_ packet: HCIPacket, _ fuzz: inout Fuzz) {
        outputs = 0
        host.receive(packet, now: now)
        drain(answersAll: !fuzz.once(in: 4000))
    }

    mutating func advance(by duration: Duration) {
        now = now.advanced(by: duration)
        host.advance(to: now)
        drain(answersAll: true)
    }

    /// The owner does something.
    mutating func act(_ fuzz: inout Fuzz) {
        let handle = UInt16(fuzz.below(3))
        switch fuzz.below(8) {
        case 0: try? host.pair(on: handle, now: now)
        case 1: try? host.startSecurity(on: handle, now: now)
        case 2: try? host.answerPairing(.passkey(123_456), on: handle, now: now)
        case 3: try? host.answerPairing(.confirm(true), on: handle, now: now)
        case 4: try? host.startScanning(ScanParameters(), now: now)
        case 5: try? host.setPrivacy(fuzz.once(in: 2), now: now)
        case 6: host.sendATT([0x0A, 3, 0], on: handle, now: now)
        default: try? host.connect(to: DeviceAddress(0xF0F0_F0F0_F001, .public), now: now)
        }
        drain(answersAll: true)
    }

    /// One PDU as an ACL packet, mostly with headers that fit.
    mutating func fragment(_ pdu: [UInt8], on channel: UInt16, _ fuzz: inout Fuzz) -> [UInt8] {
        var frame = [UInt8(truncatingIfNeeded: pdu.count), UInt8(truncatingIfNeeded: pdu.count >> 8)]
        frame += [UInt8(truncatingIfNeeded: channel), UInt8(channel >> 8)] + pdu
        if fuzz.once(in: 10) { frame[fuzz.below(4)] = fuzz.byte() }
        var boundary: UInt8 = 2
        if fuzz.once(in: 6) {
            boundary = UInt8(fuzz.below(4))
            frame =
                fuzz.once(in: 2)
                ? Array(frame.prefix(fuzz.below(frame.count))) : Array(frame.dropFirst(fuzz.below(frame.count)))
        }
        var header = [UInt8(1 + fuzz.below(2)), boundary << 4]
        header += [UInt8(truncatingIfNeeded: frame.count), UInt8(truncatingIfNeeded: frame.count >> 8)]
        if fuzz.once(in: 20) { header[fuzz.below(4)] = fuzz.byte() }
        return header + frame
    }

    /// Whatever the input: after a reset the host works.
    mutating func recover() throws {
        advance(by: .seconds(40))
        try bringUp()
        let before = attributePDUs
        host.receive(HCIPacket(.acl, [1, 0x20, 7, 0, 3, 0, 4, 0, 0x0A, 3, 0]), now: now)
        drain(answersAll: true)
        #expect(attributePDUs == before + 1)
        #expect(host.connections.count == 2)
    }

    private mutating func drain(answersAll: Bool) {
        var hasWorked = true
        while hasWorked {
            hasWorked = false
            while let packet = host.nextOutput() {
                hasWorked = true
                outputs += 1
                if packet.kind == .command, answersAll { answer(packet) }
            }
            while let event = host.nextEvent() {
                hasWorked = true
                outputs += 1
                switch event {
                case .attributePDU: attributePDUs += 1
                case .pairingInput: pairingInputs += 1
                case .disconnected: disconnections += 1
                default: break
                }
            }
        }
    }

    private mutating func answer(_ command: HCIPacket) {
        let opcode = HCIOpcode(rawValue: UInt16(command.bytes[0]) | UInt16(command.bytes[1]) << 8)
        let statusOnly: Set<HCIOpcode> = [
            .disconnect, .readRemoteVersionInformation, .leCreateConnection, .leConnectionUpdate, .leReadRemoteFeatures,
            .leEnableEncryption,
        ]
        if opcode == .hostNumberOfCompletedPackets { return }
        if statusOnly.contains(opcode) {
            return event(0x0F, [0, 1] + command.bytes.prefix(2))
        }
        var parameters: [UInt8] =
            switch opcode {
            case .leRand: [0] + random.bytes(8)
            case .readBDADDR: [0, 2, 0xF0, 0xF0, 0xF0, 0xF0, 0xF0]
            case .readLocalSupportedFeatures: [0, 0, 0, 0, 0, 0x60, 0, 0, 0]
            case .readLocalVersionInformation: [0, 8, 0x0E, 3, 8, 0x60, 0, 0x0E, 3]
            case .leReadBufferSize: [0, 0xFB, 0, 12]
            default: [0]
            }
        if parameters == [0] { parameters += [UInt8](repeating: 0, count: 64) }
        if let type = HCIOpcode.commands.first(where: { $0.opcode == opcode }) {
            parameters = Self.fitting(type, parameters)
        }
        event(0x0E, [1] + command.bytes.prefix(2) + parameters)
    }

    /// The part of `parameters` that fits into the answer to a command.
    private static func fitting<Command: HCICommand>(_ type: Command.Type, _ parameters: [UInt8]) -> [UInt8] {
        var reader = ByteReader(parameters, subject: "parameters")
        guard (try? Command.ReturnParameters(from: &reader)) != nil else { return parameters }
        return Array(parameters.prefix(reader.offset))
    }

    private mutating func event(_ code: UInt8, _ parameters: [UInt8]) {
        host.receive(HCIPacket(.event, [code, UInt8(parameters.count)] + parameters), now: now)
    }
}
