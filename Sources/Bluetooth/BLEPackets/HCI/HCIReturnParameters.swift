public import ByteCodec

/// The return parameters of commands that only succeed or fail.
public struct HCIStatusParameters: HCIReturnParameters {
    /// Whether the command succeeded.
    public var status: HCIErrorCode

    /// An answer with this status.
    public init(status: HCIErrorCode) {
        self.status = status
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
    }
}

/// The return parameters of commands about one connection.
public struct HCIConnectionStatusParameters: HCIReturnParameters {
    /// Whether the command succeeded.
    public var status: HCIErrorCode
    /// The connection.
    public var handle: UInt16

    /// An answer with these values.
    public init(status: HCIErrorCode, handle: UInt16) {
        self.status = status
        self.handle = handle
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
    }
}

extension HCICommandComplete {
    /// The answer to `command`.
    public init<Command: HCICommand>(to command: Command.Type, _ parameters: Command.ReturnParameters) {
        var writer = ByteWriter()
        parameters.write(to: &writer)
        self.init(commandPacketCount: 1, command: Command.opcode, parameters: writer.bytes[...])
    }

    /// The status: the first return parameter, or `nil` where the command has none.
    public var status: HCIErrorCode? {
        parameters.first.map { HCIErrorCode(rawValue: $0) }
    }

    /// The return parameters as those of `command`. A controller may truncate them if ``status`` is an error.
    public func returnParameters<Command: HCICommand>(of command: Command.Type) throws(CodecError)
        -> Command.ReturnParameters
    {
        var reader = ByteReader(parameters, subject: Command.name)
        let decoded = try Command.ReturnParameters(from: &reader)
        try reader.end()
        return decoded
    }
}
