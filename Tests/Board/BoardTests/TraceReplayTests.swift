import BLECentral
import BLECentralHCI
import BLERadio
import ByteCodec
import FirmwareBuild
import Foundation
import BenchExecutor
import Synchronization
import Testing
import VirtualBoard

/// Replays the responses of the real NimBLE host through all layers: our central's host, HCI, radio, HCI, the board's
/// host and GATT server, and the sketch in its process. With the library, its host and server are in that process.
@Suite struct TraceReplayTests {
    /// One recorded exchange; the README of `Tests/Bluetooth/Traces` says how they were made.
    struct Step: Decodable, Sendable {
        var step: String
        var send: String
        var recv: [String]
        var note: String

        static func load(_ name: String) throws -> [Step] {
            let text = try String(contentsOfFile: "\(Repository.traces)/\(name).jsonl", encoding: .utf8)
            return try text.split(separator: "\n").map {
                try JSONDecoder().decode(Step.self, from: Data($0.utf8))
            }
        }
    }

    private struct Difference: Sendable {
        var place: Int
        var text: String
    }

    /// Steps that may differ, by their index in the file, each with the reason. None. `disconnect()` in a callback
    /// needs no exception either: our controller, like the recorded one, sends nothing that its host queues behind HCI
    /// Disconnect (``DisconnectTests``).
    static let exceptions: [Int: String] = [:]

    @Test func everyRecordedExchangeIsEqualOverTheWholeStack() async throws {
        try await everyRecordedExchangeIsEqual(.builtIn)
    }

    @Test(.needsNimBLELibrary) func everyRecordedExchangeIsEqualWithTheLibrary() async throws {
        try await everyRecordedExchangeIsEqual(.library)
    }

    private func everyRecordedExchangeIsEqual(_ nimble: NimBLEChoice) async throws {
        let steps = try Step.load("nimble-calculator")
        #expect(steps.count == 872)
        let differences = try await replay(steps, nimble)
        #expect(differences.filter { Self.exceptions[$0.place] == nil }.map(\.text) == [])
        #expect(differences.count == Self.exceptions.count)
    }

    @Test func oneDifferentByteIsDetected() async throws {
        try await oneDifferentByteIsDetected(.builtIn)
    }

    @Test(.needsNimBLELibrary) func oneDifferentByteIsDetectedWithTheLibrary() async throws {
        try await oneDifferentByteIsDetected(.library)
    }

    private func oneDifferentByteIsDetected(_ nimble: NimBLEChoice) async throws {
        var steps = Array(try Step.load("nimble-calculator").prefix(500))
        let place = try #require(steps.firstIndex { $0.recv == ["13", "1b12000f"] })
        steps[place].recv = ["13", "1b12000e"]
        let differences = try await replay(steps, nimble)
        #expect(differences.map(\.place) == [place])
    }

    private func replay(_ steps: [Step], _ nimble: NimBLEChoice) async throws -> [Difference] {
        let firmware = try await SketchBuilds.shared.build("TraceCalculator", nimble: nimble)
        let bench = try await BoardBench()
        return try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            let (central, _) = try await bench.central()
            var connection: ConnectionID?
            var differences: [Difference] = []
            let received = PDULog()
            for (place, step) in steps.enumerated() {
                if step.step == "connect" {
                    if let connection { try await central.disconnect(connection) }
                    connection = try await central.connectAndAccept(
                        to: PeerID(board.bluetoothAddress), within: .seconds(5))
                    let connected = try #require(connection)
                    try await central.setRawATTHandler(
                        { received.append($0) }, on: connected)
                } else if let connection {
                    try await central.sendRawATT(try #require(Hexadecimal.bytes(step.send)), on: connection)
                }
                try await bench.sleep(.milliseconds(300))
                let answers = received.take()
                if answers != step.recv {
                    differences.append(
                        Difference(
                            place: place,
                            text: "\(place) \(step.step) (\(step.note)): \(step.send): expected \(step.recv), "
                                + "got \(answers)"))
                }
            }
            #expect(log.starts == 1)
            #expect(log.ends == [])
            return differences
        }
    }
}

/// ATT PDUs from the board, in hexadecimal.
final class PDULog: Sendable {
    private let pdus = Mutex<[String]>([])

    func append(_ pdu: ArraySlice<UInt8>) {
        pdus.withLock { $0.append(Hexadecimal.string(pdu)) }
    }

    func take() -> [String] {
        pdus.withLock { pdus in
            defer { pdus = [] }
            return pdus
        }
    }
}
