public import ByteCodec

/// A command has completed (Core 5.4, Vol 4 Part E 7.7.14).
public struct HCICommandComplete: HCIEvent {
    /// The event code.
    public static let code = HCIEventCode.commandComplete
    /// The name in errors.
    public static let name: StaticString = "HCI Command Complete"

    /// The number of commands that the host may send.
    public var commandPacketCount: UInt8
    /// The command; 0 is none.
    public var command: HCIOpcode
    /// The return parameters, status first.
    public var parameters: ArraySlice<UInt8>

    /// The event with these parameters.
    public init(commandPacketCount: UInt8, command: HCIOpcode, parameters: ArraySlice<UInt8>) {
        self.commandPacketCount = commandPacketCount
        self.command = command
        self.parameters = parameters
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        commandPacketCount = try reader.uint8()
        command = HCIOpcode(rawValue: try reader.uint16())
        parameters = reader.rest()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(commandPacketCount)
        writer.uint16(command.rawValue)
        writer.append(parameters)
    }
}
