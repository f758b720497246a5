import BLEPackets
import ByteCodec

extension CommandEntry {
    /// Version, features and address of the controller.
    static let informationalCommands: [CommandEntry] = [
        .complete(14, 3) { (_, controller, _: HCIReadLocalVersionInformation) in
            let personality = controller.personality
            return .init(
                status: .success, hciVersion: personality.hciVersion, hciSubversion: personality.hciSubversion,
                lmpVersion: personality.linkLayerVersion, companyIdentifier: personality.companyIdentifier,
                lmpSubversion: personality.linkLayerSubversion)
        },
        readLocalSupportedCommands,
        .complete(14, 5) { (_, controller, _: HCIReadLocalSupportedFeatures) in
            .init(status: .success, features: controller.personality.lmpFeatures)
        },
        .complete(14, 6) { (_, controller, command: HCIReadLocalExtendedFeatures) in
            // Page 1 contains features that the host has enabled, page 2 is for BR/EDR: both are empty for an LE
            // controller.
            guard command.page <= 2 else {
                return .init(status: .invalidHCICommandParameters, page: command.page, maximumPage: 2, features: 0)
            }
            let features = command.page == 0 ? controller.personality.lmpFeatures : 0
            return .init(status: .success, page: command.page, maximumPage: 2, features: features)
        },
        .complete(14, 7) { (_, controller, _: HCIReadBufferSize) in
            .init(
                status: .success, aclDataLength: controller.personality.aclDataLength, synchronousDataLength: 0,
                aclPacketCount: UInt16(controller.personality.aclPacketCount), synchronousPacketCount: 0)
        },
        .complete(15, 1) { (_, controller, _: HCIReadBDADDR) in
            .init(status: .success, address: controller.address)
        },
        .complete(25, 1) { (_, controller, _: HCILEReadBufferSize) in
            .init(
                status: .success, aclDataLength: controller.personality.aclDataLength,
                aclPacketCount: UInt8(controller.personality.aclPacketCount))
        },
        .complete(25, 2) { (_, controller, _: HCILEReadLocalSupportedFeatures) in
            .init(status: .success, features: controller.personality.leFeatures)
        },
        .complete(27, 7) { (_, controller, _: HCILERand) in
            .init(status: .success, random: controller.random.next())
        },
        .complete(28, 3) { (_, controller, _: HCILEReadSupportedStates) in
            .init(status: .success, states: controller.personality.leStates)
        },
    ]

    /// Core 5.4, Vol 4 Part E 6.27 gives this command no flag.
    private static let readLocalSupportedCommands = CommandEntry(
        flag: nil, opcode: HCIReadLocalSupportedCommands.opcode
    ) { air, controller, parameters in
        guard parameters.isEmpty else {
            air.emitInvalidParameters(HCIReadLocalSupportedCommands.opcode, to: controller)
            return
        }
        air.emit(
            HCICommandComplete(
                to: HCIReadLocalSupportedCommands.self,
                .init(status: .success, commands: CommandEntry.supportedCommands(controller.personality)[...])),
            to: controller)
    }
}
