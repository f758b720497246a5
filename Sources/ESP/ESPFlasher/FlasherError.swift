/// Why a board could not be reached, identified or written.
public struct FlasherError: Error, Sendable, CustomStringConvertible {
    /// The kind of fault; an open set.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// Its name.
        public let rawValue: String

        /// A code by name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No answer to any SYNC: no board, not in the loader, or a running application.
        public static let noAnswer = Code(rawValue: "noAnswer")
        /// The board answered earlier commands, but not this one.
        public static let timeout = Code(rawValue: "timeout")
        /// The port failed; ``FlasherError/underlying`` is its error.
        public static let port = Code(rawValue: "port")
        /// The loader refused a command; ``FlasherError/underlying`` is its `LoaderErrorCode`.
        public static let refused = Code(rawValue: "refused")
        /// The response has the wrong format for the command.
        public static let malformedAnswer = Code(rawValue: "malformedAnswer")
        /// The loader runs on a chip that is not known.
        public static let unknownChip = Code(rawValue: "unknownChip")
        /// The board has no flash, or it is not attached.
        public static let noFlash = Code(rawValue: "noFlash")
        /// The data end beyond the flash.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The data do not begin at a sector boundary.
        public static let misaligned = Code(rawValue: "misaligned")
        /// The image is for another chip.
        public static let wrongChip = Code(rawValue: "wrongChip")
        /// The image is broken; ``FlasherError/underlying`` is the `ImageError`.
        public static let invalidImage = Code(rawValue: "invalidImage")
        /// The image carries a program for the host, and the board is a real one.
        public static let hostImageOnRealBoard = Code(rawValue: "hostImageOnRealBoard")
        /// The flash content differs from what was written.
        public static let verifyMismatch = Code(rawValue: "verifyMismatch")
        /// The data could not be compressed.
        public static let compression = Code(rawValue: "compression")
    }

    /// The kind of fault.
    public var code: Code
    /// What failed, what was expected and what was received, one line.
    public var context: String
    /// The underlying error, if there is one.
    public var underlying: (any Error)?

    /// An error.
    public init(_ code: Code, _ context: String, underlying: (any Error)? = nil) {
        self.code = code
        self.context = context
        self.underlying = underlying
    }

    /// One line: the context and the cause.
    public var description: String {
        underlying.map { "\(context): \($0)" } ?? context
    }
}
