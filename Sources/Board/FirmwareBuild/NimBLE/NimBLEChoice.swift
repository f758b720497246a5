/// Which NimBLE a sketch is built with.
public enum NimBLEChoice: String, CaseIterable, Sendable {
    /// The NimBLE-Arduino that is installed as a library; a build without one fails.
    case library
    /// The host core's own imitation of NimBLE-Arduino.
    case builtIn = "built-in"
}

/// What is built of a sketch, beside its sources.
public struct BuildOptions: Hashable, Sendable {
    /// Which NimBLE; `nil`: the library where one is installed, else the host core's own.
    public var nimble: NimBLEChoice?
    /// A folder with NimBLE-Arduino, which takes precedence over those of the libraries' folders.
    public var nimbleFolder: String?

    /// The name of the environment variable that users give ``nimbleFolder`` in.
    public static let nimbleVariable = "ESPBENCH_NIMBLE"

    /// These options; by default what is installed decides.
    public init(nimble: NimBLEChoice? = nil, nimbleFolder: String? = nil) {
        self.nimble = nimble
        self.nimbleFolder = nimbleFolder
    }
}
