public import BenchModel
import Console
import MonotonicTime

/// A run for programs: one JSON object, described in `Sources/Bench/RESULTS.md`.
///
/// Keys come in a fixed order; the events of a failure are as ``TimelineLineWriter`` writes them.
public struct JSONReport: Sendable {
    private let run: RunInformation
    private let rerun: RerunCommand

    /// A report of a run; `rerun` gives the commands that run its cases again.
    public init(_ run: RunInformation, rerun: RerunCommand? = nil) {
        self.run = run
        self.rerun = rerun ?? RerunCommand(seed: run.seed)
    }

    /// The object, with a line feed at its end.
    public func bytes(_ results: [SuiteResult], wallTime: Duration, outcome: RunOutcome) -> [UInt8] {
        var counts = VerdictCounts()
        for result in results { counts.add(result.counts) }
        var json = JSONWriter()
        json.object { json in
            json.integer("version", 1)
            json.string("seed", String(run.seed))
            json.counts(counts)
            json.time("wallTime", wallTime)
            json.key("suites")
            json.array(results) { json, result in suite(result, &json) }
            json.key("run")
            information(&json)
            json.outcome(outcome)
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private func information(_ json: inout JSONWriter) {
        json.object { json in
            json.string("id", run.id)
            json.integer("started", Int(run.wallTime))
            json.string("bench", run.bench)
            if let hardware = run.hardware {
                json.key("hardware")
                json.object { json in
                    json.string("board", hardware.board)
                    json.string("central", hardware.central)
                    json.decimal("timeFactor", hardware.timeFactor)
                    json.integer("retries", hardware.retries)
                }
            }
            json.key("versions")
            json.array(run.versions) { json, version in
                json.object { json in
                    json.string("name", version.name)
                    json.string("version", version.version)
                }
            }
        }
    }

    private func suite(_ result: SuiteResult, _ json: inout JSONWriter) {
        json.object { json in
            json.string("name", result.name)
            json.string("file", result.file)
            json.string("sketch", result.sketch)
            result.firmware?.write(to: &json)
            json.boards(result.boards)
            json.counts(result.counts)
            json.time("benchTime", result.started.duration(to: result.ended))
            json.key("cases")
            json.array(result.cases) { json, suiteCase in self.case(suiteCase, file: result.file, &json) }
        }
    }

    private func `case`(_ result: CaseResult, file: String, _ json: inout JSONWriter) {
        json.object { json in
            json.string("name", result.name)
            json.integer("line", result.position.line)
            json.counts(result.counts)
            json.time("benchTime", result.started.duration(to: result.ended))
            if let reason = result.skipReason { json.string("skipReason", reason) }
            json.key("failures")
            json.array(result.failures) { json, failure in self.failure(failure, file: file, &json) }
            if !result.instances.isEmpty {
                json.key("instances")
                json.array(result.instances) { json, instance in self.instance(instance, &json) }
            }
            if !result.tags.isEmpty {
                json.key("tags")
                json.array(result.tags) { json, tag in json.string(tag) }
            }
            if let total = result.sampledFrom { json.integer("sampledFrom", total) }
            guard !result.retried.isEmpty else { return }
            json.key("flaky")
            json.array(result.retried) { json, instance in
                json.object { json in
                    json.string("name", instance.name)
                    json.attempts(instance.formerFailures + [instance.failure])
                }
            }
        }
    }

    private func instance(_ instance: InstanceResult, _ json: inout JSONWriter) {
        json.object { json in
            json.string("name", instance.name)
            json.integer("number", instance.number)
            switch instance.verdict {
            case .passed: json.string("verdict", "passed")
            case .failed(let failure): json.string("verdict", failure.cause.rawValue)
            case .skipped(let reason):
                json.string("verdict", "skipped")
                json.string("reason", reason)
            }
            json.integer("started", Int(instance.started.nanoseconds))
            json.integer("ended", Int(instance.ended.nanoseconds))
            if !instance.formerFailures.isEmpty { json.integer("runs", instance.formerFailures.count + 1) }
        }
    }

    private func failure(_ instance: InstanceFailure, file: String, _ json: inout JSONWriter) {
        let failure = instance.failure
        json.object { json in
            json.string("name", instance.name)
            json.whatFailed(failure)
            json.string("rerun", rerun.text(instance, file: file))
            json.key("context")
            json.array(failure.context) { $0.event($1) }
            json.integer("caseStarted", Int(instance.started.nanoseconds))
            if !instance.parameters.isEmpty {
                json.key("parameters")
                json.array(instance.parameters) { json, parameter in
                    json.object { json in
                        json.string("name", parameter.name)
                        json.integer("value", Int(parameter.value))
                    }
                }
            }
            if let board = failure.board { json.string("board", board) }
            if !failure.crash.isEmpty {
                json.key("crash")
                json.array(failure.crash) { $0.frame($1) }
            }
            if !instance.formerFailures.isEmpty { json.attempts(instance.formerFailures) }
        }
    }
}

extension JSONWriter {
    /// The boards of a suite, if there are several.
    package mutating func boards(_ boards: [BoardInformation]) {
        guard !boards.isEmpty else { return }
        key("boards")
        array(boards) { json, board in
            json.object { json in
                json.string("name", board.name)
                json.string("sketch", board.sketch)
                board.firmware?.write(to: &json)
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func counts(_ counts: VerdictCounts) {
        integer("passed", counts.passed)
        integer("failed", counts.failed)
        integer("skipped", counts.skipped)
        if counts.retried > 0 { integer("retried", counts.retried) }
    }

    /// The keys that every failed run of an instance has.
    fileprivate mutating func whatFailed(_ failure: Failure) {
        string("cause", failure.cause.rawValue)
        integer("line", failure.position.line)
        integer("column", failure.position.column)
        string("step", failure.step)
        string("expected", failure.expected)
        string("got", failure.got)
        integer("started", Int(failure.started.nanoseconds))
        integer("failed", Int(failure.failed.nanoseconds))
    }

    /// The earlier failed attempts of an instance.
    fileprivate mutating func attempts(_ failures: [Failure]) {
        key("attempts")
        array(failures) { json, failure in
            json.object { json in
                json.whatFailed(failure)
                json.key("context")
                json.array(failure.context) { $0.event($1) }
            }
        }
    }

    fileprivate mutating func frame(_ frame: CodeFrame) {
        object { json in
            json.string("address", "0x" + String(frame.address, radix: 16))
            if let function = frame.function { json.string("function", function) }
            if let file = frame.file { json.string("file", file) }
            if let line = frame.line { json.integer("line", line) }
            if frame.isInlined { json.bool("inlined", true) }
        }
    }

    fileprivate mutating func outcome(_ outcome: RunOutcome) {
        string("outcome", outcome.name)
        integer("exitCode", outcome.exitCode)
        guard let error = outcome.error else { return }
        key("error")
        object { json in
            json.string("message", error.message)
            if let hint = error.hint { json.string("hint", hint) }
            guard !error.diagnostics.isEmpty else { return }
            json.key("diagnostics")
            json.array(error.diagnostics) { json, diagnostic in
                json.object { json in
                    json.string("file", diagnostic.file)
                    if let position = diagnostic.position {
                        json.integer("line", position.line)
                        json.integer("column", position.column)
                    }
                    json.string("message", diagnostic.message)
                }
            }
        }
    }

    fileprivate mutating func time(_ key: StaticString, _ duration: Duration) {
        integer(key, Int(duration.wholeNanoseconds))
    }
}
