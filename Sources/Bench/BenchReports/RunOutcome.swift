/// How a run of suites ended.
public struct RunOutcome: Sendable, Hashable {
    /// What kept a run from its end.
    public struct Fault: Sendable, Hashable {
        /// What failed; may have several lines.
        public var message: String
        /// What a person can do next.
        public var hint: String?

        /// A fault.
        public init(message: String, hint: String?) {
            self.message = message
            self.hint = hint
        }
    }

    /// The name of the outcome, e.g. `passed`.
    public var name: String
    /// The exit code of the program.
    public var exitCode: Int
    /// Why the run did not come to its end; `nil` when it did.
    public var error: Fault?

    /// An outcome.
    public init(name: String, exitCode: Int, error: Fault?) {
        self.name = name
        self.exitCode = exitCode
        self.error = error
    }
}
