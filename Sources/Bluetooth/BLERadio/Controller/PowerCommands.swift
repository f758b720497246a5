import BLEPackets

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
