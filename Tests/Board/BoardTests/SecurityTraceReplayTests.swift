import BLECentral
import BLECentralHCI
import BLECore
import BLEHost
import BLEPackets
import BLERadio
import ByteCodec
import FirmwareBuild
import Foundation
import BenchExecutor
import Synchronization
import Testing
import VirtualBoard

/// Replays the recorded lock and calculator before, during and after pairing, through all layers: our central pairs in
/// place of the recorded one, so that keys differ and everything else is equal.
@Suite struct SecurityTraceReplayTests {
    typealias Step = TraceReplayTests.Step

    private static let lists = [
        ("nimble-lock", "TraceLock", 695), ("nimble-borders", "TraceLock", 33),
        ("nimble-security-more", "TraceLock", 74), ("nimble-calculator-pair", "TraceCalculator", 8),
    ]

    @Test(arguments: lists)
    func everyRecordedStepIsEqualOverTheWholeStack(file: String, sketch: String, count: Int) async throws {
        try await everyRecordedStepIsEqual(file, sketch, count, .builtIn)
    }

    @Test(.needsNimBLELibrary, arguments: lists)
    func everyRecordedStepIsEqualWithTheLibrary(file: String, sketch: String, count: Int) async throws {
        try await everyRecordedStepIsEqual(file, sketch, count, .library)
    }

    private func everyRecordedStepIsEqual(
        _ file: String, _ sketch: String, _ count: Int, _ nimble: NimBLEChoice
    ) async throws {
        let steps = try Step.load(file)
        #expect(steps.count == count)
        #expect(try await replay(steps, sketch, nimble).differences == [])
    }

    @Test func oneDifferentByteIsDetected() async throws {
        try await oneDifferentByteIsDetected(.builtIn)
    }

    @Test(.needsNimBLELibrary) func oneDifferentByteIsDetectedWithTheLibrary() async throws {
        try await oneDifferentByteIsDetected(.library)
    }

    private func oneDifferentByteIsDetected(_ nimble: NimBLEChoice) async throws {
        var steps = try Step.load("nimble-security-more")
        let place = try #require(steps.firstIndex { $0.step == "encrypt" && !$0.recv.isEmpty })
        steps[place].recv = []
        #expect(try await replay(steps, "TraceLock", nimble).differences.count == 1)
    }

    private static let commandLists = [
        ("nimble-lock", "TraceLock", "nimble-hci-lock", 6),
        ("nimble-calculator-pair", "TraceCalculator", "nimble-hci-calculator-pair", 2),
    ]

    /// The commands of the board's host in the pairings and encryptions of the recorded lock and calculator: the same
    /// commands in the same order. `NimBLESecurityHCITests` compares their keys, with recorded random numbers.
    @Test(arguments: commandLists)
    func theBoardSendsTheCommandsNimBLESent(file: String, sketch: String, hci: String, count: Int) async throws {
        try await theBoardSendsTheCommands(file, sketch, hci, count, .builtIn)
    }

    @Test(.needsNimBLELibrary, arguments: commandLists)
    func theLibrarySendsTheCommandsItSent(file: String, sketch: String, hci: String, count: Int) async throws {
        try await theBoardSendsTheCommands(file, sketch, hci, count, .library)
    }

    private func theBoardSendsTheCommands(
        _ file: String, _ sketch: String, _ hci: String, _ count: Int, _ nimble: NimBLEChoice
    ) async throws {
        let recorded = try HCILine.phases(hci)
        #expect(recorded.count == count)
        let steps = try Step.load(file).filter { Self.matters($0, sketch) }
        #expect(try await replay(steps, sketch, nimble).commands == recorded)
    }

    /// Only the connections in which the lock pairs; another test replays its hundreds of reads.
    private static func matters(_ step: Step, _ sketch: String) -> Bool {
        sketch != "TraceLock" || ["connect", "pair", "encrypt"].contains(step.step)
    }

    private struct Outcome: Sendable {
        var differences: [String] = []
        /// The commands of the board in each pairing and encryption.
        var commands: [[String]] = []
    }

    private func replay(_ steps: [Step], _ sketch: String, _ nimble: NimBLEChoice) async throws -> Outcome {
        let firmware = try await SketchBuilds.shared.build(sketch, nimble: nimble)
        let bench = try await BoardBench()
        return try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            let commands = CommandLog()
            await bench.radio.setObserver { commands.append($0) }
            await board.powerOn()
            try await bench.sleep(.seconds(2))
            let central = try await central(bench, board)
            var connection: ConnectionID?
            var outcome = Outcome()
            let received = PDULog()
            for (place, step) in steps.enumerated() {
                if step.step == "connect" {
                    if let connection { try await central.disconnect(connection) }
                    let made = try await central.connectAndAccept(
                        to: PeerID(board.bluetoothAddress), within: .seconds(5))
                    try await central.setRawATTHandler({ received.append($0) }, on: made)
                    connection = made
                } else if let connection {
                    let isSecurity = step.step == "pair" || step.step == "encrypt"
                    if isSecurity { _ = commands.take() }
                    switch step.step {
                    case "pair":
                        // Ours refuses to weaken a bond, which the recorded one did.
                        if step.note.hasPrefix("legacy") || step.note.hasPrefix("central DisplayYesNo") {
                            try await central.forget(board.bluetoothAddress)
                        }
                        try await pair(step, central, connection)
                    case "encrypt": try await encrypt(step, central, connection)
                    default: try await central.sendRawATT(try #require(Hexadecimal.bytes(step.send)), on: connection)
                    }
                    if isSecurity {
                        try await bench.sleep(.milliseconds(300))
                        outcome.commands.append(commands.take())
                    }
                }
                try await bench.sleep(.milliseconds(300))
                let answers = received.take()
                if answers != step.recv {
                    outcome.differences.append(
                        "\(place) \(step.step) (\(step.note)): \(step.send): expected \(step.recv), got \(answers)")
                }
            }
            #expect(log.starts == 1)
            #expect(log.ends == [])
            return outcome
        }
    }

    /// A central that stores a key of the calculator, as the recorded one did without a bond.
    private func central(_ bench: BoardBench, _ board: VirtualBoard) async throws -> HCICentral {
        let key = LongTermKey(
            value: Array(repeating: 7, count: 16), ediv: 1, rand: 2, isAuthenticated: false, isSecureConnections: false)
        let store = MemoryBondStore(StoredKeys(bonds: [Bond(peer: board.bluetoothAddress, peerKey: key)]))
        let central = HCICentral(
            executor: bench.executor,
            transport: await bench.radio.attach(address: DeviceAddress(0x0200_0000_0001, .public)),
            address: DeviceAddress(0xC000_0000_0001, .random), bondStore: store)
        try await central.powerOn()
        return central
    }

    private func pair(_ step: Step, _ central: HCICentral, _ connection: ConnectionID) async throws {
        let security = try #require(Self.centrals.first { step.note.hasPrefix($0.0) }?.1, "\(step.note)")
        try await central.setSecurity(security)
        let passkey: UInt32 = step.note.contains("wrong passkey 111111") ? 111111 : 123456
        central.events.setHandler(on: central.executor) { event in
            guard case .pairingInput(connection, .enterPasskey) = event else { return }
            central.executor.post {
                central.assumeIsolated { try? $0.answer(.passkey(passkey), on: connection) }
            }
        }
        do {
            _ = try await central.pair(connection)
            #expect(!step.note.contains("FAILED"), "\(step.note)")
        } catch {
            #expect(step.note.contains("FAILED"), "\(step.note): \(error)")
            #expect(error.code == .pairingFailed(reason: 0x04))
        }
    }

    private func encrypt(_ step: Step, _ central: HCICentral, _ connection: ConnectionID) async throws {
        do {
            _ = try await central.encrypt(connection)
            #expect(!step.note.contains("FAILED"), "\(step.note)")
        } catch {
            #expect(step.note.contains("FAILED"), "\(step.note): \(error)")
            #expect(error.code == .encryptionFailed(status: 0x06))
        }
    }

    /// The recorded central's settings, by the beginning of the step's note.
    private static let centrals: [(String, CentralSecurity)] = [
        ("just works, no bonding", CentralSecurity(ioCapability: .noInputNoOutput, bonding: false, mitm: false)),
        ("just works with bonding flag", CentralSecurity(ioCapability: .noInputNoOutput, mitm: false)),
        (
            "legacy just works",
            CentralSecurity(ioCapability: .noInputNoOutput, mitm: false, secureConnections: .off)
        ),
        ("legacy passkey entry", CentralSecurity(ioCapability: .keyboardOnly, secureConnections: .off)),
        ("passkey", CentralSecurity(ioCapability: .keyboardOnly)),
        ("upgrade: passkey", CentralSecurity(ioCapability: .keyboardOnly)),
        ("pair again", CentralSecurity(ioCapability: .keyboardOnly)),
        ("central asks SC+MITM+bond", CentralSecurity(ioCapability: .keyboardOnly)),
        ("central DisplayYesNo", CentralSecurity(ioCapability: .displayYesNo)),
        ("central KeyboardDisplay", CentralSecurity(ioCapability: .keyboardDisplay)),
        ("central KeyboardOnly but MITM not asked", CentralSecurity(ioCapability: .keyboardOnly, mitm: false)),
    ]
}

/// A line of an HCI recording.
private struct HCILine: Decodable {
    var phase: String
    var dir: String
    var hci: String

    /// The commands of each pairing and encryption, as ``CommandLog`` writes them.
    static func phases(_ name: String) throws -> [[String]] {
        let text = try String(contentsOfFile: "\(Repository.traces)/\(name).jsonl", encoding: .utf8)
        var phases: [(name: String, commands: [String])] = []
        for text in text.split(separator: "\n") {
            let line = try JSONDecoder().decode(HCILine.self, from: Data(text.utf8))
            guard line.phase.hasPrefix("pair:") || line.phase.hasPrefix("encrypt:") else { continue }
            if phases.last?.name != line.phase { phases.append((line.phase, [])) }
            let packet = try #require(Hexadecimal.bytes(line.hci))
            guard line.dir == "h2c", packet[0] == 1, let command = CommandLog.text(of: Array(packet[1...])) else {
                continue
            }
            phases[phases.count - 1].commands.append(command)
        }
        return phases.map(\.commands)
    }
}

/// The commands of the first controller's host.
private final class CommandLog: Sendable {
    private let entries = Mutex<(controller: ControllerID?, commands: [String])>((nil, []))

    func append(_ observation: Radio.Observation) {
        entries.withLock { entries in
            if entries.controller == nil { entries.controller = observation.controller }
            guard observation.controller == entries.controller, observation.isFromHost,
                observation.packet.kind == .command, let text = Self.text(of: observation.packet.bytes)
            else { return }
            entries.commands.append(text)
        }
    }

    func take() -> [String] {
        entries.withLock { entries in
            defer { entries.commands = [] }
            return entries.commands
        }
    }

    /// The name and length of a command; `nil` for Host Number Of Completed Packets, which depends on earlier traffic.
    static func text(of command: [UInt8]) -> String? {
        let opcode = HCIOpcode(rawValue: UInt16(command[0]) | UInt16(command[1]) << 8)
        return opcode == .hostNumberOfCompletedPackets ? nil : "\(opcode) \(command.count)"
    }
}
