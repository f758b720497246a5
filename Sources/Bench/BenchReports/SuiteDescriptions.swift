public import BLEDescriptions

/// The descriptions that the suites of a run name, which say what values mean.
public struct SuiteDescriptions: Sendable {
    private let byFile: [String: [PeripheralDescription]]

    /// - Parameter byFile: by the suite's file.
    public init(_ byFile: [String: [PeripheralDescription]] = [:]) {
        self.byFile = byFile
    }

    /// Those of the suite in `file`.
    func named(in file: String) -> [PeripheralDescription] { byFile[file] ?? [] }
}
