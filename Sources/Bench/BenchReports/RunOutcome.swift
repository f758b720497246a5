public import BenchModel

/// The result of a run of suites.
public struct RunOutcome: Sendable, Hashable {
    /// The reason why a run did not complete.
    public struct Fault: Sendable, Hashable {
        /// The failure; may have several lines.
        public var message: String
        /// The next step for the user.
        public var hint: String?
        /// The places in suites or sketches that caused the failure, as far as they are known.
        public var diagnostics: [Diagnostic]

        /// A fault.
        public init(message: String, hint: String?, diagnostics: [Diagnostic] = []) {
            self.message = message
            self.hint = hint
            self.diagnostics = diagnostics
        }
    }

    /// A place in a file that caused a failure.
    public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
        /// The file, as it was named.
        public var file: String
        /// The position in the file; `nil`: the whole file.
        public var position: SourcePosition?
        /// The fault.
        public var message: String

        /// A place that caused a failure.
        public init(file: String, position: SourcePosition?, message: String) {
            self.file = file
            self.position = position
            self.message = message
        }

        /// `file:line:column: message`, as compilers write it.
        public var description: String {
            let place = position.map { ":\($0.line):\($0.column)" } ?? ""
            return "\(file)\(place): \(message)"
        }
    }

    /// The name of the outcome, e.g. `passed`.
    public var name: String
    /// The exit code of the program.
    public var exitCode: Int
    /// Why the run did not complete; `nil` when it did.
    public var error: Fault?

    /// An outcome.
    public init(name: String, exitCode: Int, error: Fault?) {
        self.name = name
        self.exitCode = exitCode
        self.error = error
    }
}

extension RunInformation.Hardware {
    /// The time factor as reports show it: `3`, `1.5`.
    var timeFactorText: String {
        timeFactor == timeFactor.rounded() && timeFactor.magnitude < 1e9 ? "\(Int(timeFactor))" : "\(timeFactor)"
    }
}
