public import BenchModel
import MonotonicTime

/// Which events of a timeline are wanted. A pure state machine that receives all events in order.
public struct TimelineFilter: Sendable {
    /// Whether the name of a case is wanted.
    public typealias CaseMatch = @Sendable (String) -> Bool

    private let isCaseWanted: CaseMatch?
    private let kinds: Set<String>
    private let around: (center: Duration, window: Duration)?
    /// The case in progress, if it is wanted.
    private var caseStart: MonotonicInstant?

    /// Whether a wanted case has begun, or none in particular is wanted.
    public private(set) var hasFoundCase: Bool
    /// A filter.
    ///
    /// - Parameters:
    ///   - isCaseWanted: which cases are wanted; `nil`: all, and what is between them.
    ///   - kinds: the kinds of events that are wanted; empty: all.
    ///   - around: the instant, and how long before and after it events are wanted; since the case began where cases are
    ///     chosen, else on the bench's clock.
    public init(
        cases isCaseWanted: CaseMatch? = nil, kinds: Set<String> = [],
        around: (center: Duration, window: Duration)? = nil
    ) {
        self.isCaseWanted = isCaseWanted
        self.kinds = kinds
        self.around = around
        hasFoundCase = isCaseWanted == nil
    }

    /// Whether `event` is wanted.
    public mutating func isWanted(_ event: BenchEvent) -> Bool {
        if let isCaseWanted {
            if let began = event.payload as? CaseBegan {
                caseStart = isCaseWanted(began.name) ? event.time : nil
                if caseStart != nil { hasFoundCase = true }
            }
            // The beginning of a case is shown above whatever is wanted of it.
            guard let caseStart else { return false }
            defer { if event.payload is CaseEnded { self.caseStart = nil } }
            return event.payload is CaseBegan || isWanted(event, since: caseStart)
        }
        return isWanted(event, since: .zero)
    }

    private func isWanted(_ event: BenchEvent, since origin: MonotonicInstant) -> Bool {
        if let around {
            let distance = origin.duration(to: event.time) - around.center
            guard max(distance, .zero - distance) <= around.window else { return false }
        }
        return kinds.isEmpty || kinds.contains(type(of: event.payload).kind)
    }
}
