public import ByteCodec

/// One command of the serial bootloader protocol: its parameters, both directions.
///
/// The flasher writes it into a ``LoaderRequest``; the board reads it out of one.
public protocol LoaderCommand: Sendable {
    /// What a success answers beyond the status.
    associatedtype Reply: LoaderReply = EmptyReply

    /// The operation byte.
    static var opcode: LoaderOpcode { get }

    /// The time within which the answer must come.
    var timeout: Duration { get }

    /// What the header's checksum field holds; 0 unless the command carries a payload.
    var checksum: UInt32 { get }

    /// Reads the parameters; `reader` holds exactly the data of the request.
    init(from reader: inout ByteReader) throws(CodecError)

    /// Appends the parameters.
    func write(to writer: inout ByteWriter)
}

extension LoaderCommand {
    /// What most commands take.
    public var timeout: Duration { LoaderTimeout.default }

    /// No payload, no checksum.
    public var checksum: UInt32 { 0 }
}

/// What a success answers beyond the status: a word in the header, or bytes before the status.
public protocol LoaderReply: Hashable, Sendable {
    /// Reads the reply.
    ///
    /// - Parameters:
    ///   - value: the word of the response header.
    ///   - reader: the bytes between header and status.
    init(value: UInt32, from reader: inout ByteReader) throws(CodecError)

    /// The word of the response header; 0 where the command has none.
    var value: UInt32 { get }

    /// Appends the bytes between header and status, as `dialect` spells them.
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

    /// Ignores the header's word, which a ROM leaves as it was.
    public init(value: UInt32, from reader: inout ByteReader) throws(CodecError) {
        try reader.end()
    }
}

/// Who answers: the program in ROM, or the stub that a flasher loads into RAM.
public enum LoaderDialect: Hashable, Sendable {
    /// The ROM loader of an ESP32 or later chip: 4 status bytes.
    case rom
    /// The stub: 2 status bytes.
    case stub

    /// The number of bytes that end a response; the first two are used.
    public var statusLength: Int {
        switch self {
        case .rom: 4
        case .stub: 2
        }
    }
}
