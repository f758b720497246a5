/// The reason why a sketch could not be built.
public struct FirmwareBuildError: Error, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// There is no sketch at the given path.
        case sketchNotFound
        /// `Firmware/Host` was not found or is not complete.
        case hostCoreNotFound
        /// No C++ compiler on this machine.
        case compilerNotFound
        /// The compiler refused the sketch; its messages are in ``FirmwareBuildError/compilerOutput``.
        case compilationFailed
        /// The sketch's static data do not fit in the chip's memory; ``FirmwareBuildError/compilerOutput`` has the linker's
        /// messages.
        case staticDataTooLarge
        /// A header or a pinned library is in none of the folders of libraries.
        case libraryNotFound
        /// The library NimBLE-Arduino, which the build requires, was not found.
        case nimbleNotFound
        /// The library found as NimBLE-Arduino is another one, or is incomplete.
        case nimbleUnusable
        /// The compiler has no AddressSanitizer or UndefinedBehaviorSanitizer.
        case sanitizerNotFound
        /// `sketch.yaml` is malformed, or requires something that the host core does not have.
        case invalidProject
        /// `platformio.ini` is malformed, or has no environment that can be built.
        case invalidPlatformIO
        /// `build_opt.h` has flags that are not accepted.
        case invalidFlags
        /// A file could not be read or written.
        case fileSystem
        /// The image does not fit its partition.
        case imageTooLarge
        /// arduino-cli is not installed; ``FirmwareBuildError/compilerOutput`` has the commands that install it.
        case arduinoCLINotFound
        /// `sketch.yaml` has no profile for the chip.
        case noProfile
        /// Files of a build for a real chip are missing or are not images.
        case incompleteBuild
        /// A build is for another chip.
        case wrongChip
        /// Another build system's output or file does not have its documented form.
        case unexpectedOutput
        /// A file is not an ELF file.
        case noProgram
    }

    /// The kind of fault.
    public var code: Code
    /// The failure, with the expected and the found state, and the place; one line.
    public var detail: String
    /// The compiler's output, with the sketch's file names and line numbers; empty for other faults.
    public var compilerOutput: String

    /// An error with one line of detail.
    public init(_ code: Code, _ detail: String, compilerOutput: String = "") {
        self.code = code
        self.detail = detail
        self.compilerOutput = compilerOutput
    }

    /// The detail, and below it the compiler's messages if there are any.
    public var description: String {
        let output = compilerOutput.hasSuffix("\n") ? String(compilerOutput.dropLast()) : compilerOutput
        return output.isEmpty ? detail : detail + "\n" + output
    }
}
