public import BenchModel

/// How a suite is run.
public struct RunOptions: Sendable {
    /// The seed of the bench, for results and timelines.
    public var seed: UInt64
    /// Run only the instance of this name, or every instance of the case with this name before its values are put
    /// in; `nil`: all.
    public var caseName: String?
    /// After so many failures of one case its other instances are skipped.
    public var maximumFailuresPerCase: Int
    /// Hears how far the run is.
    public var onProgress: @Sendable (RunProgress) -> Void

    /// Options; the default runs everything.
    public init(
        seed: UInt64 = 0, caseName: String? = nil, maximumFailuresPerCase: Int = 10,
        onProgress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) {
        self.seed = seed
        self.caseName = caseName
        self.maximumFailuresPerCase = maximumFailuresPerCase
        self.onProgress = onProgress
    }
}

/// How far a run is.
public enum RunProgress: Sendable {
    /// A suite begins, with so many instances of cases.
    case suiteStarted(Suite)
    /// So many instances of the suite have come out.
    case advanced(completed: Int, of: Int)
    /// A case has come out, with all its instances.
    case caseEnded(CaseResult)
    /// The suite has come out.
    case suiteEnded(SuiteResult)
}
