import MonotonicTime

/// Where a part of a run, which began on a bench of its own at instant zero, stands in the whole run.
public struct RunOffset: Hashable, Sendable {
    /// How long the parts before it took on their benches.
    public var time: Duration
    /// How many instances ran in them: the number of the last one.
    public var number: Int
    /// How many instances they had, those that were skipped included.
    public var completed: Int

    /// An offset; the default is that of the first part.
    public init(time: Duration = .zero, number: Int = 0, completed: Int = 0) {
        self.time = time
        self.number = number
        self.completed = completed
    }

    private func moved(_ instant: MonotonicInstant) -> MonotonicInstant { instant.advanced(by: time) }

    /// An event of the part, as the whole run has it.
    public func moved(_ event: BenchEvent) -> BenchEvent {
        var event = event
        event.time = moved(event.time)
        if event.caseNumber > 0 { event.caseNumber += number }
        return event
    }

    /// A result of the part, as the whole run has it.
    public func moved(_ result: CaseResult) -> CaseResult {
        var result = result
        result.started = moved(result.started)
        result.ended = moved(result.ended)
        result.failures = result.failures.map(moved)
        result.retried = result.retried.map(moved)
        result.instances = result.instances.map(moved)
        return result
    }

    /// An item of the part, as the whole run has it.
    public func moved(_ item: RunItem) -> RunItem {
        switch item {
        case .event(let event): .event(moved(event))
        case .instanceEnded(let instance): .instanceEnded(moved(instance))
        case .advanced(let completed, let suite): .advanced(completed: completed + self.completed, of: suite)
        case .caseEnded(let result, let suite): .caseEnded(moved(result), of: suite)
        case .suiteStarted, .suiteEnded: item
        }
    }

    private func moved(_ instance: InstanceResult) -> InstanceResult {
        var instance = instance
        if instance.number > 0 { instance.number += number }
        instance.started = moved(instance.started)
        instance.ended = moved(instance.ended)
        if case .failed(let failure) = instance.verdict { instance.verdict = .failed(moved(failure)) }
        instance.formerFailures = instance.formerFailures.map(moved)
        return instance
    }

    private func moved(_ instance: InstanceFailure) -> InstanceFailure {
        var instance = instance
        instance.started = moved(instance.started)
        instance.failure = moved(instance.failure)
        instance.formerFailures = instance.formerFailures.map(moved)
        return instance
    }

    private func moved(_ failure: Failure) -> Failure {
        var failure = failure
        failure.started = moved(failure.started)
        failure.failed = moved(failure.failed)
        failure.context = failure.context.map(moved)
        failure.event = failure.event.map { moved($0) }
        return failure
    }
}
