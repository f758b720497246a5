import BenchModel

extension RunComparison {
    /// The comparison as one JSON object with a line feed, as `Sources/Bench/RESULTS.md` describes it.
    public func json(_ a: Source, _ b: Source) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.integer("version", 1)
            json.bool("isSame", isSame)
            for result in Result.allCases { json.integer(result.countKey, count(result)) }
            json.key("a")
            json.source(a)
            json.key("b")
            json.source(b)
            json.key("cases")
            json.array(cases) { json, entry in
                json.object { json in
                    json.string("suite", entry.suite)
                    json.string("name", entry.name)
                    json.string("result", entry.result.rawValue)
                    if !entry.detail.isEmpty { json.string("detail", entry.detail) }
                    json.run("a", entry.a)
                    json.run("b", entry.b)
                }
            }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

extension RunComparison.Result {
    fileprivate var countKey: StaticString {
        switch self {
        case .same: "same"
        case .differs: "differ"
        case .skipped: "skipped"
        case .onlyA: "onlyA"
        case .onlyB: "onlyB"
        }
    }
}

extension JSONWriter {
    fileprivate mutating func source(_ source: RunComparison.Source) {
        object { json in
            json.string("file", source.file)
            json.string("bench", source.report.run.bench)
            json.string("seed", source.report.seed)
            json.string("outcome", source.report.outcome)
        }
    }

    fileprivate mutating func run(_ key: StaticString, _ run: RunReport.Case?) {
        guard let run else { return }
        self.key(key)
        object { json in
            json.string("verdict", run.verdict.rawValue)
            json.integer("line", run.line)
            json.integer("passed", run.passed)
            json.integer("failed", run.failed)
            json.integer("skipped", run.skipped)
            if let reason = run.skipReason { json.string("skipReason", reason) }
        }
    }
}
