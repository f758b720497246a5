import BenchModel

/// Which rows of a timeline are wanted.
package struct RowFilter: Hashable, Sendable {
    /// The lanes; `nil`: all.
    package var lanes: Set<TimelineLane>?
    /// The kinds of events; `nil`: all.
    package var kinds: Set<String>?
    /// The sources; `nil`: all.
    package var sources: Set<String>?
    /// The times, in nanoseconds on the bench's clock; `nil`: all, also lines without one.
    package var times: ClosedRange<Int64>?
    /// What the line, or the event as it is shown, has to contain, whatever the case of its letters; empty: anything.
    package var text = ""

    /// Whether everything is wanted.
    package var isEmpty: Bool { lanes == nil && kinds == nil && sources == nil && times == nil && text.isEmpty }
    /// Whether a row's line has to be read to know.
    package var readsLines: Bool { times != nil || !text.isEmpty }

    /// The part that the index alone answers, for the names that it has.
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

    /// Whether a block may have rows with a time that is wanted.
    package func mayAccept(_ block: TimelineBlock) -> Bool {
        guard let times else { return true }
        return block.times.earliest <= times.upperBound && block.times.latest >= times.lowerBound
    }

    /// Whether a row that the tags accept is wanted.
    package func accepts(_ line: TimelineSnapshot.Line, _ describer: inout RowDescriber) -> Bool {
        if let times {
            guard let head = LineHead(line.bytes), times.contains(head.time) else { return false }
        }
        if text.isEmpty || Self.contains(line.bytes, text) { return true }
        return describer.showsMore(line) && Self.contains(describer.text(line).utf8, text)
    }

    /// Whether `bytes` has `text`, which is in lower case; letters of other alphabets than ASCII's have to be the same.
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
