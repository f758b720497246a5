import BLECentral
import BLECentralHCI
import BLEPackets
import BLERadio
import ByteCodec
import FirmwareBuild
import Foundation
import BenchExecutor
import Synchronization
import Testing
import VirtualBoard

/// The board's HCI traffic from reset to the first disconnection, compared with NimBLE's
/// (`Tests/Bluetooth/Traces/nimble-hci-init.jsonl`).
@Suite struct HCISequenceTests {
    private struct Line: Decodable {
        var phase: String
        var dir: String
        var hci: String
    }

    @Test func theBoardSendsWhatNimBLESent() async throws {
        let recorded = try recordedCommands()
        #expect(recorded.count == 29)
        let sent = try await boardCommands()
        #expect(sent == recorded)
    }

    private func recordedCommands() throws -> [String] {
        let text = try String(
            contentsOfFile: "\(Repository.traces)/nimble-hci-init.jsonl", encoding: .utf8)
        return try text.split(separator: "\n").compactMap { text in
            let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
            guard line.dir == "h2c" else { return nil }
            return comparable(try #require(Hexadecimal.bytes(line.hci)), recordedHandle: 1)
        }
    }

    private func boardCommands() async throws -> [String] {
        let firmware = try await SketchBuilds.shared.build("TraceCalculator")
        let bench = try await BoardBench()
        let observed = ObservationLog()
        try bench.executor.run {
            let (board, _) = try await bench.board(firmware.layout)
            await bench.radio.setObserver { observed.append($0) }
            await board.powerOn()
            // The only device, so the board has the first controller.
            try await bench.sleep(.seconds(2))
            let (central, _) = try await bench.central()
            let connection = try await central.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
            try await bench.sleep(.milliseconds(300))
            _ = try await central.exchangeMTU(517, on: connection)
            try await bench.sleep(.milliseconds(300))
            try await central.disconnect(connection)
            try await bench.sleep(.milliseconds(300))
        }
        let all = observed.all
        let controller = try #require(all.first?.controller)
        return all.filter { $0.controller == controller && $0.isFromHost && $0.packet.kind == .command }
            .map { comparable([$0.packet.kind.rawValue] + $0.packet.bytes, recordedHandle: 0) }
    }

    /// An H4 packet in hexadecimal, without values that differ between runs: the bytes after the used part of
    /// advertising data, which NimBLE does not initialise, the random address, and the connection handle, which becomes
    /// 0.
    private func comparable(_ packet: [UInt8], recordedHandle: UInt8) -> String {
        var packet = packet
        let command = HCIOpcode(rawValue: UInt16(packet[1]) | UInt16(packet[2]) << 8)
        switch command {
        case .leSetAdvertisingData, .leSetScanResponseData:
            packet = Array(packet.prefix(5 + Int(packet[4])))
        case .leSetRandomAddress:
            // A static one: its two highest bits are set.
            packet[4...] = [packet[9] & 0xC0]
        case .readRemoteVersionInformation, .leReadRemoteFeatures, .leSetDataLength:
            packet[4] -= recordedHandle
        case .hostNumberOfCompletedPackets: packet[5] -= recordedHandle
        default: break
        }
        return Hexadecimal.string(packet)
    }
}

/// HCI packets on a radio, in order.
private final class ObservationLog: Sendable {
    private let entries = Mutex<[Radio.Observation]>([])

    func append(_ observation: Radio.Observation) {
        entries.withLock { $0.append(observation) }
    }

    var all: [Radio.Observation] { entries.withLock { $0 } }
}
