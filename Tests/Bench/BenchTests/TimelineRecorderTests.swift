import Bench
import BenchModel
import MonotonicTime
import Testing

@Suite("The context of a failure")
struct TimelineRecorderTests {
    private func recorded(_ payloads: [BenchEvent.Payload]) -> [BenchEvent.Payload] {
        let recorder = TimelineRecorder()
        for payload in payloads { recorder.record(BenchEvent(time: .zero, source: "board", payload: payload)) }
        return recorder.recentEvents.map(\.payload)
    }

    @Test("is what people see by, and not filled by registers, packets and the steps of a sweep")
    func context() {
        let sweep = (0...90).map { BenchEvent.Payload.servo(pin: 13, isAttached: true, angle: $0) }
        #expect(
            recorded(
                [.console(line: "1"), .hci(isFromHost: true, packet: [4]), .console(line: ""), .reset] + sweep
                    + [
                        .servo(pin: 13, isAttached: false, angle: nil),
                        .console(line: "PC      : 0x400d1234  PS      : 0x00060730  A0      : 0x800d5678"),
                        .console(line: "EXCVADDR: 0x00000000"), .console(line: "Value: 0x31"),
                        .servo(pin: 13, isAttached: true, angle: 3), .servo(pin: 12, isAttached: true, angle: 4),
                    ])
                == [
                    .console(line: "1"), .reset, .servo(pin: 13, isAttached: true, angle: 90),
                    .servo(pin: 13, isAttached: false, angle: nil), .console(line: "Value: 0x31"),
                    .servo(pin: 13, isAttached: true, angle: 3), .servo(pin: 12, isAttached: true, angle: 4),
                ])
    }

    @Test("is the last events, in order, of however many")
    func last() {
        let lines = (0..<1000).map { BenchEvent.Payload.console(line: "\($0)") }
        #expect(recorded(lines) == lines.suffix(64))
        let moves = lines + (0...5).map { .servo(pin: 1, isAttached: true, angle: $0) }
        #expect(recorded(moves).suffix(2) == [lines[999], .servo(pin: 1, isAttached: true, angle: 5)])
    }
}
