public import ByteCodec

/// A response frame: `01 op len16 val32 data status` (ESP serial protocol, "Response Packet").
public struct LoaderResponse: Hashable, Sendable {
    /// The first byte of a response.
    public static let direction: UInt8 = 0x01
    /// The number of bytes before the data.
    public static let headerLength = 8

    /// The operation that is answered.
    public var opcode: LoaderOpcode
    /// The value of READ_REG; not meaningful for most others.
    public var value: UInt32
    /// The bytes after the header: data and status.
    public var body: ArraySlice<UInt8>

    /// A successful response to `Command`.
    public init<Command: LoaderCommand>(
        to command: Command.Type, _ reply: Command.Reply, dialect: LoaderDialect
    ) {
        var writer = ByteWriter()
        reply.write(to: &writer, dialect: dialect)
        writer.append(repeatElement(0, count: dialect.statusLength))
        self.init(opcode: Command.opcode, value: reply.value, body: writer.bytes[...])
    }

    /// A failure response to `opcode`, known or not.
    public init(to opcode: LoaderOpcode, failure: LoaderErrorCode, dialect: LoaderDialect) {
        let status: [UInt8] =
            switch dialect {
            case .rom: [1, failure.rawValue, 0, 0]
            // The stub has no flag before its code (esp-flasher-stub, `commands.h`).
            case .stub: [failure.rawValue, 0]
            }
        self.init(opcode: opcode, value: 0, body: status[...])
    }

    private init(opcode: LoaderOpcode, value: UInt32, body: ArraySlice<UInt8>) {
        self.opcode = opcode
        self.value = value
        self.body = body
    }

    /// Reads a response from the content of a frame; its length field must match.
    public init(from reader: inout ByteReader) throws(CodecError) {
        let direction = try reader.uint8()
        guard direction == Self.direction else {
            throw reader.invalid("direction", UInt64(direction), allowed: "1 (response)")
        }
        opcode = LoaderOpcode(rawValue: try reader.uint8())
        let length = Int(try reader.uint16())
        value = try reader.uint32()
        body = try reader.slice(length)
        try reader.end()
    }

    /// Appends the content of the frame.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.direction)
        writer.uint8(opcode.rawValue)
        writer.uint16(UInt16(clamping: body.count))
        writer.uint32(value)
        writer.append(body)
    }

    /// The response as a SLIP frame.
    public var frame: [UInt8] {
        var writer = ByteWriter(capacity: body.count + Self.headerLength)
        write(to: &writer)
        return SLIP.encode(writer.bytes)
    }

    /// Whether a ROM says that it did not understand a request; to an unknown operation with the opcode, the value and
    /// the number of answers of the request before.
    public var isInvalidMessage: Bool {
        body.suffix(LoaderDialect.rom.statusLength).starts(with: [1, LoaderErrorCode.invalidMessage.rawValue])
    }

    /// The outcome, parsed as that of `Command`: the reply, or the loader's error code.
    ///
    /// - Throws: `CodecError` when the body is no answer to `Command`.
    public func outcome<Command: LoaderCommand>(
        of command: Command.Type, dialect: LoaderDialect
    ) throws(CodecError) -> Result<Command.Reply, LoaderErrorCode> {
        // A failure response has only the status, whatever the command.
        var reader = ByteReader(body, subject: "loader response")
        let data = try reader.slice(max(0, body.count - dialect.statusLength))
        let status = try reader.uint8()
        let code = try reader.uint8()
        guard status == 0 else {
            return .failure(LoaderErrorCode(rawValue: dialect == .rom ? code : status))
        }
        var replyReader = ByteReader(data, subject: "data of a loader response")
        let reply = try Command.Reply(value: value, from: &replyReader)
        try replyReader.end()
        return .success(reply)
    }
}
