import BenchModel

extension JUnitStatus {
    /// How all instances of a case came out together.
    init(_ result: CaseResult, file: String, _ text: FailureText) {
        let counts = result.counts
        if counts.failed > 0 {
            let isError = result.failures.contains { $0.failure.cause.isError }
            let first = result.failures.first { $0.failure.cause.isError == isError }
            var message = first.map { FailureText.line($0) } ?? "failed"
            if counts.total > 1 {
                message = "\(counts.failed.grouped) of \(counts.total.of("case")) failed: \(message)"
            }
            var details = result.failures.map { text.details($0, file: file) }.joined(separator: "\n")
            if let reason = result.skipReason, counts.skipped > 0 {
                details += "\n\(counts.skipped.of("case")) skipped: \(reason)\n"
            }
            self = .failed(
                JUnitFailure(
                    type: (first?.failure.cause ?? .assertion).rawValue, message: message, details: details,
                    output: result.failures.map { FailureText.console($0.failure) }.joined()), isError: isError)
        } else if let reason = result.skipReason, counts.skipped > 0 {
            self = .skipped(
                reason: counts.total == 1
                    ? reason : "\(counts.skipped.grouped) of \(counts.total.of("case")) skipped: \(reason)")
        } else {
            self = .passed
        }
    }

    /// How one instance came out.
    init(_ instance: InstanceResult, file: String, _ text: FailureText) {
        switch instance.verdict {
        case .passed: self = .passed
        case .skipped(let reason): self = .skipped(reason: reason)
        case .failed(let failure):
            let failed = InstanceFailure(name: instance.name, started: instance.started, failure: failure)
            self = .failed(
                JUnitFailure(
                    type: failure.cause.rawValue, message: FailureText.line(failed),
                    details: text.details(failed, file: file), output: FailureText.console(failure)),
                isError: failure.cause.isError)
        }
    }
}

extension JUnitTestCase {
    /// The runs of instances that failed before they were run again.
    static func formerRuns(
        _ instances: [InstanceFailure], file: String, _ text: FailureText
    ) -> [(failure: JUnitFailure, isError: Bool)] {
        instances.flatMap { instance in
            instance.formerFailures.map { failure in
                let failed = InstanceFailure(
                    name: instance.name, parameters: instance.parameters, started: instance.started, failure: failure)
                return (
                    JUnitFailure(
                        type: failure.cause.rawValue, message: FailureText.line(failed),
                        details: text.details(failed, file: file), output: FailureText.console(failure)),
                    failure.cause.isError
                )
            }
        }
    }
}

extension InstanceResult {
    /// Itself, if it was run again, with all runs before the one that decided.
    var runAgain: [InstanceFailure] {
        guard let last = formerFailures.last else { return [] }
        return [InstanceFailure(name: name, started: started, failure: last, after: formerFailures)]
    }
}

extension CaseResult {
    /// The instances that were run again, each with all runs before the one that decided.
    var runAgain: [InstanceFailure] {
        let passed = retried.map { instance in
            var instance = instance
            instance.formerFailures.append(instance.failure)
            return instance
        }
        return failures.filter { !$0.formerFailures.isEmpty } + passed
    }
}

extension FailureCause {
    /// Whether the case could not be judged, as opposed to an expectation that was not met.
    var isError: Bool {
        switch self {
        case .assertion, .timedOut, .linkLost, .hostStack: false
        case .panic, .watchdog, .hang, .sanitizer, .suite, .benchFault: true
        }
    }
}
