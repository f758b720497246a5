public import ByteCodec

/// A request frame: `00 op len16 chk32 data`, little-endian (ESP serial protocol, "Command Packet").
public struct LoaderRequest: Hashable, Sendable {
    /// The first byte of a request.
    public static let direction: UInt8 = 0x00
    /// The number of bytes before the data.
    public static let headerLength = 8

    /// The operation.
    public var opcode: LoaderOpcode
    /// The checksum field; meaningful for data commands only.
    public var checksum: UInt32
    /// The parameters and payload.
    public var data: ArraySlice<UInt8>

    /// A request from its fields.
    public init(opcode: LoaderOpcode, checksum: UInt32, data: ArraySlice<UInt8>) {
        self.opcode = opcode
        self.checksum = checksum
        self.data = data
    }

    /// The request that carries `command`.
    public init<Command: LoaderCommand>(_ command: Command) {
        var writer = ByteWriter()
        command.write(to: &writer)
        self.init(opcode: Command.opcode, checksum: command.checksum, data: writer.bytes[...])
    }

    /// Parses a request from the content of a frame; its length field must match.
    public init(from reader: inout ByteReader) throws(CodecError) {
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
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.direction)
        writer.uint8(opcode.rawValue)
        writer.uint16(UInt16(clamping: data.count))
        writer.uint32(checksum)
        writer.append(data)
    }

    /// The request as a SLIP frame.
    public var frame: [UInt8] {
        var writer = ByteWriter(capacity: data.count + Self.headerLength)
        write(to: &writer)
        return SLIP.encode(writer.bytes)
    }

    /// The parameters, parsed as those of `Command`.
    ///
    /// A board answers an error with ``LoaderErrorCode/invalidMessage``. The checksum is not checked: compare
    /// ``checksum`` with the command's.
    public func decode<Command: LoaderCommand>(_ type: Command.Type = Command.self) throws(CodecError) -> Command {
        var reader = ByteReader(data, subject: "parameters of a loader command")
        let command = try Command(from: &reader)
        try reader.end()
        return command
    }
}
