import BLECore
internal import BLEPackets

/// The two kinds of commands for advertising, scanning and initiating. Between two resets a host uses only one of them
/// (Core 5.4, Vol 4 Part E 3.1.1).
enum AdvertisingCommandKind {
    case legacy
    case extended

    /// `nil` if the command belongs to neither kind.
    init?(_ opcode: HCIOpcode) {
        switch opcode {
        case .leSetAdvertisingParameters, .leReadAdvertisingPhysicalChannelTxPower, .leSetAdvertisingData,
            .leSetScanResponseData, .leSetAdvertisingEnable, .leSetScanParameters, .leSetScanEnable,
            .leCreateConnection:
            self = .legacy
        case .leSetAdvertisingSetRandomAddress, .leSetExtendedAdvertisingParameters,
            .leSetExtendedAdvertisingData, .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable,
            .leReadMaximumAdvertisingDataLength, .leReadNumberOfSupportedAdvertisingSets, .leRemoveAdvertisingSet,
            .leClearAdvertisingSets, .leSetExtendedScanParameters, .leSetExtendedScanEnable,
            .leExtendedCreateConnection:
            self = .extended
        default: return nil
        }
    }
}

extension Controller {
    /// True if the host may use commands of `kind`; records that it uses them.
    func mayUse(_ kind: AdvertisingCommandKind?) -> Bool {
        guard let kind else { return true }
        guard let used = host.commandKind else {
            host.commandKind = kind
            return true
        }
        return used == kind
    }
}

extension CommandEntry {
    /// Commands for the random address and legacy advertising.
    static let advertisingCommands: [CommandEntry] = [
        .simple(25, 4) { (_, controller, command: HCILESetRandomAddress) in
            // Extended advertising sets have their own random addresses.
            guard !controller.legacySet.isEnabled, !controller.host.scanner.isEnabled, controller.host.initiator == nil
            else { return .commandDisallowed }
            controller.host.randomAddress = command.address
            return .success
        },
        .simple(25, 5) { (_, controller, command: HCILESetAdvertisingParameters) in
            let set = controller.legacySet
            guard !set.isEnabled else { return .commandDisallowed }
            guard let properties = properties(command.type), isValid(command, controller.personality) else {
                return .invalidHCICommandParameters
            }
            set.parameters = AdvertisingSet.Parameters(
                properties: properties, interval: AirTime.slots(command.maximumInterval),
                channelMap: command.channelMap, ownAddressType: command.ownAddressType,
                peerAddress: command.peerAddress, filterPolicy: command.filterPolicy)
            return .success
        },
        .complete(25, 6) { (_, controller, _: HCILEReadAdvertisingPhysicalChannelTxPower) in
            .init(status: .success, txPower: controller.txPower)
        },
        .simple(25, 7) { (_, controller, command: HCILESetAdvertisingData) in
            controller.legacySet.data.bytes = command.data
            return .success
        },
        .simple(26, 0) { (_, controller, command: HCILESetScanResponseData) in
            controller.legacySet.scanResponse.bytes = command.data
            return .success
        },
        .simple(26, 1) { (air, controller, command: HCILESetAdvertisingEnable) in
            let set = controller.legacySet
            guard command.isEnabled else {
                air.stopAdvertising(set)
                return .success
            }
            // Enabling again only changes the random address, which is read at each event.
            if set.isEnabled { return .success }
            let parameters = set.parameters
            guard
                controller.hasAddress(
                    parameters.ownAddressType, for: parameters.peerAddress, random: set.ownRandomAddress)
            else { return .invalidHCICommandParameters }
            if set.isConnectable, controller.freeHandle == nil { return .connectionLimitExceeded }
            air.startAdvertising(set, duration: set.isHighDuty ? AirTime.highDutyDuration : nil)
            return .success
        },
    ]

    private static func properties(_ type: HCIAdvertisingType) -> HCIAdvertisingEventProperties? {
        switch type {
        case .connectable: [.legacy, .connectable, .scannable]
        case .directedHighDuty: [.legacy, .connectable, .directed, .highDuty]
        case .scannable: [.legacy, .scannable]
        case .nonConnectable: [.legacy]
        case .directedLowDuty: [.legacy, .connectable, .directed]
        default: nil
        }
    }

    /// Core 5.4, Vol 4 Part E 7.8.5.
    private static func isValid(
        _ command: HCILESetAdvertisingParameters, _ personality: ControllerPersonality
    ) -> Bool {
        // Before 5.0 the minimum interval of non-connectable advertising is 100 ms.
        let isSlow = command.type == .scannable || command.type == .nonConnectable
        let minimum: UInt16 = isSlow && personality.hciVersion < 9 ? 0xA0 : 0x20
        // High duty cycle directed advertising ignores the interval.
        let isIntervalValid =
            command.type == .directedHighDuty
            || (command.minimumInterval >= minimum && command.maximumInterval <= 0x4000
                && command.minimumInterval <= command.maximumInterval)
        return isIntervalValid && command.ownAddressType.rawValue <= 3 && 1...7 ~= command.channelMap
            && command.filterPolicy <= 3
    }
}

extension Controller {
    /// The set of the legacy commands.
    var legacySet: AdvertisingSet {
        if let set = host.advertisers.first(where: { $0.handle == nil }) { return set }
        let set = AdvertisingSet(self, handle: nil)
        host.advertisers.append(set)
        return set
    }
}
