public import ByteCodec

/// One command of the serial bootloader protocol, encoded and decoded.
///
/// The flasher encodes it in a ``LoaderRequest``; the board decodes it.
public protocol LoaderCommand: Sendable {
    /// The data of a successful response.
    associatedtype Reply: LoaderReply = EmptyReply

    /// The operation byte.
    static var opcode: LoaderOpcode { get }

    /// Whether some ROMs lack the command.
    static var isOptional: Bool { get }

    /// The time within which the answer must come.
    var timeout: Duration { get }

    /// The header's checksum field; 0 unless the command carries a payload.
    var checksum: UInt32 { get }

    /// Reads the parameters; `reader` holds exactly the data of the request.
    init(from reader: inout ByteReader) throws(CodecError)

    /// Appends the parameters.
    func write(to writer: inout ByteWriter)
}

extension LoaderCommand {
    /// All ROMs have it.
    public static var isOptional: Bool { false }

    /// The default time-out.
    public var timeout: Duration { LoaderTimeout.default }

    /// No payload, no checksum.
    public var checksum: UInt32 { 0 }
}

/// The data of a successful response: a word in the header, or bytes before the status.
public protocol LoaderReply: Hashable, Sendable {
    /// Parses the reply.
    ///
    /// - Parameters:
    ///   - value: the word of the response header.
    ///   - reader: the bytes between header and status.
    init(value: UInt32, from reader: inout ByteReader) throws(CodecError)

    /// The word of the response header; 0 where the command has none.
    var value: UInt32 { get }

    /// Appends the bytes between header and status in the form of `dialect`.
    func write(to writer: inout ByteWriter, dialect: LoaderDialect)
}

extension LoaderReply {
    /// None.
    public var value: UInt32 { 0 }

    /// None.
    public func write(to writer: inout ByteWriter, dialect: LoaderDialect) {}
}

/// The status alone.
public struct EmptyReply: LoaderReply {
    /// The reply.
    public init() {}

    /// Ignores the header's word, which a ROM leaves unchanged.
    public init(value: UInt32, from reader: inout ByteReader) throws(CodecError) {
        try reader.end()
    }
}

/// The program that answers: the loader in ROM, or the stub that a flasher loads into RAM.
public enum LoaderDialect: Hashable, Sendable {
    /// The ROM loader of an ESP32 or later chip: 4 status bytes.
    case rom
    /// The stub: 2 status bytes.
    case stub

    /// The number of status bytes at the end of a response; the first two are used.
    public var statusLength: Int {
        switch self {
        case .rom: 4
        case .stub: 2
        }
    }
}
