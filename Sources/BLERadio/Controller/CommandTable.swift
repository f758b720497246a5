import BLEPackets
import ByteCodec

/// One command a controller knows: how it is carried out, and its flag among the supported commands.
struct CommandEntry: Sendable {
    /// Octet and bit in Read Local Supported Commands (Core 5.4, Vol 4 Part E 6.27); `nil` has none.
    let flag: (octet: Int, bit: Int)?
    let opcode: HCIOpcode
    let run: @Sendable (Air, Controller, ArraySlice<UInt8>) -> Void

    /// A command answered by Command Complete.
    static func complete<Command: HCICommand>(
        _ octet: Int, _ bit: Int,
        _ body: @escaping @Sendable (Air, Controller, Command) -> Command.ReturnParameters
    ) -> CommandEntry {
        CommandEntry(flag: (octet, bit), opcode: Command.opcode) { air, controller, parameters in
            guard let command = try? Command(parameters: parameters) else {
                air.emitInvalidParameters(Command.opcode, to: controller)
                return
            }
            air.emit(HCICommandComplete(to: Command.self, body(air, controller, command)), to: controller)
        }
    }

    /// A command answered by Command Complete with nothing but a status.
    static func simple<Command: HCICommand>(
        _ octet: Int, _ bit: Int, _ body: @escaping @Sendable (Air, Controller, Command) -> HCIErrorCode
    ) -> CommandEntry where Command.ReturnParameters == HCIStatusParameters {
        complete(octet, bit) { HCIStatusParameters(status: body($0, $1, $2)) }
    }

    /// A command answered by Command Status; what it does after that is told by events of its own. `check` says
    /// whether it can begin.
    static func status<Command: HCICommand>(
        _ octet: Int, _ bit: Int, check: @escaping @Sendable (Air, Controller, Command) -> HCIErrorCode,
        begin: @escaping @Sendable (Air, Controller, Command) -> Void
    ) -> CommandEntry {
        CommandEntry(flag: (octet, bit), opcode: Command.opcode) { air, controller, parameters in
            let command = try? Command(parameters: parameters)
            let status = command.map { check(air, controller, $0) } ?? .invalidHCICommandParameters
            air.emit(
                HCICommandStatus(status: status, commandPacketCount: 1, command: Command.opcode), to: controller)
            if let command, status == .success { begin(air, controller, command) }
        }
    }

    static let all: [CommandEntry] =
        basebandCommands + informationalCommands + advertisingCommands + scanningCommands + acceptListCommands
        + connectionCommands + encryptionCommands

    static let byOpcode = Dictionary(all.map { ($0.opcode, $0) }) { first, _ in first }

    /// The return parameter of Read Local Supported Commands.
    static let supportedCommands: [UInt8] = all.compactMap(\.flag).reduce(into: Array(repeating: 0, count: 64)) {
        $0[$1.octet] |= 1 << $1.bit
    }
}

extension Air {
    func receiveCommand(_ packet: HCIPacket, _ controller: Controller) {
        // A command whose length is wrong cannot be told apart from noise: there is nothing to answer.
        guard let command = try? HCIAnyCommand(decoding: packet.bytes[...]) else { return }
        guard let entry = CommandEntry.byOpcode[command.opcode] else {
            emit(
                HCICommandStatus(status: .unknownCommand, commandPacketCount: 1, command: command.opcode),
                to: controller)
            return
        }
        entry.run(self, controller, command.parameters)
    }

    func emitInvalidParameters(_ opcode: HCIOpcode, to controller: Controller) {
        emit(
            HCICommandComplete(
                commandPacketCount: 1, command: opcode,
                parameters: [HCIErrorCode.invalidHCICommandParameters.rawValue]),
            to: controller)
    }
}
