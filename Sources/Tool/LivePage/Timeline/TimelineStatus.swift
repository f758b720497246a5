import BenchModel

extension TimelineStore {
    /// What the page gets with each change: how many rows there are, and in which lanes.
    public func countsJSON() -> [UInt8] {
        withState { state in
            var json = JSONWriter()
            json.object { writeCounts(state, to: &$0) }
            return json.bytes
        }
    }

    /// The counts, the notes, and the names that a filter can have.
    func statusJSON() -> [UInt8] {
        withState { state in
            var json = JSONWriter()
            json.object { json in
                writeCounts(state, to: &json)
                json.key("notes")
                json.array(state.notes) { $0.string($1) }
                if let line = state.unfinished {
                    json.key("unfinished")
                    json.object { json in
                        json.integer("line", line.row + 1)
                        json.integer("bytes", line.length)
                        json.string("text", line.beginning)
                    }
                }
                writeNames("kinds", state.index.kinds, to: &json)
                writeNames("sources", state.index.sources, to: &json)
            }
            return json.bytes
        }
    }

    private func writeCounts(_ state: State, to json: inout JSONWriter) {
        json.string("id", id(state))
        json.integer("version", state.version)
        json.integer("rows", state.index.rowCount)
        json.integer("noteCount", state.notes.count)
        json.bool("ended", state.hasEnded)
        if state.dropped > 0 { json.integer("dropped", state.dropped) }
        if state.indexed.of > 0 {
            json.integer("indexed", Int(state.indexed.bytes))
            json.integer("size", Int(state.indexed.of))
        }
        var lanes: [TimelineLane: Int] = [:]
        for (name, rows) in zip(state.index.kinds.names, state.index.kinds.rows) {
            lanes[TimelineLane(kind: name), default: 0] += rows
        }
        json.key("lanes")
        json.array(TimelineLane.allCases) { json, lane in
            json.object { json in
                json.string("id", lane.rawValue)
                json.integer("rows", lanes[lane] ?? 0)
            }
        }
    }

    private func writeNames(_ key: StaticString, _ names: NameNumbers, to json: inout JSONWriter) {
        json.key(key)
        json.array(zip(names.names, names.rows).filter { !$0.0.isEmpty }) { json, entry in
            json.object { json in
                json.string("name", entry.0)
                json.integer("rows", entry.1)
            }
        }
    }
}
