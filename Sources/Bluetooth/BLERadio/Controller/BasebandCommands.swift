import BLEPackets
import ByteCodec

extension CommandEntry {
    /// Masks, reset, and flow control.
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
            // LE controllers have no synchronous data: hosts set 0, as NimBLE does.
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
