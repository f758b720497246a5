import Bench
import BenchModel
import MonotonicTime
import Synchronization
import Testing

@Suite("The recorder of events")
struct EventRecorderTests {
    private func context(of payloads: [any EventPayload]) -> [AnyHashable] {
        let recorder = EventRecorder()
        for payload in payloads { recorder.record(BenchEvent(time: .zero, source: "board", payload: payload)) }
        return recorder.recentEvents.map { AnyHashable($0.payload) }
    }

    private func servo(_ angle: Int?, pin: Int = 13, isAttached: Bool = true) -> ServoMoved {
        ServoMoved(pin: pin, isAttached: isAttached, angle: angle)
    }

    @Test("shows the relevant events before a failure: no HCI packets and intermediate servo positions")
    func context() {
        let sweep: [any EventPayload] = (0...90).map { servo($0) }
        let before: [any EventPayload] = [
            ConsoleLineReceived("1"), HCIPacketObserved(isFromHost: true, packet: [4]), ConsoleLineReceived(""),
            BoardReset(), ConsoleLineReceived("load:0x3ffae000,len:108"),
        ]
        let after: [any EventPayload] = [
            servo(nil, isAttached: false),
            ConsoleLineReceived("PC      : 0x400d1234  PS      : 0x00060730  A0      : 0x800d5678"),
            ConsoleLineReceived("EXCVADDR: 0x00000000"), ConsoleLineReceived("Value: 0x31"), servo(3),
            servo(4, pin: 12),
        ]
        let expected: [any EventPayload] = [
            ConsoleLineReceived("1"), BoardReset(), servo(90), servo(nil, isAttached: false),
            ConsoleLineReceived("Value: 0x31"), servo(3), servo(4, pin: 12),
        ]
        #expect(context(of: before + sweep + after) == expected.map { AnyHashable($0) })
    }

    @Test("keeps the last events in order")
    func last() {
        let lines: [any EventPayload] = (0..<1000).map { ConsoleLineReceived("\($0)") }
        #expect(context(of: lines) == lines.suffix(64).map { AnyHashable($0) })
        let moves: [any EventPayload] = lines + (0...5).map { servo($0, pin: 1) }
        #expect(context(of: moves).suffix(2) == [AnyHashable(lines[999]), AnyHashable(servo(5, pin: 1))])
    }

    @Test("keeps the steps and the traffic of a case in a flood of console lines, and counts what it forgets")
    func flood() {
        let recorder = EventRecorder()
        func record(_ payload: some EventPayload) {
            recorder.record(BenchEvent(time: .zero, source: "board", payload: payload))
        }
        record(BoardReset())
        _ = recorder.beginCase()
        let step = StepBegan(line: 3, step: "reset")
        record(step)
        for number in 0..<100 { record(ConsoleLineReceived("\(number)")) }
        let end = ConsoleLineUnfinished("PIN: ")
        record(end)
        let shown = recorder.recentEvents.map { AnyHashable($0.payload) }
        let lines = (36..<100).map { AnyHashable(ConsoleLineReceived("\($0)")) }
        #expect(shown == [AnyHashable(step)] + lines + [AnyHashable(end)])
        #expect(recorder.forgottenEvents == [0, 36] + [Int](repeating: 0, count: 64))
        _ = recorder.beginCase()
        #expect(recorder.recentEvents.isEmpty && recorder.forgottenEvents.isEmpty)
    }

    @Test("adds the case number to events, and sends them only to observers that want events")
    func cases() {
        let (events, results) = (CollectingObserver(wantsEvents: true), CollectingObserver(wantsEvents: false))
        let recorder = EventRecorder(observers: [events, results])
        #expect(recorder.isObserved && !EventRecorder(observers: [results]).isObserved)
        let event = BenchEvent(time: .zero, source: "board", payload: BoardReset())
        recorder.record(event)
        #expect(recorder.beginCase() == 1)
        #expect(recorder.record(event).caseNumber == 1)
        recorder.endCase()
        recorder.record(event)
        #expect(recorder.beginCase() == 2)
        recorder.record(event)
        #expect(events.numbers == [0, 1, 0, 2])
        #expect(results.numbers.isEmpty)
    }
}

private final class CollectingObserver: RunObserver {
    private let collected = Mutex<[Int]>([])
    let wantsEvents: Bool

    init(wantsEvents: Bool) {
        self.wantsEvents = wantsEvents
    }

    /// The numbers of the cases of the events.
    var numbers: [Int] { collected.withLock { $0 } }

    func receive(_ item: RunItem) {
        guard case .event(let event) = item else { return }
        collected.withLock { $0.append(event.caseNumber) }
    }
}
