internal import ESPProtocol
import SerialPort

/// Why a board could not be reached, identified, read or written.
public struct FlasherError: Error, Sendable, CustomStringConvertible {
    /// The kind of fault; an open set.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// Its name.
        public let rawValue: String

        /// A code by name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No answer to any SYNC: no board, or one that is not in its loader for a reason that is not known.
        public static let noAnswer = Code(rawValue: "noAnswer")
        /// No answer to any SYNC: the board started its application instead of its loader.
        public static let wrongBootMode = Code(rawValue: "wrongBootMode")
        /// No answer to any SYNC: another program writes to the line, or the rate is wrong.
        public static let otherProgram = Code(rawValue: "otherProgram")
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
        /// A range to read or erase is not within the flash.
        public static let beyondEnd = Code(rawValue: "beyondEnd")
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
        /// The flash content differs from the data.
        public static let verifyMismatch = Code(rawValue: "verifyMismatch")
        /// The data read differ from the flash, after several attempts.
        public static let readMismatch = Code(rawValue: "readMismatch")
        /// The data could not be compressed.
        public static let compression = Code(rawValue: "compression")
        /// The stub file does not contain a stub.
        public static let invalidStub = Code(rawValue: "invalidStub")
        /// The stub file contains a damaged stub.
        public static let damagedStub = Code(rawValue: "damagedStub")
        /// The stub is for another chip.
        public static let wrongStub = Code(rawValue: "wrongStub")
        /// The chip is in secure download mode, which does not permit the operation.
        public static let secureDownload = Code(rawValue: "secureDownload")
        /// The chip encrypts its flash, so that it could not boot plain data.
        public static let encryptedFlash = Code(rawValue: "encryptedFlash")
        /// The program is not one for RAM.
        public static let notInRAM = Code(rawValue: "notInRAM")
        /// The operation needs the loader in ROM, and a stub runs.
        public static let stubRunning = Code(rawValue: "stubRunning")
        /// The operation needs the stub, or is not possible on this chip or over this port.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The line damages so many bytes that the operation makes no progress.
        public static let noisyLine = Code(rawValue: "noisyLine")
    }

    /// The state in which an operation leaves the flash.
    public enum FlashState: Hashable, Sendable {
        /// Nothing was erased or written: the flash is unchanged.
        case unchanged
        /// These regions are incomplete, and must be written again.
        case incomplete([String])
    }

    /// The kind of fault.
    public var code: Code
    /// The failure, with what was expected and what was received; one line.
    public var context: String
    /// The underlying error, if there is one.
    public var underlying: (any Error)?
    /// The state of the flash after a write or an erase that failed; `nil` for other operations.
    public var flashState: FlashState?

    /// An error.
    public init(_ code: Code, _ context: String, underlying: (any Error)? = nil, flashState: FlashState? = nil) {
        self.code = code
        self.context = context
        self.underlying = underlying
        self.flashState = flashState
    }

    /// One line: the context, the cause and, if part of the flash is incomplete, what must be written again.
    public var description: String {
        let text = underlying.map { "\(context): \($0)" } ?? context
        guard case .incomplete(let regions) = flashState else { return text }
        return "\(text); the flash is incomplete: write the \(regions.joined(separator: ", ")) again"
    }

    /// True if the line may have caused the fault, so that another attempt may succeed.
    var isTransient: Bool { code == .timeout || code == .malformedAnswer }

    /// True if the port was lost.
    var isDisconnection: Bool { (underlying as? SerialPortError)?.code == .disconnected }

    /// True if the loader answered, and refused the command or did not understand it.
    var isRefusal: Bool { underlying is LoaderErrorCode }

    /// True if a block was refused because its payload was damaged on the line.
    var isDamagedBlock: Bool {
        let code = underlying as? LoaderErrorCode
        return code == .invalidChecksum || code == .stubChecksum
    }
}
