import BenchModel

extension RunInformation.Hardware {
    /// The time factor as reports show it: `3`, `1.5`.
    var timeFactorText: String {
        timeFactor == timeFactor.rounded() && timeFactor.magnitude < 1e9 ? "\(Int(timeFactor))" : "\(timeFactor)"
    }
}
