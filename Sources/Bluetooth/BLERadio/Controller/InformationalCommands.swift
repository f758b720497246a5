internal import BLEPackets
import ByteCodec

extension CommandEntry {
    /// Commands for the version, features and address of the controller.
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
            // Page 1 contains features enabled by the host, page 2 features of BR/EDR: both are empty for an LE
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

extension CommandEntry {
    /// Commands for masks, reset, and flow control.
    static let basebandCommands: [CommandEntry] = [
        .simple(5, 6) { (_, controller, command: HCISetEventMask) in
            controller.host.eventMask = command.mask
            return .success
        },
        // No event of the second page is supported.
        .simple(22, 2) { (_, _, _: HCISetEventMaskPage2) in .success },
        .simple(25, 0) { (_, controller, command: HCILESetEventMask) in
            controller.host.leEventMask = command.mask
            return .success
        },
        .simple(5, 7) { (air, controller, _: HCIReset) in
            air.resetController(controller)
            return .success
        },
        .simple(10, 5) { (_, controller, command: HCISetControllerToHostFlowControl) in
            guard command.enable <= 3 else { return .invalidHCICommandParameters }
            guard !controller.hasConnections else { return .commandDisallowed }
            controller.host.flow.isEnabled = command.enable & 1 != 0
            return .success
        },
        .simple(10, 6) { (_, controller, command: HCIHostBufferSize) in
            // LE has no synchronous data, so hosts like NimBLE set its values to 0: only the ACL values are checked.
            guard command.aclDataLength > 0, command.aclPacketCount > 0 else { return .invalidHCICommandParameters }
            controller.host.flow.packetCount = Int(command.aclPacketCount)
            return .success
        },
        hostNumberOfCompletedPackets,
    ]

    /// The only command without an event, unless its parameters are invalid (Core 5.4, Vol 4 Part E 7.3.40).
    private static let hostNumberOfCompletedPackets = CommandEntry(
        flag: (10, 7), opcode: HCIHostNumberOfCompletedPackets.opcode
    ) { air, controller, parameters in
        if let command = try? HCIHostNumberOfCompletedPackets(parameters: parameters) {
            air.hostCompleted(command.connections, controller)
        } else {
            air.emitInvalidParameters(HCIHostNumberOfCompletedPackets.opcode, to: controller)
        }
    }
}

extension Air {
    /// Resets a controller. Its connections end without LL_TERMINATE_IND: the peers detect a supervision time-out.
    func resetController(_ controller: Controller) {
        for case let end? in controller.ends {
            release(end)
            if let link = end.link { loseContact(link) }
        }
        _ = endTest(controller)
        for set in controller.host.advertisers { cancel(&set.token) }
        cancel(&controller.host.scanner.token)
        controller.host = HostSettings()
        updateListening(controller)
    }
}

extension CommandEntry {
    /// Transmit power commands (Core 5.4, Vol 4 Part E 7.8.74 to 7.8.76).
    static let powerCommands: [CommandEntry] = [
        .complete(38, 7) { (_, controller, _: HCILEReadTransmitPower) in
            .init(
                status: .success, minimum: min(controller.personality.minimumTxPower, controller.txPower),
                maximum: controller.txPower)
        },
        .complete(39, 0) { (_, controller, _: HCILEReadRFPathCompensation) in
            let (tx, rx) = controller.host.rfPathCompensation
            return .init(status: .success, tx: tx, rx: rx)
        },
        .simple(39, 1) { (_, controller, command: HCILEWriteRFPathCompensation) in
            guard -1280...1280 ~= command.tx, -1280...1280 ~= command.rx else { return .invalidHCICommandParameters }
            // The RF path to the antenna is not simulated: the values are only stored.
            controller.host.rfPathCompensation = (command.tx, command.rx)
            return .success
        },
    ]
}
