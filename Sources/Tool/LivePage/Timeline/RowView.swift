import BenchModel
import BenchReports
package import BLEDescriptions
import MonotonicTime
import Synchronization

/// The rows that a filter accepts, numbered consecutively. Rows are counted block by block, only on request, so that an
/// abandoned search costs nothing.
package actor RowView {
    private let filter: RowFilter
    private let store: TimelineStore
    private var id = ""
    /// The number of accepted rows up to the end of each full block.
    private var counts: [Int] = []
    /// The incomplete last block: the number of its rows at the last count, and the accepted rows.
    private var last: (rows: Int, accepted: [Int]) = (0, [])

    package init(_ filter: RowFilter, of store: TimelineStore) {
        self.filter = filter
        self.store = store
    }

    /// The current extent of a view.
    package struct Extent {
        package let snapshot: TimelineSnapshot
        /// The number of accepted rows.
        package var count: Int
        /// The number of examined rows of the timeline.
        package var scanned: Int
    }

    /// Examines further rows; if their lines have to be read, about `budget` of them.
    ///
    /// - Throws: `Errno` when the timeline's file cannot be read.
    package func extend(budget: Int = 0) throws -> Extent {
        let snapshot = TimelineSnapshot(store)
        let index = snapshot.index
        guard !filter.isEmpty else {
            return Extent(snapshot: snapshot, count: index.rowCount, scanned: index.rowCount)
        }
        if id != snapshot.id { (id, counts, last) = (snapshot.id, [], (0, [])) }
        let tags = RowFilter.Tags(filter, index)
        var rest = budget
        while counts.count < index.blocks.count, rest > 0 || !filter.readsLines {
            let block = index.blocks[counts.count]
            rest -= block.tags.count
            counts.append((counts.last ?? 0) + (try accepted(block, tags, snapshot).count))
            last = (0, [])
        }
        guard counts.count == index.blocks.count else {
            let scanned = counts.isEmpty ? 0 : index.blocks[counts.count - 1].endRow
            return Extent(snapshot: snapshot, count: counts.last ?? 0, scanned: scanned)
        }
        if index.last.tags.count != last.rows {
            last = (index.last.tags.count, try accepted(index.last, tags, snapshot))
        }
        return Extent(
            snapshot: snapshot, count: (counts.last ?? 0) + last.accepted.count, scanned: index.rowCount)
    }

    /// The accepted rows of a block.
    private func accepted(
        _ block: TimelineBlock, _ tags: RowFilter.Tags, _ snapshot: TimelineSnapshot
    ) throws -> [Int] {
        guard filter.mayAccept(block) else { return [] }
        let candidates = block.tags.indices.filter { tags.accept(block.tags[$0]) }
        guard filter.readsLines, !candidates.isEmpty else { return candidates.map { block.firstRow + $0 } }
        let lines = try snapshot.lines(of: block)
        var describer = RowDescriber(snapshot.index, at: block.firstRow, snapshot.descriptions)
        return candidates.filter { filter.accepts(lines[$0], &describer) }.map { block.firstRow + $0 }
    }

    /// The accepted rows with these numbers, as far as they are known.
    package func rows(_ numbers: Range<Int>) throws -> (Extent, rows: [Int]) {
        let extent = try extend()
        let numbers = numbers.clamped(to: 0..<extent.count)
        guard !filter.isEmpty else { return (extent, Array(numbers)) }
        var rows: [Int] = []
        var number = block(withCountAbove: numbers.lowerBound)
        while rows.count < numbers.count, number <= counts.count {
            let before = number == 0 ? 0 : counts[number - 1]
            let found = try accepted(inBlock: number, extent.snapshot)
            rows += found.dropFirst(numbers.lowerBound + rows.count - before).prefix(numbers.count - rows.count)
            number += 1
        }
        return (extent, rows)
    }

    /// The number of known accepted rows before `row`.
    package func rank(of row: Int) throws -> (Extent, rank: Int) {
        let extent = try extend()
        guard !filter.isEmpty else { return (extent, min(max(0, row), extent.count)) }
        let number = extent.snapshot.index.blockNumber(of: row)
        guard number <= counts.count else { return (extent, extent.count) }
        let before = number == 0 ? 0 : counts[number - 1]
        return (extent, before + (try accepted(inBlock: number, extent.snapshot).count { $0 < row }))
    }

    private func accepted(inBlock number: Int, _ snapshot: TimelineSnapshot) throws -> [Int] {
        guard number < counts.count else { return last.accepted }
        return try accepted(snapshot.index.blocks[number], RowFilter.Tags(filter, snapshot.index), snapshot)
    }

    /// The first block at whose end the number of accepted rows exceeds `count`.
    private func block(withCountAbove count: Int) -> Int {
        var (low, high) = (0, counts.count)
        while low < high {
            let middle = (low + high) / 2
            if counts[middle] <= count { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The views of the filters requested last, since a page requests the same filters repeatedly.
package final class RowViews: Sendable {
    /// The maximum number of kept views.
    private static let capacity = 16

    private let store: TimelineStore
    /// The views, the most recently used one last.
    private let views = Mutex<[(filter: RowFilter, view: RowView)]>([])

    package init(_ store: TimelineStore) {
        self.store = store
    }

    /// The view of a filter.
    package subscript(filter: RowFilter) -> RowView {
        views.withLock { views in
            let former = views.firstIndex { $0.filter == filter }.map { views.remove(at: $0) }
            let entry = former ?? (filter, RowView(filter, of: store))
            if views.count >= Self.capacity { views.removeFirst() }
            views.append(entry)
            return entry.view
        }
    }
}

/// The filter for the rows of a timeline.
package struct RowFilter: Hashable, Sendable {
    /// The lanes; `nil`: all.
    package var lanes: Set<TimelineLane>?
    /// The kinds of events; `nil`: all.
    package var kinds: Set<String>?
    /// The sources; `nil`: all.
    package var sources: Set<String>?
    /// The times, in nanoseconds on the bench's clock; `nil`: all, including lines without a time.
    package var times: ClosedRange<Int64>?
    /// Text that the line or the event's shown text must contain, ignoring case; empty: any text.
    package var text = ""

    /// True if the filter accepts every row.
    package var isEmpty: Bool { lanes == nil && kinds == nil && sources == nil && times == nil && text.isEmpty }
    /// True if the filter has to read the lines of rows.
    package var readsLines: Bool { times != nil || !text.isEmpty }

    /// The part of the filter that the index alone can check, for the index's current names.
    package struct Tags {
        private let kinds: [Bool]
        private let sources: [Bool]

        package init(_ filter: RowFilter, _ index: TimelineIndex) {
            kinds = index.kinds.names.map { kind in
                filter.lanes?.contains(TimelineLane(kind: kind)) ?? true && filter.kinds?.contains(kind) ?? true
            }
            sources = index.sources.names.map { filter.sources?.contains($0) ?? true }
        }

        package func accept(_ tag: RowTag) -> Bool { kinds[Int(tag.kind)] && sources[Int(tag.source)] }
    }

    /// True if a block may have rows with accepted times.
    package func mayAccept(_ block: TimelineBlock) -> Bool {
        guard let times else { return true }
        return block.times.earliest <= times.upperBound && block.times.latest >= times.lowerBound
    }

    /// True if the filter accepts a row that the tags accept.
    package func accepts(_ line: TimelineSnapshot.Line, _ describer: inout RowDescriber) -> Bool {
        if let times {
            guard let head = LineHead(line.bytes), times.contains(head.time) else { return false }
        }
        if text.isEmpty || Self.contains(line.bytes, text) { return true }
        return describer.showsMore(line) && Self.contains(describer.text(line).utf8, text)
    }

    /// True if `bytes` contains `text`, which is in lower case; case is ignored for ASCII letters only.
    package static func contains(_ bytes: some Collection<UInt8>, _ text: String) -> Bool {
        func lower(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
        let pattern = Array(text.utf8)
        guard let first = pattern.first else { return true }
        return bytes.withContiguousStorageIfAvailable { buffer in
            guard buffer.count >= pattern.count else { return false }
            for start in 0...buffer.count - pattern.count where lower(buffer[start]) == first {
                var length = 1
                while length < pattern.count, lower(buffer[start + length]) == pattern[length] { length += 1 }
                if length == pattern.count { return true }
            }
            return false
        } ?? contains(Array(bytes), text)
    }
}

/// The lines of a block as text for people. Receives all lines in order, including lines that are not shown.
package struct RowDescriber {
    /// The maximum length of a row's text, in characters; the details of a row have the whole text.
    private static let maximumText = 2000

    private var describer: EventDescriber
    private let kinds: [String]

    /// A describer for rows of a suite, with the timeline's names of attributes; `descriptions` explain values.
    package init(_ index: TimelineIndex, at row: Int, _ descriptions: [PeripheralDescription]) {
        describer = EventDescriber(names: index.names(at: row), descriptions: descriptions)
        kinds = index.kinds.names
    }

    /// Receives a line that is not shown: it may contain the beginning of a frame.
    package mutating func skip(_ line: TimelineSnapshot.Line) {
        guard kinds[Int(line.tag.kind)] == HCIPacketObserved.kind, let event = event(line) else { return }
        describer.skip(event)
    }

    /// True if the shown text may contain more than the line itself; a console's text is in the line.
    package func showsMore(_ line: TimelineSnapshot.Line) -> Bool {
        kinds[Int(line.tag.kind)] != ConsoleLineReceived.kind || line.bytes.contains(UInt8(ascii: "\\"))
    }

    /// The event as text.
    package mutating func text(_ line: TimelineSnapshot.Line) -> String {
        guard let event = event(line) else { return "" }
        return describer.text(event)
    }

    /// A row for the page.
    package struct Row {
        package var event: BenchEvent?
        package var text: String
        package var mark: String
        package var fault: String?
    }

    /// The row of a line: an event, or the error in the line.
    package mutating func row(_ line: TimelineSnapshot.Line) -> Row {
        do throws(TimelineError) {
            let event = try BenchEvent(line: line.bytes, number: line.row + 1)
            return Row(
                event: event, text: Self.cut(describer.text(event)), mark: EventDescriber.mark(event.payload).rawValue)
        } catch {
            let shown = String(decoding: line.bytes.prefix(4 * Self.maximumText), as: UTF8.self).printable
            return Row(text: Self.cut(shown), mark: "bad", fault: line.isCut ? "the line is too long" : error.message)
        }
    }

    private func event(_ line: TimelineSnapshot.Line) -> BenchEvent? {
        try? BenchEvent(line: line.bytes, number: line.row + 1)
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count > maximumText && text.count > maximumText ? text.prefix(maximumText) + "…" : text
    }
}

extension TimelineSnapshot {
    /// The maximum length of a line that ``write(details:to:)`` writes completely.
    private static let maximumLine = 64 << 10

    /// Writes these rows as a list of objects.
    ///
    /// - Throws: `Errno` when the timeline's file cannot be read.
    package func write(rows: [Int], to json: inout JSONWriter) throws {
        var shown: [(Line, RowDescriber.Row)] = []
        var next = rows.startIndex
        while next < rows.endIndex {
            let block = index.block(index.blockNumber(of: rows[next]))
            var describer = RowDescriber(index, at: block.firstRow, descriptions)
            for line in try lines(of: block) {
                guard next < rows.endIndex, rows[next] < block.endRow else { break }
                if line.row == rows[next] {
                    shown.append((line, describer.row(line)))
                    next += 1
                } else {
                    describer.skip(line)
                }
            }
        }
        json.key("rows")
        json.array(shown) { json, shown in
            json.object { json in write(shown.0, shown.1, to: &json) }
        }
    }

    /// Writes a row and its whole line.
    ///
    /// - Throws: `Errno` when the timeline's file cannot be read.
    package func write(details row: Int, to json: inout JSONWriter) throws {
        let block = index.block(index.blockNumber(of: row))
        var describer = RowDescriber(index, at: block.firstRow, descriptions)
        for line in try lines(of: block).prefix(row - block.firstRow + 1) {
            guard line.row == row else {
                describer.skip(line)
                continue
            }
            write(line, describer.row(line), to: &json)
            json.integer("line", row + 1)
            json.integer("offset", Int(line.offset))
            json.string("raw", String(decoding: line.bytes.prefix(Self.maximumLine), as: UTF8.self))
        }
    }

    /// The keys are short because a page requests very many rows: `n` number from 0, `t` time in nanoseconds, `s`
    /// source, `k` kind, `l` lane, `c` case, `m` mark, `x` text; `f`: why the line is not an event.
    private func write(_ line: Line, _ row: RowDescriber.Row, to json: inout JSONWriter) {
        json.integer("n", line.row)
        let kind = index.kinds.names[Int(line.tag.kind)]
        if let event = row.event {
            json.integer("t", Int(event.time.nanoseconds))
            if event.caseNumber > 0 { json.integer("c", event.caseNumber) }
        } else if let head = LineHead(line.bytes) {
            json.integer("t", Int(head.time))
        }
        json.string("s", index.sources.names[Int(line.tag.source)])
        json.string("k", kind)
        json.string("l", TimelineLane(kind: kind).rawValue)
        json.string("m", row.mark)
        json.string("x", row.text)
        if let fault = row.fault { json.string("f", fault) }
    }
}
