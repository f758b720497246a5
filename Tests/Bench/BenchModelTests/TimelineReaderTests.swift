import BenchModel
import MonotonicTime
import Testing

@Suite("Reading timelines")
struct TimelineReaderTests {
    private static let first = #"{"t":0,"source":"suite","kind":"timeline","version":2,"seed":"7"}"# + "\n"

    private static func events() -> [BenchEvent] {
        let head = BenchEvent(time: .zero, source: "suite", payload: TimelineBegan(seed: 7))
        let events =
            [head]
            + EventSamples.all.filter { $0.kind != TimelineEnded.kind }.enumerated().map { index, sample in
                BenchEvent(
                    time: MonotonicInstant(nanoseconds: Int64(index) * 1_000_000_007), source: "source \(index)",
                    caseNumber: index % 3, payload: sample.payload)
            }
        return events + [BenchEvent(time: .zero, source: "suite", payload: TimelineEnded(events: events.count))]
    }

    private static func text(_ events: [BenchEvent]) -> [UInt8] {
        var writer = TimelineLineWriter()
        for event in events { writer.append(event) }
        return writer.bytes
    }

    private func read(_ text: some Collection<UInt8>) throws(TimelineError) -> [BenchEvent] {
        var reader = TimelineReader()
        let events = try reader.read(text)
        try reader.finish()
        return events
    }

    @Test("reads every kind of event as it was written")
    func everyKind() throws {
        let events = Self.events()
        let read = try read(Self.text(events))
        #expect(read.count == events.count)
        for (written, read) in zip(events, read) { #expect(read == written) }
    }

    @Test("accepts the text in chunks of any size", arguments: [1, 2, 7, 64, 1000])
    func pieces(size: Int) throws {
        let text = Self.text(Self.events())
        var reader = TimelineReader()
        var events: [BenchEvent] = []
        for start in stride(from: 0, to: text.count, by: size) {
            events += try reader.read(text[start..<min(text.count, start + size)])
        }
        try reader.finish()
        #expect(events == Self.events())
    }

    @Test("accepts version 1, which has neither cases nor names")
    func version1() throws {
        let text = """
            {"t":0,"source":"suite","kind":"timeline","version":1,"seed":"7"}
            {"t":5,"source":"first","kind":"notification","attribute":18,"value":"36"}

            """
        let events = try read(text.utf8)
        #expect(events.map(\.caseNumber) == [0, 0])
        #expect(
            events[1].payload as? NotificationReceived
                == NotificationReceived(EventAttribute(handle: 18), value: [0x36]))
    }

    @Test(
        "reports errors with their line",
        arguments: [
            ("", "line 1: expected a timeline, got nothing"),
            ("\n", "line 1: not a timeline: expected a JSON object of texts, whole numbers and lists of texts"),
            ("suite: S\n", "line 1: not a timeline: expected a JSON object of texts, whole numbers and lists of texts"),
            ("[1]\n", "line 1: not a timeline: expected a JSON object of texts, whole numbers and lists of texts"),
            ("{\"version\":1}\n", "line 1: not a timeline: the key 'kind' is missing"),
            (
                "{\"t\":0,\"source\":\"board\",\"kind\":\"reset\"}\n",
                "line 1: not a timeline: expected a first line of kind 'timeline', got 'reset'"
            ),
            (
                first.replacing("2", with: "4"),
                "line 1: expected a timeline of version 1 to 3, got version 4: a newer espbench wrote it"
            ),
            (
                first.replacing(":2,", with: ":0,"),
                "line 1: expected a timeline of version 1 to 3, got version 0: no espbench wrote it"
            ),
            (first.replacing("\"7\"", with: "\"x\""), "line 1: expected 'seed' to be a number, got 'x'"),
            (String(first.dropLast()), "line 1: the timeline ends in the middle of a line: it was cut off there"),
            (
                first + #"{"t":5,"source":"board","kind":"res"#,
                "line 2: the timeline ends in the middle of a line: it was cut off there"
            ),
            (
                first.replacing(":2,", with: ":3,"),
                "line 2: expected a last line of kind 'end': the timeline was cut off there"
            ),
            (
                first + #"{"t":1,"source":"s","kind":"end","events":2}"# + "\n",
                "line 2: expected 2 lines before the last one, got 1"
            ),
            (
                first + #"{"t":1,"source":"s","kind":"end","events":1}"# + "\n"
                    + #"{"t":1,"source":"b","kind":"reset"}"# + "\n",
                "line 3: expected nothing after the line of kind 'end'"
            ),
            (first + #"{"t":-1,"source":"b","kind":"reset"}"# + "\n", "line 2: expected 't' of 0 or more, got -1"),
            ("suite: S", "line 1: not a timeline: expected a JSON object of texts, whole numbers and lists of texts"),
            (first + String(repeating: "x", count: 1 << 21), "line 2: expected a line of at most 1048576 bytes"),
            (first + #"{"t":5,"source":"b","kind":"dance"}"# + "\n", "line 2: unknown kind of event 'dance'"),
            (first + #"{"t":5,"source":"b"}"# + "\n", "line 2: the key 'kind' is missing"),
            (
                first + "{\"t\":5,\"source\":\"b\n",
                "line 2: expected a JSON object of texts, whole numbers and lists of texts"
            ),
            (first + #"{"source":"b","kind":"reset"}"# + "\n", "line 2: the key 't' is missing"),
            (first + #"{"t":"1","source":"b","kind":"reset"}"# + "\n", "line 2: expected 't' to be a whole number"),
            (
                first + #"{"t":1.5,"source":"b","kind":"reset"}"# + "\n",
                "line 2: expected a JSON object of texts, whole numbers and lists of texts"
            ),
            (
                first + #"{"t":1,"source":"b","kind":"mtu","mtu":"x"}"# + "\n",
                "line 2: expected 'mtu' to be a whole number"
            ),
            (
                first + #"{"t":1,"source":"b","kind":"disconnected","reason":256}"# + "\n",
                "line 2: expected 'reason' of 0...255, got 256"
            ),
            (
                first + #"{"t":1,"source":"b","kind":"read","attribute":1,"value":"0g"}"# + "\n",
                "line 2: expected 'value' to be hexadecimal digits, two for each byte"
            ),
            (
                first + #"{"t":1,"source":"b","kind":"read","attribute":1,"value":"+1"}"# + "\n",
                "line 2: expected 'value' to be hexadecimal digits, two for each byte"
            ),
            (
                first + #"{"t":1,"source":"b","kind":"read","attribute":1,"value":"012"}"# + "\n",
                "line 2: expected 'value' to be hexadecimal digits, two for each byte"
            ),
            (
                first + #"{"t":1,"source":"b","kind":"subscription","attribute":1,"to":"all"}"# + "\n",
                "line 2: unknown 'to' 'all', expected one of: none, notifications, indications"
            ),
            (
                first + #"{"t":1,"source":"b","kind":"verdict","verdict":"bad"}"# + "\n",
                "line 2: unknown verdict 'bad', expected one of: passed, assertion, panic, watchdog, hang, sanitizer, linkLost, hostStack, benchFault, timedOut, suite"
            ),
            (
                first + #"{"t":1,"source":"b","kind":"advertisement","address":"A","services":["zz"],"rssi":0}"# + "\n",
                "line 2: expected a UUID in 'services', got 'zz'"
            ),
            (
                first + #"{"t":1,"source":"b","kind":"advertisement","address":"A","services":[],"rssi":null}"# + "\n",
                "line 2: expected a JSON object of texts, whole numbers and lists of texts"
            ),
        ] as [(String, String)])
    func faults(text: String, message: String) {
        let error = #expect(throws: TimelineError.self) { try read(text.utf8) }
        #expect(error?.description == message)
    }

    @Test("returns the events before an error")
    func before() throws {
        var reader = TimelineReader()
        #expect(try reader.read((Self.first + "{}\n" + Self.first).utf8).count == 1)
        #expect(throws: TimelineError.self) { try reader.read("".utf8) }
        #expect(throws: TimelineError.self) { try reader.finish() }
    }

    @Test("of any bytes ends with events or an error")
    func mutated() {
        var random = SeededRandom(seed: 5)
        let text = Self.text(Self.events())
        for _ in 0..<300 {
            var changed = text
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changed[Int.random(in: changed.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) {
                changed.removeLast(Int.random(in: 0..<changed.count, using: &random))
            }
            do {
                _ = try read(changed)
            } catch {
                #expect(error.line > 0 && !error.message.isEmpty)
            }
        }
    }
}
