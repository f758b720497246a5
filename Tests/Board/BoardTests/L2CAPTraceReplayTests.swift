import BLERadio
import ByteCodec
import FirmwareBuild
import Foundation
import BenchExecutor
import Testing
import VirtualBoard

/// Replays the raw Security Manager, signalling and fragment lines of the recorded lock over the radio, without a host on
/// the central's side.
@Suite struct L2CAPTraceReplayTests {
    struct Line: Decodable, Sendable {
        var step: String
        var note: String
        var cid: UInt16?
        var send: String?
        var acl: [[String]]?
        var recv: [[String]]?
    }

    /// Lines that cannot be sent over a radio, by their index in the file, each with the reason.
    private static let exceptions: [Int: String] = [
        116: "a start that may not be flushed is a start like any other on air"
    ]

    @Test func everyRecordedLineIsEqualOverTheWholeStack() async throws {
        try await everyRecordedLineIsEqual(.builtIn)
    }

    @Test(.needsNimBLELibrary) func everyRecordedLineIsEqualWithTheLibrary() async throws {
        try await everyRecordedLineIsEqual(.library)
    }

    private func everyRecordedLineIsEqual(_ nimble: NimBLEChoice) async throws {
        let lines = try Self.load()
        #expect(lines.count == 125)
        let outcome = try await replay(lines, nimble)
        #expect(outcome.differences.filter { Self.exceptions[$0.place] == nil }.map(\.text) == [])
        #expect(outcome.differences.count == Self.exceptions.count)
        // A public key, a confirm value and a random number.
        #expect(outcome.random == 3)
    }

    @Test func oneDifferentByteIsDetected() async throws {
        try await oneDifferentByteIsDetected(.builtIn)
    }

    @Test(.needsNimBLELibrary) func oneDifferentByteIsDetectedWithTheLibrary() async throws {
        try await oneDifferentByteIsDetected(.library)
    }

    private func oneDifferentByteIsDetected(_ nimble: NimBLEChoice) async throws {
        var lines = Array(try Self.load().prefix(30))
        let place = try #require(lines.firstIndex { $0.recv == [["0006", "0506"]] })
        lines[place].recv = [["0006", "0507"]]
        #expect(try await replay(lines, nimble).differences.map(\.place) == [place])
    }

    private static func load() throws -> [Line] {
        let text = try String(contentsOfFile: "\(Repository.traces)/nimble-smp-l2cap.jsonl", encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    private struct Outcome: Sendable {
        struct Difference: Sendable {
            var place: Int
            var text: String
        }

        var differences: [Difference] = []
        var random = 0
    }

    private func replay(_ lines: [Line], _ nimble: NimBLEChoice) async throws -> Outcome {
        let firmware = try await SketchBuilds.shared.build("TraceLock", nimble: nimble)
        let bench = try await BoardBench()
        return try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            try await bench.sleep(.seconds(2))
            let central = try await RawCentral(bench)
            var outcome = Outcome()
            for (place, line) in lines.enumerated() {
                if line.step == "connect" {
                    // The library counts freed buffers for a second before it reports them to the controller, among them
                    // some of its own, and resets itself above 12. In the recording the count began anew here.
                    try await bench.sleep(.seconds(2))
                    try await central.connect(to: board.bluetoothAddress)
                    continue
                }
                if let fragments = line.acl {
                    for fragment in fragments {
                        let bytes = try #require(Hexadecimal.bytes(fragment[1]))
                        central.sendFragment(bytes, continues: fragment[0] == "pb1")
                    }
                } else {
                    central.send(
                        try #require(Hexadecimal.bytes(line.send ?? "")), channel: try #require(line.cid))
                }
                try await bench.sleep(.milliseconds(300))
                let wanted = (line.recv ?? []).map(Self.masked)
                let got = central.drainFrames().map(Self.masked)
                outcome.random += wanted.filter { $0[1].hasSuffix("..") }.count
                if got != wanted {
                    let text = "\(place) \(line.step) (\(line.note)): expected \(wanted), got \(got)"
                    outcome.differences.append(Outcome.Difference(place: place, text: text))
                }
            }
            #expect(log.starts == 1)
            return outcome
        }
    }

    /// Public keys, confirm values and random numbers differ between runs.
    private static func masked(_ frame: [String]) -> [String] {
        guard frame[0] == "0006", ["0c", "03", "04"].contains(String(frame[1].prefix(2))) else { return frame }
        return [frame[0], "\(frame[1].prefix(2)) \(frame[1].count).."]
    }
}
