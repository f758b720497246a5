/// Why a project, a sketch or a suite could not be found.
public struct ProjectError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: String, Hashable, Sendable {
        /// The project's file is faulty or cannot be read.
        case invalidProject
        /// There is no project where one was expected.
        case noProject
        /// No sketch was found for a name or a path.
        case noSketch
        /// A name belongs to several sketches, or none was named and there are several.
        case ambiguousSketch
        /// No suite was found.
        case noSuite
        /// A folder could not be read.
        case fileSystem
    }

    /// The kind of fault.
    public var code: Code
    /// What was looked for, where, and what was found; for a faulty file one line for each fault.
    public var description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
