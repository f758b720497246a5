public import BenchModel
public import Console

/// How a suite is run.
public struct RunOptions: Sendable {
    /// The run to which the results belong.
    public var run: RunInformation
    /// The selected cases and instances.
    public var selection: CaseSelection
    /// The number of failures of one case after which its other instances are skipped.
    public var maximumFailuresPerCase: Int
    /// The number of failures after which the suite ends: the case's other instances are skipped, and later cases are
    /// not run; `nil`: unlimited.
    public var maximumFailures: Int?
    /// The maximum number of repetitions of a failed instance, each on a fresh board: for real radios. After a crash of
    /// the firmware or a mistake in the suite, an instance is not run again.
    public var retries: Int
    /// True if a case that needs an ability the bench lacks fails; else it is skipped.
    public var requiresAll: Bool
    /// True if results contain each instance, not only the number of instances.
    public var keepsInstances: Bool
    /// The resolvers of code addresses in crashes: by the suite's file, one for each of its boards.
    public var symbols: [String: [(any AddressResolver)?]] = [:]
    /// The files of expected pictures; `nil`: no picture can be expected.
    public var pictures: (any PictureFiles)?

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

/// The numbers of failures of a suite and of its case in progress; further instances run only below the limits.
struct FailureCount: Hashable, Sendable {
    /// The number of failures of the case.
    private(set) var ofCase = 0
    /// The number of failures of the suite; counted only if a limit is set.
    private(set) var ofSuite = 0
    /// Why the remaining instances of the case do not run.
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

    /// True if the suite has reached its maximum number of failures.
    func isExhausted(_ options: RunOptions) -> Bool { options.maximumFailures.map { ofSuite >= $0 } ?? false }
}
