public import ByteCodec

/// A command has started, or cannot (Core 5.4, Vol 4 Part E 7.7.15).
public struct HCICommandStatus: HCIEvent {
    /// The event code.
    public static let code = HCIEventCode.commandStatus
    /// The name in errors.
    public static let name: StaticString = "HCI Command Status"

    /// Success: the command has started; its event follows.
    public var status: HCIErrorCode
    /// The number of commands that the host may send.
    public var commandPacketCount: UInt8
    /// The command; 0 is none.
    public var command: HCIOpcode

    /// The event with these parameters.
    public init(status: HCIErrorCode, commandPacketCount: UInt8, command: HCIOpcode) {
        self.status = status
        self.commandPacketCount = commandPacketCount
        self.command = command
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        commandPacketCount = try reader.uint8()
        command = HCIOpcode(rawValue: try reader.uint16())
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint8(commandPacketCount)
        writer.uint16(command.rawValue)
    }
}
