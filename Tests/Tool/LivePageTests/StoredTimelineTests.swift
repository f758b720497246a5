import BenchModel
import Foundation
import SystemPackage
import Testing

import LivePage

@Suite("A stored timeline")
struct StoredTimelineTests {
    private static let events = TimelineFixture.events(9)
    private static let whole = TimelineFixture.text(events)

    @Test("is read and then followed from wherever it was cut", arguments: Array(0...whole.count))
    func cut(at length: Int) async throws {
        let store = TimelineStore(run: "test")
        let questions = TimelineQuestions(store)
        let file = try FollowedFile(Self.whole.prefix(length))
        let complete = Self.whole.prefix(length).split(separator: 10, omittingEmptySubsequences: false)
        try await file.follow(
            store,
            [
                {
                    let status = try await questions.status()
                    #expect(status["rows"] as? Int == complete.count - 1)
                    #expect(status["ended"] as? Bool == (length == Self.whole.count))
                    let unfinished = status["unfinished"] as? [String: Any]
                    let rest = complete.last ?? []
                    #expect(unfinished?["bytes"] as? Int == (rest.isEmpty ? nil : rest.count))
                    #expect(
                        unfinished?["text"] as? String == (rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)))
                    #expect(unfinished?["line"] as? Int == (rest.isEmpty ? nil : complete.count))
                    #expect(try await questions.rows().allSatisfy { $0["f"] == nil })
                    try file.append(Self.whole.dropFirst(length))
                },
                {
                    let status = try await questions.status()
                    #expect(status["ended"] as? Bool == true)
                    #expect(status["id"] as? String == "test-0")
                    let texts = try await questions.texts()
                    #expect(texts.count == Self.events.count + 2)
                    #expect(texts.first == "timeline version 3, seed 7")
                    #expect(texts.last == "end of the timeline")
                    #expect(try await questions.rows().map { $0["n"] as? Int } == Array(0..<texts.count))
                },
            ])
    }

    @Test("shows broken lines as they are, with what is wrong and their number, and reads on")
    func broken() async throws {
        let store = TimelineStore(run: "test")
        let questions = TimelineQuestions(store)
        let lines = [
            #"{"t":0,"source":"suite","kind":"timeline","version":3,"seed":"7"}"#,
            "no json \u{1B}[31m",
            #"{"t":5,"source":"b","kind":"mtu","mtu":"x"}"#,
            "",
            #"{"kind":"reset", "source":"b","t":6}"#,
            #"{"t":7,"source":"b","kind":"dance","steps":3}"#,
            #"{"t":8,"source":"b","kind":"reset"}"#,
        ]
        let file = try FollowedFile((lines.joined(separator: "\n") + "\n").utf8)
        try await file.follow(
            store,
            [
                {
                    let rows = try await questions.rows()
                    #expect(
                        rows.map { $0["f"] as? String } == [
                            nil, "expected a JSON object of texts, whole numbers and lists of texts",
                            "expected 'mtu' to be a whole number",
                            "expected a JSON object of texts, whole numbers and lists of texts", nil,
                            "unknown kind of event 'dance'", nil,
                        ])
                    #expect(
                        rows.map { $0["l"] as? String } == [
                            "suite", "broken", "gatt", "broken", "board", "other", "board",
                        ])
                    #expect(rows[1]["x"] as? String == #"no json \x1b[31m"#)
                    #expect(rows[5]["t"] as? Int == 7)
                    let details = try await questions.ask("row", ["n": "1"])
                    #expect(details["line"] as? Int == 2)
                    #expect(details["raw"] as? String == lines[1])
                    #expect(try await questions.numbers(["lanes": "broken"]) == [1, 3])
                }
            ])
    }

    @Test(
        "says what is to be said of its version",
        arguments: [
            (3, nil),
            (
                4,
                "a newer espbench wrote this timeline (version 4, this one reads up to 3): kinds that it does not know are shown as they are"
            ),
            (2, "an older espbench wrote this timeline (version 2): it does not say whether it is complete"),
            (0, "no espbench wrote this timeline: its version is 0"),
            (nil, "not a timeline from its beginning: expected a first line of kind 'timeline'"),
        ] as [(Int?, String?)])
    func version(number: Int?, note: String?) async throws {
        let store = TimelineStore(run: "test")
        let questions = TimelineQuestions(store)
        let first = number.map { #"{"t":0,"source":"suite","kind":"timeline","version":\#($0),"seed":"7"}"# } ?? "hello"
        let file = try FollowedFile((first + "\n" + #"{"t":8,"source":"b","kind":"reset"}"# + "\n").utf8)
        try await file.follow(
            store,
            [
                {
                    let status = try await questions.status()
                    #expect(status["notes"] as? [String] == (note.map { [$0] } ?? []))
                    #expect(try await questions.texts().last == "reset")
                }
            ])
    }

    @Test("begins anew, and says so, when it is truncated, written anew or replaced; and stays when it is removed")
    func replaced() async throws {
        let store = TimelineStore(run: "test")
        let questions = TimelineQuestions(store)
        let file = try FollowedFile(Self.whole)
        let other = TimelineFixture.text(TimelineFixture.events(3))
        func expect(_ id: String, rows: Int, note: String?) async throws {
            let status = try await questions.status()
            #expect(status["id"] as? String == id)
            #expect(status["rows"] as? Int == rows)
            #expect(status["notes"] as? [String] == (note.map { [$0] } ?? []))
            #expect(try await questions.rows().count == rows)
        }
        let truncated = "the file was truncated: this is what it has now"
        let anew = "the file was rewritten: these are its new contents"
        let replaced = "the file was replaced by another one of its name: this is the new one"
        try await file.follow(
            store,
            [
                {
                    try await expect("test-0", rows: 11, note: nil)
                    let handle = try FileHandle(forWritingTo: file.url)
                    try handle.truncate(atOffset: 0)
                },
                {
                    try await expect("test-1", rows: 0, note: truncated)
                    try file.append(other)
                },
                {
                    try await expect("test-1", rows: 5, note: truncated)
                    // In place, and longer than before.
                    let handle = try FileHandle(forWritingTo: file.url)
                    try handle.write(contentsOf: Data(TimelineFixture.text(TimelineFixture.events(20))))
                },
                {
                    try await expect("test-2", rows: 22, note: anew)
                    let next = try FollowedFile(other)
                    #expect(rename(next.url.path, file.url.path) == 0)
                },
                {
                    try await expect("test-3", rows: 5, note: replaced)
                    try FileManager.default.removeItem(at: file.url)
                },
                { try await expect("test-3", rows: 5, note: replaced) },
            ])
    }

    @Test("may have lines of any length, and no line at all")
    func long() async throws {
        let store = TimelineStore(run: "test")
        let questions = TimelineQuestions(store)
        let head = #"{"t":1,"source":"console","kind":"console","text":""#
        let fits = head + String(repeating: "y", count: 300_000) + "\"}\n"
        let tooLong = head + String(repeating: "z", count: 3_000_000) + "\"}\n"
        let after = #"{"t":8,"source":"b","kind":"reset"}"# + "\n"
        let file = try FollowedFile((fits + tooLong + after + String(repeating: "x", count: 2_000_000)).utf8)
        try await file.follow(
            store,
            [
                {
                    let rows = try await questions.rows()
                    #expect(rows.count == 3)
                    let texts = rows.compactMap { $0["x"] as? String }
                    #expect(texts[0] == String(repeating: "y", count: 2000) + "…")
                    #expect(rows[1]["f"] as? String == "the line is too long")
                    #expect(texts[2] == "reset")
                    let unfinished = try await questions.status()["unfinished"] as? [String: Any]
                    #expect(unfinished?["bytes"] as? Int == 2_000_000)
                }
            ])
    }

    @Test("that cannot be opened is an error")
    func missing() async throws {
        await #expect(throws: (any Error).self) {
            try await TimelineStore(run: "test").follow("/nowhere/there.jsonl") {}
        }
        await #expect(throws: (any Error).self) { try await TimelineStore(run: "test").follow("/") {} }
    }
}
