public import BenchModel
public import Console

/// How a suite is run.
public struct RunOptions: Sendable {
    /// The run that results are of.
    public var run: RunInformation
    /// Which cases and instances run.
    public var selection: CaseSelection
    /// After so many failures of one case its other instances are skipped.
    public var maximumFailuresPerCase: Int
    /// After so many failures the suite ends: the case's other instances are skipped, and later cases are not run;
    /// `nil`: it goes on.
    public var maximumFailures: Int?
    /// How often an instance that failed is run again on a fresh board, at most: for real radios. One that fails for the
    /// firmware's crash or the suite's mistake is not run again.
    public var retries: Int
    /// Whether a case that needs what the bench has not fails; else it is skipped.
    public var requiresAll: Bool
    /// Whether results keep each instance, not only their number.
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
