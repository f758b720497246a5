/// A sketch compiled for this machine.
public struct CompiledSketch: Sendable {
    /// A library that the sketch was built with.
    public struct UsedLibrary: Hashable, Sendable {
        /// Name and version.
        public var title: String
        /// Its folder.
        public var folder: String
    }

    /// The stripped program, for the app image.
    public var program: String
    /// The same program with debug information, for decoding backtraces.
    public var symbols: String
    /// The compiler's warnings and remarks on libraries; empty when there are none, or when nothing was compiled.
    public var warnings: String
    /// Whether an earlier build of the same sources was used.
    public var isCached: Bool
    /// The NimBLE in it, with version and kind: `NimBLE-Arduino 2.5.1 (built-in)`, or `(library)`.
    public var nimble: String
    /// The libraries, in order of folder.
    public var libraries: [UsedLibrary]
}
