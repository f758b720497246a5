import ByteCodec

/// Why a loader refused a command: the second status byte (ESP serial protocol, "Status and Errors").
public struct LoaderErrorCode: RawRepresentable, Hashable, Sendable, Error, CustomStringConvertible {
    /// The byte on the wire.
    public let rawValue: UInt8

    /// A code by its byte; any value.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// ROM: a length or parameter field is invalid, or the command is not known.
    public static let invalidMessage = LoaderErrorCode(rawValue: 0x05)
    /// ROM: the command failed.
    public static let failed = LoaderErrorCode(rawValue: 0x06)
    /// ROM: the checksum of the payload is wrong.
    public static let invalidChecksum = LoaderErrorCode(rawValue: 0x07)
    /// ROM: the flash reads back differently from what was written.
    public static let flashWrite = LoaderErrorCode(rawValue: 0x08)
    /// ROM: the flash could not be read.
    public static let flashRead = LoaderErrorCode(rawValue: 0x09)
    /// ROM: the length of a flash read is too long.
    public static let flashReadLength = LoaderErrorCode(rawValue: 0x0A)
    /// ROM: the compressed data are broken.
    public static let deflate = LoaderErrorCode(rawValue: 0x0B)
    /// ROM: the Adler-32 sum of the compressed data is wrong.
    public static let deflateAdler32 = LoaderErrorCode(rawValue: 0x0C)
    /// ROM: the compressed data do not fit the announced size.
    public static let deflateParameter = LoaderErrorCode(rawValue: 0x0D)
    /// Stub: the length of a payload is wrong.
    public static let stubLength = LoaderErrorCode(rawValue: 0xC0)
    /// Stub: the checksum of a payload is wrong.
    public static let stubChecksum = LoaderErrorCode(rawValue: 0xC1)
    /// Stub: the block size is not allowed.
    public static let stubBlockSize = LoaderErrorCode(rawValue: 0xC2)
    /// Stub: the command is invalid.
    public static let stubInvalidCommand = LoaderErrorCode(rawValue: 0xC3)
    /// Stub: the flash operation failed.
    public static let stubFlashOperation = LoaderErrorCode(rawValue: 0xC4)
    /// Stub: the flash could not be unlocked.
    public static let stubFlashUnlock = LoaderErrorCode(rawValue: 0xC5)
    /// Stub: a data command without its BEGIN.
    public static let stubNotInFlashMode = LoaderErrorCode(rawValue: 0xC6)
    /// Stub: the compressed data are broken.
    public static let stubInflate = LoaderErrorCode(rawValue: 0xC7)
    /// Stub: the compressed data ended early.
    public static let stubTooLittleData = LoaderErrorCode(rawValue: 0xC8)
    /// Stub: more data than announced.
    public static let stubTooMuchData = LoaderErrorCode(rawValue: 0xC9)
    /// Stub: the command is not implemented.
    public static let stubNotImplemented = LoaderErrorCode(rawValue: 0xFF)

    private static let texts: [LoaderErrorCode: String] = [
        .invalidMessage: "the message or command is invalid",
        .failed: "the command could not be carried out",
        .invalidChecksum: "the checksum of the payload is wrong",
        .flashWrite: "the flash reads back differently from what was written",
        .flashRead: "the flash could not be read",
        .flashReadLength: "the flash read is too long",
        .deflate: "the compressed data are broken",
        .deflateAdler32: "the Adler-32 sum of the compressed data is wrong",
        .deflateParameter: "the compressed data do not fit the announced size",
        .stubLength: "the length of the payload is wrong",
        .stubChecksum: "the checksum of the payload is wrong",
        .stubBlockSize: "the block size is not allowed",
        .stubInvalidCommand: "the command is invalid",
        .stubFlashOperation: "the flash operation failed",
        .stubFlashUnlock: "the flash could not be unlocked",
        .stubNotInFlashMode: "data came without a BEGIN command",
        .stubInflate: "the compressed data are broken",
        .stubTooLittleData: "there was less data than announced",
        .stubTooMuchData: "there was more data than announced",
        .stubNotImplemented: "the command is not implemented",
    ]

    /// The meaning and the number, in one line.
    public var description: String {
        let number = "0x\(Hexadecimal.string([rawValue]))"
        return Self.texts[self].map { "\($0) (\(number))" } ?? "unknown loader error \(number)"
    }
}
