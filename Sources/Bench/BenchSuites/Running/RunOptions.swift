public import BenchModel
public import Console

/// How a suite is run.
public struct RunOptions: Sendable {
    /// The run that results are of.
    public var run: RunInformation
    /// Which cases and instances run.
    public var selection: CaseSelection
    /// The number of failures of one case after which its other instances are skipped.
    public var maximumFailuresPerCase: Int
    /// The number of failures after which the suite ends: the case's other instances are skipped, and later cases are
    /// not run; `nil`: it continues.
    public var maximumFailures: Int?
    /// How often an instance that failed is run again on a fresh board, at most: for real radios. One that fails for the
    /// firmware's crash or the suite's mistake is not run again.
    public var retries: Int
    /// True if a case that needs an ability the bench lacks fails; else it is skipped.
    public var requiresAll: Bool
    /// True if results keep each instance, not only their number.
    public var keepsInstances: Bool
    /// Finds the places of code addresses in the programs of sketches, by the suite's file, of each of its boards: for
    /// crashes.
    public var symbols: [String: [(any AddressResolver)?]] = [:]

    /// Options; the default runs everything.
    public init(
        run: RunInformation, selection: CaseSelection = .everything, maximumFailuresPerCase: Int = 10,
        maximumFailures: Int? = nil, retries: Int = 0, requiresAll: Bool = false, keepsInstances: Bool = false
    ) {
        self.run = run
        self.selection = selection
        self.maximumFailuresPerCase = maximumFailuresPerCase
        self.maximumFailures = maximumFailures
        self.retries = retries
        self.requiresAll = requiresAll
        self.keepsInstances = keepsInstances
    }
}

/// The numbers of failures of a suite and of its case in progress, which decide if further instances run.
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

    /// True if the suite has failed as often as it may.
    func isExhausted(_ options: RunOptions) -> Bool { options.maximumFailures.map { ofSuite >= $0 } ?? false }
}
