/// What went wrong while a sketch was built.
public struct FirmwareBuildError: Error, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// There is no sketch at the given place.
        case sketchNotFound
        /// `Firmware/Host` was not found or is not complete.
        case hostCoreNotFound
        /// No C++ compiler on this machine.
        case compilerNotFound
        /// The compiler refused the sketch; its messages are in ``FirmwareBuildError/compilerOutput``.
        case compilationFailed
        /// `sketch.yaml` is malformed, or asks for what the host core does not have.
        case invalidProject
        /// A file could not be read or written.
        case fileSystem
        /// The image does not fit its partition.
        case imageTooLarge
    }

    /// The kind of fault.
    public var code: Code
    /// What failed, what was expected, what came, where; one line.
    public var detail: String
    /// What the compiler printed, with the sketch's own file names and line numbers; empty for other faults.
    public var compilerOutput: String

    /// A fault with its one line of detail.
    public init(_ code: Code, _ detail: String, compilerOutput: String = "") {
        self.code = code
        self.detail = detail
        self.compilerOutput = compilerOutput
    }

    /// The detail, and below it the compiler's messages if there are any.
    public var description: String {
        compilerOutput.isEmpty ? detail : detail + "\n" + compilerOutput
    }
}
