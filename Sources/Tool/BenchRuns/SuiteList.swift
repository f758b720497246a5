import BenchModel
internal import BenchReports
import BenchSuites

/// The output of `--list`: the suites and cases that would run.
package struct SuiteList {
    private let selected: SelectedSuites
    private let seed: UInt64

    /// A list of the selected cases; `seed` determines the samples.
    package init(_ selected: SelectedSuites, seed: UInt64) {
        self.selected = selected
        self.seed = seed
    }

    private var suites: Zip2Sequence<[Suite], [SuitePlan]> { zip(selected.suites, selected.plans) }

    /// A line per case, for people: name, instances, tags, place.
    package var text: String {
        var text = ""
        for (suite, plan) in suites {
            text += "\(suite.name)  \(suite.file)\(Self.tags(suite.tags))\n"
            for casePlan in plan.cases {
                let suiteCase = suite.cases[casePlan.index]
                text += "  \(suiteCase.name.source)"
                let count = Self.grouped(casePlan.instances.count)
                if let total = casePlan.sampledFrom {
                    text += "  \(count) of \(Self.grouped(total)) cases, sampled with seed \(seed)"
                } else if casePlan.instances.count > 1 {
                    text += "  \(count) cases"
                }
                let own = suiteCase.tags.filter { !suite.tags.contains($0) }
                text += "\(Self.tags(own))  \(suite.file):\(suiteCase.position.line)\n"
            }
        }
        let total = selected.plans.reduce(0) { $0 + $1.instanceCount }
        let count = selected.suites.count
        return text
            + "\n\(Self.grouped(total)) case\(total == 1 ? "" : "s") in \(count) suite\(count == 1 ? "" : "s")\n"
    }

    private static func tags(_ tags: [String]) -> String {
        tags.isEmpty ? "" : "  [\(tags.joined(separator: ", "))]"
    }

    private static func grouped(_ number: Int) -> String {
        var digits = String(number)
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: index))
            index -= 3
        }
        return digits
    }

    /// One JSON object with a line feed, for programs:
    ///
    ///     {"version": 1, "seed": "0", "instances": 65537, "suites": [{"name": "…", "file": "…", "sketch": "…",
    ///       "boards": [{"name": "server", "sketch": "…"}] (only of several), "tags": ["sums"], "instances": 65537,
    ///       "cases": [{"name": "adds {a}", "line": 12, "tags": ["sums", "slow"], "instances": 65536,
    ///         "sampledFrom": 65536 (only of a sample)}]}]}
    package var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.integer("version", 1)
            json.string("seed", String(seed))
            json.integer("instances", selected.plans.reduce(0) { $0 + $1.instanceCount })
            json.key("suites")
            json.array(suites) { json, element in Self.suite(element.0, element.1, &json) }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static func suite(_ suite: Suite, _ plan: SuitePlan, _ json: inout JSONWriter) {
        json.object { json in
            json.string("name", suite.name)
            json.string("file", suite.file)
            json.string("sketch", suite.sketch)
            json.boards(suite.information.boards)
            json.key("tags")
            json.array(suite.tags) { json, tag in json.string(tag) }
            json.integer("instances", plan.instanceCount)
            json.key("cases")
            json.array(plan.cases) { json, casePlan in
                let suiteCase = suite.cases[casePlan.index]
                json.object { json in
                    json.string("name", suiteCase.name.source)
                    json.integer("line", suiteCase.position.line)
                    json.key("tags")
                    json.array(suite.tags(of: suiteCase)) { json, tag in json.string(tag) }
                    json.integer("instances", casePlan.instances.count)
                    if let total = casePlan.sampledFrom { json.integer("sampledFrom", total) }
                }
            }
        }
    }
}
