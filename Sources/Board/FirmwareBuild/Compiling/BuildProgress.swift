/// How far a build is.
public struct BuildProgress: Hashable, Sendable {
    /// What is compiled. The host core is compiled once for each compiler and version of the core.
    public enum Subject: Hashable, Sendable {
        case hostCore
        /// Nothing: another build compiles the host core, and this one waits for it.
        case otherBuild
        case library(String)
        case sketch(String)
    }

    /// What is compiled.
    public var subject: Subject
    /// The number of its files that are compiled.
    public var completed: Int
    /// The number of its files that must be compiled; those of earlier builds are not counted.
    public var total: Int

    /// Progress of `subject`.
    public init(_ subject: Subject, completed: Int, of total: Int) {
        self.subject = subject
        self.completed = completed
        self.total = total
    }
}
