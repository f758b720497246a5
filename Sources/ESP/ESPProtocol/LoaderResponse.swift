import ByteCodec

/// A response frame: `01 op len16 val32 data status` (ESP serial protocol, "Response Packet").
package struct LoaderResponse: Hashable, Sendable {
    /// The first byte of a response.
    package static let direction: UInt8 = 0x01
    /// The number of bytes before the data.
    package static let headerLength = 8

    /// The operation that is answered.
    package var opcode: LoaderOpcode
    /// The value of READ_REG; not meaningful for most others.
    package var value: UInt32
    /// The bytes after the header: data and status.
    package var body: ArraySlice<UInt8>

    /// A successful response to `Command`.
    package init<Command: LoaderCommand>(
        to command: Command.Type, _ reply: Command.Reply, dialect: LoaderDialect
    ) {
        var writer = ByteWriter()
        reply.write(to: &writer, dialect: dialect)
        writer.append(repeatElement(0, count: dialect.statusLength))
        self.init(opcode: Command.opcode, value: reply.value, body: writer.bytes[...])
    }

    /// A failure response to `opcode`, known or not.
    package init(to opcode: LoaderOpcode, failure: LoaderErrorCode, dialect: LoaderDialect) {
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
    package init(from reader: inout ByteReader) throws(CodecError) {
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
    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.direction)
        writer.uint8(opcode.rawValue)
        writer.uint16(UInt16(clamping: body.count))
        writer.uint32(value)
        writer.append(body)
    }

    /// The response as a SLIP frame.
    package var frame: [UInt8] {
        var writer = ByteWriter(capacity: body.count + Self.headerLength)
        write(to: &writer)
        return SLIP.encode(writer.bytes)
    }

    /// True if a ROM reports that it did not understand a request. After an unknown operation, the opcode, the value
    /// and the number of answers are those of the previous request.
    package var isInvalidMessage: Bool {
        body.suffix(LoaderDialect.rom.statusLength).starts(with: [1, LoaderErrorCode.invalidMessage.rawValue])
    }

    /// The outcome, parsed as that of `Command`: the reply, or the loader's error code.
    ///
    /// - Throws: `CodecError` when the body is no answer to `Command`.
    package func outcome<Command: LoaderCommand>(
        of command: Command.Type, dialect: LoaderDialect
    ) throws(CodecError) -> Result<Command.Reply, LoaderErrorCode> {
        do throws(CodecError) {
            let result = try outcome(of: command, dialect, statusLength: dialect.statusLength)
            if case .success = result { return result }
            return shortOutcome(of: command, dialect) ?? result
        } catch {
            guard let result = shortOutcome(of: command, dialect) else { throw error }
            return result
        }
    }

    private func outcome<Command: LoaderCommand>(
        of command: Command.Type, _ dialect: LoaderDialect, statusLength: Int
    ) throws(CodecError) -> Result<Command.Reply, LoaderErrorCode> {
        // A failure response has only the status, whatever the command.
        var reader = ByteReader(body, subject: "loader response")
        let data = try reader.slice(max(0, body.count - statusLength))
        let status = try reader.uint8()
        let code = try reader.uint8()
        guard status == 0 else {
            return .failure(LoaderErrorCode(rawValue: dialect == .rom ? code : status))
        }
        return .success(try reply(of: command, data))
    }

    private func reply<Command: LoaderCommand>(
        of command: Command.Type, _ data: ArraySlice<UInt8>
    ) throws(CodecError) -> Command.Reply {
        var reader = ByteReader(data, subject: "data of a loader response")
        let reply = try Command.Reply(value: value, from: &reader)
        try reader.end()
        return reply
    }

    /// The success that a body with data reports when it ends in two status bytes instead of a ROM's four, as some
    /// emulations have it: the first two are what esptool reads.
    ///
    /// A body whose data are a reply when four status bytes follow is the ROM's, also if it reports a failure: its
    /// status is never taken for data. No reply of this protocol has two lengths that differ by two, but this need not
    /// be known here.
    private func shortOutcome<Command: LoaderCommand>(
        of command: Command.Type, _ dialect: LoaderDialect
    ) -> Result<Command.Reply, LoaderErrorCode>? {
        guard dialect == .rom, body.count > dialect.statusLength,
            (try? reply(of: command, body.dropLast(dialect.statusLength))) == nil,
            let result = try? outcome(of: command, dialect, statusLength: LoaderDialect.stub.statusLength),
            case .success = result
        else { return nil }
        return result
    }
}

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
