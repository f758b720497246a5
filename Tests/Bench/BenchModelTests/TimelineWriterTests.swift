import BenchModel
import MonotonicTime
import Synchronization
import Testing

@Suite("The timeline's file")
struct TimelineWriterTests {
    private struct DiskFull: Error {}

    private static func line(_ number: Int) -> RunItem {
        .event(BenchEvent(time: .zero, source: "console", payload: ConsoleLineReceived("line \(number)")))
    }

    @Test("is written in chunks and can be read again")
    func chunks() throws {
        let chunks = Mutex<[[UInt8]]>([])
        let writer = TimelineWriter(seed: 3) { chunk in chunks.withLock { $0.append(chunk) } }
        #expect(writer.wantsEvents && !writer.wantsInstances)
        for number in 0..<3000 { writer.receive(Self.line(number)) }
        writer.receive(.suiteStarted(SuiteInformation(name: "S", file: "s.yaml", sketch: "S", instanceCount: 1)))
        let before = chunks.withLock { $0.count }
        #expect(before > 0)
        try writer.finish()
        #expect(chunks.withLock { $0.count } == before + 1)
        var reader = TimelineReader()
        let events = try reader.read(chunks.withLock { $0.flatMap(\.self) })
        try reader.finish()
        #expect(events.count == 3002)
        #expect(events.first?.payload as? TimelineBegan == TimelineBegan(seed: 3))
        #expect(events[3000].payload as? ConsoleLineReceived == ConsoleLineReceived("line 2999"))
        #expect(events[3001].payload as? TimelineEnded == TimelineEnded(events: 3001))
    }

    @Test("reports a failed write at the end, and is not written any further")
    func failure() {
        let calls = Mutex(0)
        let writer = TimelineWriter(seed: 3) { _ in
            calls.withLock { $0 += 1 }
            throw DiskFull()
        }
        for number in 0..<10_000 { writer.receive(Self.line(number)) }
        #expect(throws: DiskFull.self) { try writer.finish() }
        #expect(calls.withLock { $0 } == 1)
    }
}
