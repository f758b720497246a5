import BenchModel
import MonotonicTime

extension TimelineSnapshot {
    /// The longest line of which ``write(details:to:)`` gives all.
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

    /// The keys are short, as a page asks for very many rows: `n` number from 0, `t` time in nanoseconds, `s` source, `k`
    /// kind, `l` lane, `c` case, `m` mark, `x` text; `f`: why the line is no event.
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
