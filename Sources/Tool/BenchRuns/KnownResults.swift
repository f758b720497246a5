import BenchModel
import Synchronization

/// The results of a run so far; an aborted command writes them.
final class KnownResults: RunObserver {
    private struct State {
        var ended: [SuiteResult] = []
        var suite: SuiteInformation?
        var cases: [CaseResult] = []
    }

    private let run: RunInformation
    private let state = Mutex(State())

    init(_ run: RunInformation) {
        self.run = run
    }

    func receive(_ item: RunItem) {
        switch item {
        case .suiteStarted(let suite):
            state.withLock { state in
                state.suite = suite
                state.cases = []
            }
        case .caseEnded(let result, _): state.withLock { $0.cases.append(result) }
        case .suiteEnded(let result):
            state.withLock { state in
                state.ended.append(result)
                state.suite = nil
            }
        default: break
        }
    }

    /// The results of ended suites, and the ended cases of the suite in progress.
    var results: [SuiteResult] {
        state.withLock { state in
            guard let suite = state.suite, let first = state.cases.first, let last = state.cases.last else {
                return state.ended
            }
            let part = SuiteResult(
                name: suite.name, file: suite.file, sketch: suite.sketch, boards: suite.boards,
                firmware: suite.firmware, run: run, cases: state.cases, started: first.started, ended: last.ended)
            return state.ended + [part]
        }
    }
}

/// Work that several threads may begin, but only one thread does.
final class OneTime: Sendable {
    private let isFree = Mutex(true)

    /// True for the first caller only.
    func begin() -> Bool {
        isFree.withLock { isFree in
            defer { isFree = false }
            return isFree
        }
    }
}
