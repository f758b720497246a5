/// How often a suite and its case in progress have failed, and what follows for the instances to come.
struct FailureCount: Hashable, Sendable {
    /// Failures of the case.
    private(set) var ofCase = 0
    /// Failures of the suite; not counted where nothing depends on it.
    private(set) var ofSuite = 0
    /// Why the other instances of the case do not run.
    private(set) var skipReason: String?

    /// Adds a failure of the case.
    mutating func add(isInBefore: Bool, _ options: RunOptions) {
        ofCase += 1
        if options.maximumFailures != nil { ofSuite += 1 }
        if isInBefore {
            skipReason = "its 'before' failed"
        } else if isExhausted(options) || ofCase >= options.maximumFailuresPerCase {
            skipReason = "after \(ofCase) failure\(ofCase == 1 ? "" : "s")"
        }
    }

    /// Begins another case.
    mutating func beginCase() {
        ofCase = 0
        skipReason = nil
    }

    /// Whether the suite has failed as often as it may.
    func isExhausted(_ options: RunOptions) -> Bool { options.maximumFailures.map { ofSuite >= $0 } ?? false }
}
