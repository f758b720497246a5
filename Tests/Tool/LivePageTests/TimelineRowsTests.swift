import BLEDescriptions
import BenchModel
import Foundation
import MonotonicTime
import SystemPackage
import Testing

import LivePage

@Suite("The rows of a timeline")
struct TimelineRowsTests {
    @Test("are the events in order, with their text, lane and mark")
    func rows() async throws {
        let questions = TimelineQuestions(try TimelineFixture.store(TimelineFixture.events(7)))
        let rows = try await questions.rows()
        #expect(rows.map { $0["n"] as? Int } == Array(0..<7))
        #expect(rows.map { $0["t"] as? Int } == (0..<7).map { $0 * 1_000_000 })
        #expect(
            rows.map { $0["l"] as? String } == ["console", "gatt", "gatt", "hci", "suite", "board", "hci"])
        #expect(
            rows.map { $0["x"] as? String } == [
                "line 0", "write input 09 06 02 (no response)", "notification output 36",
                "→ HCI Reset",
                "line 4: write: {to: input}", "pin 13 low", "sent ATT Read Request  input (0x0012)",
            ])
        #expect(rows[4]["m"] as? String == "strong")
    }

    @Test("have the values of the descriptions that the page was given")
    func described() async throws {
        let valve = try PeripheralDescription(
            yaml: """
                name: valve
                services:
                  water:
                    uuid: AA00
                    characteristics:
                      state: {uuid: AA01, properties: [notify], type: u8, names: {0: shut, 4: half open}}
                """, file: "valve.yaml")
        let store = TimelineStore(run: "test", recordingTo: try TimelineFixture.file(), descriptions: [valve])
        // Those that come with espbench are known by their paths; `output` is not the calculator's of everybody.
        for name in ["water.state", "state", "calculator.output", "output"] {
            let value = NotificationReceived(EventAttribute(handle: 18, name: name), value: [4])
            store.receive(.event(BenchEvent(time: .zero, source: "first", payload: value)))
        }
        let rows = try await TimelineQuestions(store).rows()
        #expect(
            rows.map { $0["x"] as? String } == [
                "notification water.state 04  half open (4)", "notification state 04  half open (4)",
                "notification calculator.output 04  4", "notification output 04",
            ])
    }

    @Test(
        "are complete beyond the first blocks, from any number on",
        arguments: [0, 1, 255, 256, 511, 9_500, 9_999, 10_000, 20_000])
    func any(from: Int) async throws {
        let questions = TimelineQuestions(try TimelineFixture.store(TimelineFixture.events(10_000)))
        let rows = try await questions.rows(from: from, count: 300)
        #expect(rows.map { $0["n"] as? Int } == Array(min(from, 10_000)..<min(from + 300, 10_000)))
    }

    @Test(
        "are filtered as a filter of all events would",
        arguments: [
            ["lanes": "console"], ["lanes": "gatt,hci"], ["lanes": "broken"], ["lanes": ""], ["kinds": "pin"],
            ["sources": "first,board"], ["sources": "nobody"], ["lanes": "gatt", "sources": "first", "kinds": "write"],
            ["from.t": "1234000000", "to.t": "1240000000"], ["from.t": "2990000000"], ["to.t": "0"],
            ["text": "LINE 29"], ["text": "060209"], ["text": "09 06 02"], ["text": "PIN 13 HIGH", "lanes": "board"],
            ["text": "read request", "lanes": "hci"],
        ])
    func filtered(filter: [String: String]) async throws {
        let events = TimelineFixture.events(3000)
        let questions = TimelineQuestions(try TimelineFixture.store(events))
        let lines = String(decoding: TimelineFixture.text(events), as: UTF8.self).split(separator: "\n").dropFirst()
        let shown = try await (0..<6).asyncFlatMap { try await questions.rows(from: $0 * 500) }
        let expected = shown.filter { row in
            func has(_ key: String, _ list: String) -> Bool {
                guard let list = filter[list], let value = row[key] as? String else { return true }
                return list.split(separator: ",").contains { $0 == value }
            }
            guard let time = row["t"] as? Int, let number = row["n"] as? Int, let text = row["x"] as? String
            else { return false }
            let wanted = filter["text"]?.lowercased() ?? ""
            return has("l", "lanes") && has("k", "kinds") && has("s", "sources")
                && time >= filter["from.t"].flatMap { Int($0) } ?? 0
                && time <= filter["to.t"].flatMap { Int($0) } ?? .max
                && (wanted.isEmpty || text.lowercased().contains(wanted)
                    || lines[lines.startIndex + number].lowercased().contains(wanted))
        }.compactMap { $0["n"] as? Int }
        var extent = try await questions.ask("view", filter)
        while extent["scanned"] as? Int != 3000 { extent = try await questions.ask("view", filter) }
        #expect(extent["count"] as? Int == expected.count)
        #expect(try await questions.numbers(filter) == expected)
        for row in stride(from: 0, through: 3000, by: 97) {
            let located = try await questions.ask("locate", filter.merging(["row": "\(row)"]) { $1 })
            #expect(located["at"] as? Int == expected.count { $0 < row })
        }
    }

    @Test("that are added while a filter is in use are in its view")
    func growing() async throws {
        let events = TimelineFixture.events(2000)
        let store = try TimelineFixture.store([])
        let questions = TimelineQuestions(store)
        var consoles = 0
        for (number, event) in events.enumerated() {
            store.receive(.event(event))
            if event.payload is ConsoleLineReceived { consoles += 1 }
            guard number % 37 == 0 else { continue }
            #expect(try await questions.ask("view", ["lanes": "console"])["count"] as? Int == consoles)
            #expect(try await questions.ask("view", ["text": "line "])["count"] as? Int != nil)
        }
        #expect(try await questions.numbers(["lanes": "console"]) == stride(from: 0, to: 2000, by: 7).map { $0 })
    }

    @Test("with a text are found in steps, with the next and the former one, and their number")
    func hits() async throws {
        let questions = TimelineQuestions(try TimelineFixture.store(TimelineFixture.events(3000)))
        // Console lines have numbers divisible by 7: 700, 707, …, 770, 777 have one of 70 to 77.
        let search = ["q": "LINE 7", "lanes": "console", "scan": "300", "row": "707"]
        var steps = 1
        var answer = try await questions.ask("hits", search)
        #expect(answer["next"] == nil, "not yet looked at")
        while answer["scanned"] as? Int != 3000 {
            answer = try await questions.ask("hits", search)
            steps += 1
        }
        #expect(steps > 3)
        // 7, 70, 77 and 700 … 798 but no 7xxx.
        #expect(answer["count"] as? Int == 18)
        #expect(answer["before"] as? Int == 4)
        #expect(answer["isHit"] as? Bool == true)
        #expect(answer["previous"] as? [String: Int] == ["row": 700, "at": 100])
        #expect(answer["next"] as? [String: Int] == ["row": 714, "at": 102])
        let end = try await questions.ask("hits", search.merging(["row": "2999"]) { $1 })
        #expect(end["next"] == nil)
        #expect((end["previous"] as? [String: Int])?["row"] == 798)
    }

    @Test("have details with the whole line and where it is")
    func details() async throws {
        let events = TimelineFixture.events(600)
        let questions = TimelineQuestions(try TimelineFixture.store(events))
        let details = try await questions.ask("row", ["n": "300"])
        var writer = TimelineLineWriter()
        for event in events.prefix(300) { writer.append(event) }
        #expect(details["offset"] as? Int == writer.count)
        writer.removeAll()
        writer.append(events[300])
        #expect(details["raw"] as? String == String(decoding: writer.bytes.dropLast(), as: UTF8.self))
        #expect(details["line"] as? Int == 301)
        #expect(details["x"] as? String == "sent ATT Read Request  input (0x0012)")
    }

    @Test("have the names of attributes of their own suite")
    func names() async throws {
        func suite(_ name: String) -> [any EventPayload] {
            [
                SuiteBegan(name: name, file: "s.yaml"),
                NotificationReceived(EventAttribute(handle: 18, name: name), value: [1]),
            ] + (0..<400).map { _ in ATTPDUExchanged(isSent: true, pdu: [0x0A, 18, 0]) }
        }
        let events = (suite("first") + suite("second")).map { BenchEvent(time: .zero, source: "c", payload: $0) }
        let questions = TimelineQuestions(try TimelineFixture.store(events))
        // Read by themselves, in any order.
        #expect(
            try await questions.rows(from: 803, count: 1)[0]["x"] as? String == "sent ATT Read Request  second (0x0012)"
        )
        #expect(
            try await questions.rows(from: 401, count: 1)[0]["x"] as? String == "sent ATT Read Request  first (0x0012)")
    }

    @Test(
        "are refused when the question is wrong",
        arguments: [
            ("nothing", [:], 404, "expected one of status, view, rows, row, locate, hits, got 'nothing'"),
            ("rows", ["count": "1"], 400, "'from' is missing"),
            ("rows", ["from": "-1", "count": "1"], 400, "expected a whole number of 0 or more in 'from', got '-1'"),
            (
                "rows", ["from": "9223372036854775807", "count": "1"], 400,
                "expected a whole number of 0 or more in 'from', got '9223372036854775807'"
            ),
            ("row", ["n": "7"], 404, "expected a row below 7 in 'n', got 7"),
            (
                "view", ["lanes": "cellar"], 400,
                "expected one of suite, board, console, gatt, hci, other, broken in 'lanes', got 'cellar'"
            ),
            ("view", ["from.t": "5", "to.t": "4"], 400, "expected 'from.t' of at most 4, which is 'to.t', got 5"),
            (
                "view", ["text": String(repeating: "x", count: 1001)], 400,
                "expected at most 1000 bytes in 'text', got 1001"
            ),
            ("hits", ["q": "x", "row": "0", "text": "y"], 400, "expected no 'text' in a search within a filter"),
        ] as [(String, [String: String], Int, String)])
    func refused(path: String, parameters: [String: String], status: Int, message: String) async throws {
        let questions = TimelineQuestions(try TimelineFixture.store(TimelineFixture.events(7)))
        #expect(try await questions.ask(path, parameters, status: status)["error"] as? String == message)
    }

    @Test("are at most 500 in an answer")
    func many() async throws {
        let questions = TimelineQuestions(try TimelineFixture.store(TimelineFixture.events(700)))
        #expect(try await questions.rows(count: 1 << 40).count == 500)
    }

    @Test("stay, and later events are counted, when the file has its largest size")
    func limit() async throws {
        let store = TimelineStore(run: "test", recordingTo: try TimelineFixture.file(), limit: 10_000)
        for event in TimelineFixture.events(1000) { store.receive(.event(event)) }
        let questions = TimelineQuestions(store)
        let status = try await questions.status()
        let rows = try #require(status["rows"] as? Int)
        #expect(rows > 50 && rows < 200)
        #expect(status["dropped"] as? Int == 1000 - rows)
        #expect(try await questions.rows().count == rows)
        #expect(
            status["notes"] as? [String] == ["events are no longer kept: the timeline has reached its limit of 0 MiB"])
    }

    @Test(
        "stay, and later events are counted, when the disk is full",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func fullDisk() async throws {
        let store = TimelineStore(run: "test", recordingTo: try FileDescriptor.open("/dev/full", .readWrite))
        for event in TimelineFixture.events(2000) { store.receive(.event(event)) }
        let questions = TimelineQuestions(store)
        let status = try await questions.status()
        let rows = try #require(status["rows"] as? Int)
        #expect(rows > 500 && rows < 2000)
        #expect(status["dropped"] as? Int == 2000 - rows)
        #expect(
            status["notes"] as? [String] == [
                "events are no longer kept: the timeline's file could not be written: No space left on device"
            ])
        #expect(try await questions.rows(from: rows - 1, count: 9).count == 1)
    }

    @Test("wake who waits for a change, and a cancelled task")
    func waiting() async throws {
        let store = try TimelineFixture.store([])
        let waiting = Task { await store.change(after: 0) }
        store.receive(.event(TimelineFixture.events(1)[0]))
        #expect(await waiting.value == 1)
        #expect(await store.change(after: 0) == 1)
        let cancelled = Task { await store.change(after: 1) }
        cancelled.cancel()
        #expect(await cancelled.value == 1)
    }
}

extension Sequence {
    func asyncFlatMap<Element>(_ transform: (Self.Element) async throws -> [Element]) async rethrows -> [Element] {
        var result: [Element] = []
        for element in self { result += try await transform(element) }
        return result
    }
}
