import ByteCodec

/// One kind of command, from host to controller (Core 5.4, Vol 4 Part E 5.4.1).
package protocol HCICommand: Hashable, Sendable {
    /// The return parameters in Command Complete; ``HCIStatusParameters`` if there is only a status. Unused by commands
    /// that are answered by Command Status.
    associatedtype ReturnParameters: HCIReturnParameters = HCIStatusParameters

    /// The opcode.
    static var opcode: HCIOpcode { get }

    /// The name in the specification, for errors: "HCI LE Rand".
    static var name: StaticString { get }

    /// Parses the parameters.
    init(from reader: inout ByteReader) throws(CodecError)

    /// Writes the parameters, without the header.
    func write(to writer: inout ByteWriter)
}

/// A command without parameters.
package protocol HCIParameterlessCommand: HCICommand {
    init()
}

extension HCIParameterlessCommand {
    package init(from reader: inout ByteReader) throws(CodecError) { self.init() }

    package func write(to writer: inout ByteWriter) {}
}

/// A command whose only parameter is a connection.
package protocol HCIConnectionCommand: HCICommand {
    /// The connection.
    var handle: UInt16 { get }

    init(handle: UInt16)
}

extension HCIConnectionCommand {
    package init(from reader: inout ByteReader) throws(CodecError) { self.init(handle: try reader.uint16()) }

    package func write(to writer: inout ByteWriter) { writer.uint16(handle) }
}

/// The return parameters of a command: a status, and further values.
package protocol HCIReturnParameters: Hashable, Sendable {
    /// The result of the command: success or an error code; after an error the other values are undefined.
    var status: HCIErrorCode { get }

    /// Parses the parameters, status first.
    init(from reader: inout ByteReader) throws(CodecError)

    /// Writes the parameters, status first.
    func write(to writer: inout ByteWriter)
}

extension HCICommand {
    /// Decodes parameters; no byte may be left over.
    package init(parameters: ArraySlice<UInt8>) throws(CodecError) {
        var reader = ByteReader(parameters, subject: Self.name)
        try self.init(from: &reader)
        try reader.end()
    }

    /// The whole packet. Parameters are at most 255 bytes.
    package var packet: HCIPacket {
        var writer = ByteWriter()
        writer.uint16(Self.opcode.rawValue)
        writer.uint8(0)
        write(to: &writer)
        let length = UInt16(truncatingIfNeeded: writer.count - 3)
        writer.patchUInt16(Self.opcode.rawValue >> 8 | length << 8, at: 1)
        return HCIPacket(.command, writer.bytes)
    }
}

/// A command of any kind: its opcode, and undecoded parameters.
package struct HCIAnyCommand: Hashable, Sendable {
    package var opcode: HCIOpcode
    /// The parameters, uncopied.
    package var parameters: ArraySlice<UInt8>

    /// Parses a packet without its H4 indicator; its length field must match.
    package init(decoding bytes: ArraySlice<UInt8>) throws(CodecError) {
        var reader = ByteReader(bytes, subject: "HCI command")
        opcode = HCIOpcode(rawValue: try reader.uint16())
        let length = Int(try reader.uint8())
        parameters = try reader.slice(length)
        try reader.end()
    }
}

/// A command has completed (Core 5.4, Vol 4 Part E 7.7.14).
package struct HCICommandComplete: HCIEvent {
    /// The event code.
    package static let code = HCIEventCode.commandComplete
    package static let name: StaticString = "HCI Command Complete"

    /// The number of commands that the host may send.
    package var commandPacketCount: UInt8
    /// The completed command; 0: none.
    package var command: HCIOpcode
    /// The return parameters, status first.
    package var parameters: ArraySlice<UInt8>

    package init(commandPacketCount: UInt8, command: HCIOpcode, parameters: ArraySlice<UInt8>) {
        self.commandPacketCount = commandPacketCount
        self.command = command
        self.parameters = parameters
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        commandPacketCount = try reader.uint8()
        command = HCIOpcode(rawValue: try reader.uint16())
        parameters = reader.rest()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(commandPacketCount)
        writer.uint16(command.rawValue)
        writer.append(parameters)
    }
}

/// A command has started, or cannot start (Core 5.4, Vol 4 Part E 7.7.15).
package struct HCICommandStatus: HCIEvent {
    /// The event code.
    package static let code = HCIEventCode.commandStatus
    package static let name: StaticString = "HCI Command Status"

    /// Success: the command has started; its event follows.
    package var status: HCIErrorCode
    /// The number of commands that the host may send.
    package var commandPacketCount: UInt8
    /// The command; 0: none.
    package var command: HCIOpcode

    package init(status: HCIErrorCode, commandPacketCount: UInt8, command: HCIOpcode) {
        self.status = status
        self.commandPacketCount = commandPacketCount
        self.command = command
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        commandPacketCount = try reader.uint8()
        command = HCIOpcode(rawValue: try reader.uint16())
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint8(commandPacketCount)
        writer.uint16(command.rawValue)
    }
}

/// The return parameters of commands that only succeed or fail.
package struct HCIStatusParameters: HCIReturnParameters {
    /// The result of the command: success or an error code.
    package var status: HCIErrorCode

    /// Return parameters with this status.
    package init(status: HCIErrorCode) {
        self.status = status
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
    }
}

/// The return parameters of commands about one connection.
package struct HCIConnectionStatusParameters: HCIReturnParameters {
    /// The result of the command: success or an error code.
    package var status: HCIErrorCode
    /// The connection.
    package var handle: UInt16

    /// Return parameters with these values.
    package init(status: HCIErrorCode, handle: UInt16) {
        self.status = status
        self.handle = handle
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
    }
}

extension HCICommandComplete {
    /// Command Complete for `command`.
    package init<Command: HCICommand>(to command: Command.Type, _ parameters: Command.ReturnParameters) {
        var writer = ByteWriter()
        parameters.write(to: &writer)
        self.init(commandPacketCount: 1, command: Command.opcode, parameters: writer.bytes[...])
    }

    /// The status: the first return parameter; `nil` if the command returns none.
    package var status: HCIErrorCode? {
        parameters.first.map { HCIErrorCode(rawValue: $0) }
    }

    /// The return parameters, decoded for `command`. A controller may truncate them if ``status`` is an error.
    package func returnParameters<Command: HCICommand>(of command: Command.Type) throws(CodecError)
        -> Command.ReturnParameters
    {
        var reader = ByteReader(parameters, subject: Command.name)
        let decoded = try Command.ReturnParameters(from: &reader)
        try reader.end()
        return decoded
    }
}
