public import BenchModel

/// How a suite is run.
public struct RunOptions: Sendable {
    /// The run that results are of.
    public var run: RunInformation
    /// Run only the instance of this name, or every instance of the case with this name before its values are put
    /// in; `nil`: all.
    public var caseName: String?
    /// After so many failures of one case its other instances are skipped.
    public var maximumFailuresPerCase: Int
    /// Whether a case that needs what the bench has not fails; else it is skipped.
    public var requiresAll: Bool
    /// Whether results keep each instance, not only their number.
    public var keepsInstances: Bool

    /// Options; the default runs everything.
    public init(
        run: RunInformation, caseName: String? = nil, maximumFailuresPerCase: Int = 10, requiresAll: Bool = false,
        keepsInstances: Bool = false
    ) {
        self.run = run
        self.caseName = caseName
        self.maximumFailuresPerCase = maximumFailuresPerCase
        self.requiresAll = requiresAll
        self.keepsInstances = keepsInstances
    }
}
