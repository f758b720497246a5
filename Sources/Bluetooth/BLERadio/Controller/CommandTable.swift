internal import BLEPackets
import ByteCodec

/// One supported command: its implementation, and its bit in Supported_Commands.
struct CommandEntry: Sendable {
    /// Octet and bit in Read Local Supported Commands (Core 5.4, Vol 4 Part E 6.27); `nil` if the command has no bit.
    let flag: (octet: Int, bit: Int)?
    let opcode: HCIOpcode
    /// The features that a controller needs for the command.
    var requirement = Requirement()
    /// True if the answer is Command Status.
    var isAnsweredByStatus = false
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

    /// A command answered by Command Complete with only a status.
    static func simple<Command: HCICommand>(
        _ octet: Int, _ bit: Int, _ body: @escaping @Sendable (Air, Controller, Command) -> HCIErrorCode
    ) -> CommandEntry where Command.ReturnParameters == HCIStatusParameters {
        complete(octet, bit) { HCIStatusParameters(status: body($0, $1, $2)) }
    }

    /// A command answered by Command Status; its result is reported by later events. `check` validates it before it
    /// begins.
    static func status<Command: HCICommand>(
        _ octet: Int, _ bit: Int, check: @escaping @Sendable (Air, Controller, Command) -> HCIErrorCode,
        begin: @escaping @Sendable (Air, Controller, Command) -> Void
    ) -> CommandEntry {
        CommandEntry(flag: (octet, bit), opcode: Command.opcode, isAnsweredByStatus: true) {
            air, controller, parameters in
            let command = try? Command(parameters: parameters)
            let status = command.map { check(air, controller, $0) } ?? .invalidHCICommandParameters
            air.emit(
                HCICommandStatus(status: status, commandPacketCount: 1, command: Command.opcode), to: controller)
            if let command, status == .success { begin(air, controller, command) }
        }
    }

    /// The requirements of a command.
    struct Requirement {
        /// At least one of these LE features; 0: no requirement.
        var features: UInt64 = 0
        /// The minimum HCI version.
        var version: UInt8 = 0

        func isMet(by personality: ControllerPersonality) -> Bool {
            (features == 0 || personality.leFeatures & features != 0) && personality.hciVersion >= version
        }
    }

    func requiring(_ features: UInt64, version: UInt8 = 0) -> CommandEntry {
        var entry = self
        entry.requirement = Requirement(features: features, version: max(version, requirement.version))
        return entry
    }

    static let all: [CommandEntry] =
        basebandCommands + informationalCommands + advertisingCommands + scanningCommands + acceptListCommands
        + initiatingCommands + connectionCommands + channelCommands + encryptionCommands + directTestCommands
        + payloadTimeoutCommands.map { $0.requiring(LEFeature.ping) }
        + privacyCommands.map { $0.requiring(LEFeature.privacy) }
        + (phyCommands + directTestPHYCommands).map { $0.requiring(LEFeature.le2MPHY | LEFeature.leCodedPHY) }
        + (advertisingSetCommands + extendedScanningCommands + powerCommands)
        .map { $0.requiring(LEFeature.extendedAdvertising) }

    static let byOpcode = Dictionary(all.map { ($0.opcode, $0) }) { first, _ in first }

    /// The return parameter of Read Local Supported Commands.
    static func supportedCommands(_ personality: ControllerPersonality) -> [UInt8] {
        all.filter { $0.requirement.isMet(by: personality) }.compactMap(\.flag)
            .reduce(into: Array(repeating: 0, count: 64)) { $0[$1.octet] |= 1 << $1.bit }
    }
}

extension Air {
    func receiveCommand(_ packet: HCIPacket, _ controller: Controller) {
        // A command with a wrong length cannot be parsed and gets no answer.
        guard let command = try? HCIAnyCommand(decoding: packet.bytes[...]) else { return }
        guard let entry = CommandEntry.byOpcode[command.opcode],
            entry.requirement.isMet(by: controller.personality)
        else {
            emit(
                HCICommandStatus(status: .unknownCommand, commandPacketCount: 1, command: command.opcode),
                to: controller)
            return
        }
        guard !controller.isBusyTesting(command.opcode), controller.mayUse(AdvertisingCommandKind(command.opcode))
        else {
            refuse(entry, .commandDisallowed, to: controller)
            return
        }
        entry.run(self, controller, command.parameters)
    }

    private func refuse(_ entry: CommandEntry, _ status: HCIErrorCode, to controller: Controller) {
        if entry.isAnsweredByStatus {
            emit(HCICommandStatus(status: status, commandPacketCount: 1, command: entry.opcode), to: controller)
        } else {
            emit(
                HCICommandComplete(commandPacketCount: 1, command: entry.opcode, parameters: [status.rawValue]),
                to: controller)
        }
    }

    func emitInvalidParameters(_ opcode: HCIOpcode, to controller: Controller) {
        emit(
            HCICommandComplete(
                commandPacketCount: 1, command: opcode,
                parameters: [HCIErrorCode.invalidHCICommandParameters.rawValue]),
            to: controller)
    }
}
