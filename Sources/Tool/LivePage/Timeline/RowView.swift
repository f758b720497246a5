/// The rows that a filter accepts, by their number among them. It counts them block by block, as far as somebody asks, so
/// that a search that nobody waits for any more costs nothing.
package actor RowView {
    private let filter: RowFilter
    private let store: TimelineStore
    private var id = ""
    /// The number of accepted rows up to the end of each full block.
    private var counts: [Int] = []
    /// Of the block that is not full: its rows when they were counted, and the accepted ones.
    private var last: (rows: Int, accepted: [Int]) = (0, [])

    package init(_ filter: RowFilter, of store: TimelineStore) {
        self.filter = filter
        self.store = store
    }

    /// A view as far as it is now.
    package struct Extent {
        package let snapshot: TimelineSnapshot
        /// How many rows are accepted.
        package var count: Int
        /// How many rows of the timeline were looked at.
        package var scanned: Int
    }

    /// Looks at further rows, about `budget` of them if their lines have to be read.
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

    /// The rows with these numbers among the accepted ones, as far as they are known.
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

    /// How many of the accepted rows come before `row`, as far as they are known.
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

    /// The first block up to whose end there are more than `count` accepted rows.
    private func block(withCountAbove count: Int) -> Int {
        var (low, high) = (0, counts.count)
        while low < high {
            let middle = (low + high) / 2
            if counts[middle] <= count { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
