import BenchModel
import Foundation
import MonotonicTime
import SystemPackage

import LivePage

/// Events of all lanes, and stores with them.
enum TimelineFixture {
    /// `count` events, 1 ms apart, of sources and kinds that take turns.
    static func events(_ count: Int) -> [BenchEvent] {
        (0..<count).map { number in
            let (source, payload): (String, any EventPayload) =
                switch number % 7 {
                case 0: ("console", ConsoleLineReceived("line \(number)"))
                case 1:
                    (
                        "first",
                        ValueWritten(EventAttribute(handle: 18, name: "input"), value: [9, 6, 2], hasResponse: false)
                    )
                case 2: ("first", NotificationReceived(EventAttribute(handle: 20, name: "output"), value: [0x36]))
                case 3: ("controller 0", HCIPacketObserved(isFromHost: true, packet: [1, 3, 12, 0]))
                case 4: ("suite", StepBegan(line: number, step: "write: {to: input}"))
                case 5: ("board", PinChanged(pin: 13, isHigh: number % 2 == 0))
                default: ("first", ATTPDUExchanged(isSent: true, pdu: [0x0A, 18, 0]))
                }
            return BenchEvent(
                time: MonotonicInstant(nanoseconds: Int64(number) * 1_000_000), source: source, payload: payload)
        }
    }

    /// The lines of a whole timeline of these events.
    static func text(_ events: [BenchEvent]) -> [UInt8] {
        var writer = TimelineLineWriter()
        writer.append(BenchEvent(time: .zero, source: "suite", payload: TimelineBegan(seed: 7)))
        for event in events { writer.append(event) }
        writer.append(
            BenchEvent(
                time: events.last?.time ?? .zero, source: "suite", payload: TimelineEnded(events: events.count + 1)))
        return writer.bytes
    }

    /// A store that has received these events.
    static func store(_ events: [BenchEvent]) throws -> TimelineStore {
        let store = TimelineStore(run: "test", recordingTo: try file())
        for event in events { store.receive(.event(event)) }
        return store
    }

    /// An empty file without a name.
    static func file() throws -> FileDescriptor {
        let path = FilePath(FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path)
        let descriptor = try FileDescriptor.open(
            path, .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        try FileManager.default.removeItem(atPath: path.string)
        return descriptor
    }
}

/// A file that a test changes while it is followed.
struct FollowedFile {
    let url: URL

    init(_ bytes: some Collection<UInt8>) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).jsonl")
        try Data(bytes).write(to: url)
    }

    var path: FilePath { FilePath(url.path) }

    func append(_ bytes: some Collection<UInt8>) throws {
        let handle = try FileHandle(forWritingTo: url)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    /// Follows the file. Whenever there is nothing more in it, the next of `steps` is done; ends after the last one.
    func follow(_ store: TimelineStore, _ steps: [() async throws -> Void]) async throws {
        var next = steps.makeIterator()
        do {
            try await store.follow(path) {
                guard let step = next.next() else { throw CancellationError() }
                try await step()
            }
        } catch is CancellationError {}
        try? FileManager.default.removeItem(at: url)
    }
}

/// The answers that a page gets, parsed.
struct TimelineQuestions {
    let requests: TimelineRequests

    init(_ store: TimelineStore) { requests = TimelineRequests(store) }

    struct Unexpected: Error { var text: String }

    func ask(_ path: String, _ parameters: [String: String] = [:], status: Int = 200) async throws -> [String: Any] {
        let answer = await requests.answer(path, parameters)
        guard answer.status == status,
            let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        else { throw Unexpected(text: "\(answer.status): \(String(decoding: answer.body, as: UTF8.self))") }
        return object
    }

    /// The status, its counts beside the rest.
    func status() async throws -> [String: Any] {
        let status = try await ask("status")
        return status.merging(status["counts"] as? [String: Any] ?? [:]) { $1 }
    }

    func rows(_ parameters: [String: String] = [:], from: Int = 0, count: Int = 500) async throws -> [[String: Any]] {
        let numbers = ["from": "\(from)", "count": "\(count)"]
        let answer = try await ask("rows", parameters.merging(numbers) { $1 })
        guard let rows = answer["rows"] as? [[String: Any]] else { throw Unexpected(text: "no rows") }
        return rows
    }

    func texts(_ parameters: [String: String] = [:]) async throws -> [String] {
        try await rows(parameters).compactMap { $0["x"] as? String }
    }

    /// The numbers of the rows that a filter accepts.
    func numbers(_ parameters: [String: String]) async throws -> [Int] {
        var numbers: [Int] = []
        while true {
            let rows = try await rows(parameters, from: numbers.count)
            if rows.isEmpty { return numbers }
            numbers += rows.compactMap { $0["n"] as? Int }
        }
    }
}
