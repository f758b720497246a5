import BLECore
import BLEPackets
import BLERadio
import ByteCodec
import Foundation
import Testing

/// The recorded initialisation, advertising and connection of a NimBLE host
/// (`Tests/Bluetooth/Traces/nimble-hci-init.jsonl`), on our controller: every command is answered with the event of the
/// recorded controller.
@Suite struct TraceReplayTests {
    struct Line: Decodable {
        var phase: String
        var dir: String
        var hci: String

        var bytes: [UInt8] { Array((Hexadecimal.bytes(hci) ?? []).dropFirst()) }
    }

    static func load() throws -> [Line] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: tests.appending(path: "Traces/nimble-hci-init.jsonl"), encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    /// Random numbers, addresses and the set of commands are each controller's own.
    static let ownValues: Set<HCIOpcode> = [.leRand, .readBDADDR, .readLocalSupportedCommands]

    static let aboutAConnection: Set<HCIOpcode> = [
        .readRemoteVersionInformation, .leReadRemoteFeatures, .leSetDataLength,
    ]

    @Test func everyCommandIsAnsweredAsRecorded() throws {
        let bench = AirBench()
        let board = bench.add()
        let central = bench.add()
        bench.send(HCILEWriteSuggestedDefaultDataLength(txOctets: 251, txTime: 2120), from: central)
        let lines = try Self.load()
        var answered = 0
        for (index, line) in lines.enumerated() {
            if line.dir == "c2h" {
                let event = try HCIAnyEvent(decoding: line.bytes[...])
                try happen(event, bench, central: central, board: board)
                continue
            }
            _ = bench.take(board)
            let command = try HCIAnyCommand(decoding: line.bytes[...])
            let hasHandle = Self.aboutAConnection.contains(command.opcode)
            bench.send(HCIPacket(.command, hasHandle ? withOurHandle(line.bytes, at: 3) : line.bytes), from: board)
            let recorded = try lines[(index + 1)...].first { other in
                guard other.dir == "c2h" else { return false }
                let event = try HCIAnyEvent(decoding: other.bytes[...])
                return switch event.code {
                case .commandComplete: try HCICommandComplete(event).command == command.opcode
                case .commandStatus: try HCICommandStatus(event).command == command.opcode
                default: false
                }
            }
            guard let recorded else {
                // Host Number Of Completed Packets has no answer.
                #expect(command.opcode == .hostNumberOfCompletedPackets)
                #expect(bench.take(board).isEmpty)
                continue
            }
            let ours = try #require(bench.take(board).first).bytes
            let theirs = recorded.bytes
            answered += 1
            if Self.ownValues.contains(command.opcode) {
                #expect(ours.prefix(6) == theirs.prefix(6))
                #expect(ours.count == theirs.count)
            } else {
                #expect(
                    Hexadecimal.string(ours) == Hexadecimal.string(hasHandle ? withOurHandle(theirs, at: 6) : theirs))
            }
        }
        #expect(answered == 28)
    }

    /// Air events of the recording are reproduced, and end in the same event.
    private func happen(_ event: HCIAnyEvent, _ bench: AirBench, central: ControllerID, board: ControllerID) throws {
        switch (event.code, event.subevent) {
        case (.leMeta, .connectionComplete):
            bench.send(AirBench.connection(to: AirBench.address(0), interval: 10, timeout: 10), from: central)
            bench.run(for: .milliseconds(200))
            let recorded = try HCILEConnectionComplete(event)
            // Our host of the trace has unmasked the enhanced event, which the recorded controller did not support.
            let ours = try #require(try bench.take(HCILEEnhancedConnectionComplete.self, board).first)
            #expect(ours.status == recorded.status)
            #expect(ours.role == recorded.role)
            #expect(ours.interval == recorded.interval)
            #expect(ours.supervisionTimeout == recorded.supervisionTimeout)
        case (.readRemoteVersionInformationComplete, _):
            bench.run(for: .milliseconds(50))
            #expect(try bench.take(HCIReadRemoteVersionInformationComplete.self, board).map(\.status) == [.success])
        case (.leMeta, .readRemoteFeaturesComplete):
            bench.run(for: .milliseconds(50))
            #expect(try bench.take(HCILEReadRemoteFeaturesComplete.self, board).map(\.status) == [.success])
        case (.leMeta, .dataLengthChange):
            bench.run(for: .milliseconds(50))
            var recorded = try HCILEDataLengthChange(event)
            recorded.handle = 0
            #expect(try bench.take(HCILEDataLengthChange.self, board).last == recorded)
        case (.disconnectionComplete, _):
            bench.send(HCIDisconnect(handle: 0, reason: .remoteUserTerminatedConnection), from: central)
            bench.run(for: .milliseconds(50))
            var recorded = try HCIDisconnectionComplete(event)
            recorded.handle = 0
            #expect(try bench.take(HCIDisconnectionComplete.self, board) == [recorded])
        default:
            #expect(event.code == .commandComplete || event.code == .commandStatus)
        }
    }

    /// The recorded connection has handle 1, ours 0.
    private func withOurHandle(_ bytes: [UInt8], at offset: Int) -> [UInt8] {
        guard bytes.count > offset, bytes[offset] == 1 else { return bytes }
        var mended = bytes
        mended[offset] = 0
        return mended
    }
}
