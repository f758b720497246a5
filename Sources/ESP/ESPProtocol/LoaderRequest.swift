import ByteCodec

/// A request frame: `00 op len16 chk32 data`, little-endian (ESP serial protocol, "Command Packet").
package struct LoaderRequest: Hashable, Sendable {
    /// The first byte of a request.
    package static let direction: UInt8 = 0x00
    /// The number of bytes before the data.
    package static let headerLength = 8

    /// The operation.
    package var opcode: LoaderOpcode
    /// The checksum field; meaningful for data commands only.
    package var checksum: UInt32
    /// The parameters and payload.
    package var data: ArraySlice<UInt8>

    /// A request from its fields.
    package init(opcode: LoaderOpcode, checksum: UInt32, data: ArraySlice<UInt8>) {
        self.opcode = opcode
        self.checksum = checksum
        self.data = data
    }

    /// The request that carries `command`.
    package init<Command: LoaderCommand>(_ command: Command) {
        var writer = ByteWriter()
        command.write(to: &writer)
        self.init(opcode: Command.opcode, checksum: command.checksum, data: writer.bytes[...])
    }

    /// Parses a request from the content of a frame; its length field must match.
    package init(from reader: inout ByteReader) throws(CodecError) {
        let direction = try reader.uint8()
        guard direction == Self.direction else {
            throw reader.invalid("direction", UInt64(direction), allowed: "0 (request)")
        }
        opcode = LoaderOpcode(rawValue: try reader.uint8())
        let length = Int(try reader.uint16())
        checksum = try reader.uint32()
        data = try reader.slice(length)
        try reader.end()
    }

    /// Appends the content of the frame; the data must be at most 65,535 bytes.
    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.direction)
        writer.uint8(opcode.rawValue)
        writer.uint16(UInt16(clamping: data.count))
        writer.uint32(checksum)
        writer.append(data)
    }

    /// The request as a SLIP frame.
    package var frame: [UInt8] {
        var writer = ByteWriter(capacity: data.count + Self.headerLength)
        write(to: &writer)
        return SLIP.encode(writer.bytes)
    }

    /// The parameters, parsed as those of `Command`.
    ///
    /// A board answers an error with ``LoaderErrorCode/invalidMessage``. The checksum is not checked: compare
    /// ``checksum`` with the command's.
    package func decode<Command: LoaderCommand>(_ type: Command.Type = Command.self) throws(CodecError) -> Command {
        var reader = ByteReader(data, subject: "parameters of a loader command")
        let command = try Command(from: &reader)
        try reader.end()
        return command
    }
}

/// The checksum of the payload of data commands (ESP serial protocol, "Checksum").
package enum LoaderChecksum {
    /// The initial value of the checksum.
    package static let seed: UInt8 = 0xEF

    /// The exclusive or of `payload` and the seed.
    package static func of(_ payload: some Sequence<UInt8>) -> UInt32 {
        UInt32(payload.reduce(seed) { $0 ^ $1 })
    }
}

/// One command of the serial bootloader protocol, encoded and decoded.
///
/// The flasher encodes it in a ``LoaderRequest``; the board decodes it.
package protocol LoaderCommand: Sendable {
    /// The data of a successful response.
    associatedtype Reply: LoaderReply = EmptyReply

    /// The operation byte.
    static var opcode: LoaderOpcode { get }

    /// True if some ROMs lack the command.
    static var isOptional: Bool { get }

    /// The time within which the answer must come.
    var timeout: Duration { get }

    /// The header's checksum field; 0 unless the command carries a payload.
    var checksum: UInt32 { get }

    /// Reads the parameters; `reader` contains exactly the data of the request.
    init(from reader: inout ByteReader) throws(CodecError)

    /// Appends the parameters.
    func write(to writer: inout ByteWriter)
}

extension LoaderCommand {
    /// All ROMs have it.
    package static var isOptional: Bool { false }

    /// The default time-out.
    package var timeout: Duration { LoaderTimeout.default }

    /// No payload, no checksum.
    package var checksum: UInt32 { 0 }
}

/// The data of a successful response: a word in the header, or bytes before the status.
package protocol LoaderReply: Hashable, Sendable {
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
    package var value: UInt32 { 0 }

    /// None.
    package func write(to writer: inout ByteWriter, dialect: LoaderDialect) {}
}

/// The status alone.
package struct EmptyReply: LoaderReply {
    /// The reply.
    package init() {}

    /// Ignores the header's word, which a ROM leaves unchanged.
    package init(value: UInt32, from reader: inout ByteReader) throws(CodecError) {
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
