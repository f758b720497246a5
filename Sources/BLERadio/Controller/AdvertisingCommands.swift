import BLECore
import BLEPackets

extension CommandEntry {
    /// The random address, and advertising.
    static let advertisingCommands: [CommandEntry] = [
        .simple(25, 4) { (_, controller, command: HCILESetRandomAddress) in
            let host = controller.host
            guard !host.advertiser.isEnabled, !host.scanner.isEnabled, host.initiator == nil else {
                return .commandDisallowed
            }
            controller.host.randomAddress = command.address
            return .success
        },
        .simple(25, 5) { (_, controller, command: HCILESetAdvertisingParameters) in
            guard !controller.host.advertiser.isEnabled else { return .commandDisallowed }
            guard isValid(command) else { return .invalidHCICommandParameters }
            controller.host.advertiser.parameters = command
            return .success
        },
        .complete(25, 6) { (_, controller, _: HCILEReadAdvertisingPhysicalChannelTxPower) in
            .init(status: .success, txPower: controller.txPower)
        },
        .simple(25, 7) { (_, controller, command: HCILESetAdvertisingData) in
            controller.host.advertiser.data = command.data
            return .success
        },
        .simple(26, 0) { (_, controller, command: HCILESetScanResponseData) in
            controller.host.advertiser.scanResponse = command.data
            return .success
        },
        .simple(26, 1) { (air, controller, command: HCILESetAdvertisingEnable) in
            let advertiser = controller.host.advertiser
            guard command.isEnabled else {
                air.stopAdvertising(controller)
                return .success
            }
            // Enabling twice changes nothing but the random address, which is looked up at each event.
            if advertiser.isEnabled { return .success }
            guard controller.ownAddress(advertiser.parameters.ownAddressType) != nil else {
                return .invalidHCICommandParameters
            }
            if advertiser.isConnectable, controller.freeHandle == nil { return .connectionLimitExceeded }
            air.startAdvertising(controller)
            return .success
        },
    ]

    /// Core 5.4, Vol 4 Part E 7.8.5.
    private static func isValid(_ command: HCILESetAdvertisingParameters) -> Bool {
        // Directed advertising of high duty has an interval of its own.
        let isIntervalValid =
            command.type == .directedHighDuty
            || (command.minimumInterval >= 0x20 && command.maximumInterval <= 0x4000
                && command.minimumInterval <= command.maximumInterval)
        return isIntervalValid && command.type.rawValue <= 4 && command.ownAddressType.rawValue <= 3
            && 1...7 ~= command.channelMap && command.filterPolicy <= 3
    }
}
