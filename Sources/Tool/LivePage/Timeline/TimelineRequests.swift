import BenchModel
import Foundation

/// Answers the page's questions about a timeline. The questions:
///
/// | path | answer |
/// |---|---|
/// | `status` | the counts, the notes, the names of kinds and sources |
/// | `view` | how many rows the filter accepts, of those that were looked at |
/// | `rows?from=&count=` | rows by their number among those that the filter accepts; with `last=`, the last ones |
/// | `row?n=` | all of one row |
/// | `locate?row=` | how many accepted rows come before one |
/// | `hits?q=&row=` | how many accepted rows have a text, and the next ones before and after a row |
///
/// The filter is `lanes`, `kinds`, `sources` (lists with commas), `from.t`, `to.t` (nanoseconds) and `text`. `view`,
/// `rows` and `hits` examine at most `scan` further rows and return their progress: the page repeats the request to
/// continue.
public struct TimelineRequests: Sendable {
    /// An answer.
    public struct Answer: Sendable {
        /// The HTTP status.
        public var status: Int
        /// JSON.
        public var body: [UInt8]
    }

    /// The paths of the questions.
    package static let paths = ["status", "view", "rows", "row", "locate", "hits"]

    /// Why a question was refused.
    package struct Refusal: Error {
        package var status = 400
        package var message: String
    }

    /// The maximum number of rows in one answer, and of rows examined for it.
    private static let (maximumRows, maximumScan, usualScan) = (500, 1 << 17, 1 << 13)

    private let store: TimelineStore
    private let views: RowViews

    /// Answers about `store`.
    public init(_ store: TimelineStore) {
        self.store = store
        views = RowViews(store)
    }

    /// The answer to the question with this path and these parameters.
    public func answer(_ path: String, _ parameters: [String: String]) async -> Answer {
        do {
            return Answer(status: 200, body: try await body(path, TimelineQuery(parameters)))
        } catch let refusal as Refusal {
            return Self.refusal(refusal.status, refusal.message)
        } catch {
            return Self.refusal(500, "the timeline's file could not be read: \(error)")
        }
    }

    private static func refusal(_ status: Int, _ message: String) -> Answer {
        var json = JSONWriter()
        json.object { $0.string("error", message) }
        return Answer(status: status, body: json.bytes)
    }

    private func body(_ path: String, _ query: TimelineQuery) async throws -> [UInt8] {
        switch path {
        case "status": return Array(try JSONEncoder().encode(store.status))
        case "view":
            let extent = try await views[try query.filter()].extend(budget: try scan(query))
            return Self.object(extent) { _ in }
        case "rows": return try await rows(query)
        case "row":
            let snapshot = TimelineSnapshot(store)
            let row = try query.number("n")
            guard row < snapshot.index.rowCount else {
                throw Refusal(
                    status: 404, message: "expected a row below \(snapshot.index.rowCount) in 'n', got \(row)")
            }
            var json = JSONWriter()
            try json.object { json in
                json.string("id", snapshot.id)
                try snapshot.write(details: row, to: &json)
            }
            return json.bytes
        case "locate":
            let (extent, rank) = try await views[try query.filter()].rank(of: try query.number("row"))
            return Self.object(extent) { $0.integer("at", rank) }
        case "hits": return try await hits(query)
        default:
            throw Refusal(
                status: 404, message: "expected one of \(Self.paths.joined(separator: ", ")), got '\(path)'")
        }
    }

    private func rows(_ query: TimelineQuery) async throws -> [UInt8] {
        let view = views[try query.filter()]
        let known = try await view.extend(budget: try scan(query))
        // `last` refers to the rows at this moment, even if further rows are added meanwhile.
        let last = min(try query.optionalNumber("last") ?? 0, Self.maximumRows)
        let from = last > 0 ? max(0, known.count - last) : try query.number("from")
        let count = last > 0 ? last : min(try query.number("count"), Self.maximumRows)
        let (extent, rows) = try await view.rows(from..<from + count)
        return try Self.object(extent) { json in
            json.integer("from", min(from, extent.count))
            try extent.snapshot.write(rows: rows, to: &json)
        }
    }

    private func hits(_ query: TimelineQuery) async throws -> [UInt8] {
        let filter = try query.filter()
        guard filter.text.isEmpty else { throw Refusal(message: "expected no 'text' in a search within a filter") }
        var search = filter
        search.text = try query.text("q").lowercased()
        let row = try query.number("row")
        let (view, found) = (views[filter], views[search])
        _ = try await view.extend(budget: try scan(query))
        _ = try await found.extend(budget: try scan(query))
        let (extent, before) = try await found.rank(of: row)
        let isHit = try await found.rows(before..<before + 1).rows.first == row
        let (previous, next) = (before - 1, before + (isHit ? 1 : 0))
        let at = try await view.rank(of: row).rank
        var places: [(StaticString, row: Int, at: Int)] = []
        for (key, number) in [("previous", previous), ("next", next)] as [(StaticString, Int)] where number >= 0 {
            guard let row = try await found.rows(number..<number + 1).rows.first else { continue }
            places.append((key, row, try await view.rank(of: row).rank))
        }
        return Self.object(extent) { json in
            json.integer("before", before)
            json.bool("isHit", isHit)
            json.integer("at", at)
            for (key, row, place) in places {
                json.key(key)
                json.object { json in
                    json.integer("row", row)
                    json.integer("at", place)
                }
            }
        }
    }

    private func scan(_ query: TimelineQuery) throws -> Int {
        min(try query.optionalNumber("scan") ?? Self.usualScan, Self.maximumScan)
    }

    /// An object with the extent of a view, and further information.
    private static func object(
        _ extent: RowView.Extent, _ content: (inout JSONWriter) throws -> Void
    ) rethrows -> [UInt8] {
        var json = JSONWriter()
        try json.object { json in
            json.string("id", extent.snapshot.id)
            json.integer("count", extent.count)
            json.integer("scanned", extent.scanned)
            json.integer("of", extent.snapshot.index.rowCount)
            try content(&json)
        }
        return json.bytes
    }
}

/// The parameters of a question about a timeline; every fault names the parameter.
package struct TimelineQuery {
    private typealias Refusal = TimelineRequests.Refusal

    /// The maximum length of a searched text, in bytes, and the maximum number of names in a list.
    private static let (maximumText, maximumNames) = (1000, 300)

    private let parameters: [String: String]

    package init(_ parameters: [String: String]) {
        self.parameters = parameters
    }

    /// A whole number of 0 or more, below 2⁵³, the limit of exact numbers in a page; no file has so many rows or
    /// nanoseconds.
    package func optionalNumber(_ key: String) throws -> Int? {
        guard let text = parameters[key] else { return nil }
        guard let number = Int(text), 0...1 << 53 ~= number else {
            throw Refusal(message: "expected a whole number of 0 or more in '\(key)', got '\(text.prefix(40))'")
        }
        return number
    }

    package func number(_ key: String) throws -> Int {
        guard let number = try optionalNumber(key) else { throw Refusal(message: "'\(key)' is missing") }
        return number
    }

    package func text(_ key: String) throws -> String {
        let text = parameters[key] ?? ""
        guard text.utf8.count <= Self.maximumText else {
            throw Refusal(message: "expected at most \(Self.maximumText) bytes in '\(key)', got \(text.utf8.count)")
        }
        return text
    }

    private func names(_ key: String) throws -> Set<String>? {
        guard let list = parameters[key] else { return nil }
        let names = Set(list.split(separator: ",").map(String.init))
        guard names.count <= Self.maximumNames else {
            throw Refusal(message: "expected at most \(Self.maximumNames) names in '\(key)', got \(names.count)")
        }
        return names
    }

    package func filter() throws -> RowFilter {
        var filter = RowFilter(
            kinds: try names("kinds"), sources: try names("sources"), text: try text("text").lowercased())
        if let lanes = try names("lanes") {
            filter.lanes = []
            for name in lanes {
                guard let lane = TimelineLane(rawValue: name) else {
                    let known = TimelineLane.allCases.map(\.rawValue).joined(separator: ", ")
                    throw Refusal(message: "expected one of \(known) in 'lanes', got '\(name.prefix(40))'")
                }
                filter.lanes?.insert(lane)
            }
            // A list of all kinds filters nothing, and is removed.
            if filter.lanes?.count == TimelineLane.allCases.count { filter.lanes = nil }
        }
        let (from, to) = (try optionalNumber("from.t"), try optionalNumber("to.t"))
        if from != nil || to != nil {
            let (first, last) = (Int64(from ?? 0), to.map { Int64($0) } ?? .max)
            guard first <= last else {
                throw Refusal(message: "expected 'from.t' of at most \(last), which is 'to.t', got \(first)")
            }
            filter.times = first...last
        }
        return filter
    }
}
