import BLECore
import BLEPackets

extension CommandEntry {
    /// Resolving list commands (Core 5.4, Vol 4 Part E 7.8.38 to 7.8.45, 7.8.77).
    static let privacyCommands: [CommandEntry] = [
        .simple(34, 3) { (_, controller, command: HCILEAddDeviceToResolvingList) in
            guard controller.mayChangeResolvingList else { return .commandDisallowed }
            let entry = ResolvingList.Entry(
                peer: command.peer, peerKey: IdentityResolvingKey(command.peerIRK),
                localKey: IdentityResolvingKey(command.localIRK))
            if controller.host.resolvingList.conflicts(entry) { return .invalidHCICommandParameters }
            guard controller.host.resolvingList.entries.count < controller.personality.resolvingListSize else {
                return .memoryCapacityExceeded
            }
            controller.host.resolvingList.add(entry)
            return .success
        },
        .simple(34, 4) { (_, controller, command: HCILERemoveDeviceFromResolvingList) in
            guard controller.mayChangeResolvingList else { return .commandDisallowed }
            return controller.host.resolvingList.remove(command.peer) ? .success : .unknownConnectionIdentifier
        },
        .simple(34, 5) { (_, controller, _: HCILEClearResolvingList) in
            guard controller.mayChangeResolvingList else { return .commandDisallowed }
            controller.host.resolvingList.removeAll()
            return .success
        },
        .complete(34, 6) { (_, controller, _: HCILEReadResolvingListSize) in
            .init(status: .success, size: UInt8(controller.personality.resolvingListSize))
        },
        .complete(34, 7) { (_, controller, command: HCILEReadPeerResolvableAddress) in
            let entry = controller.host.resolvingList.entry(of: command.peer)
            return .init(
                status: entry == nil ? .unknownConnectionIdentifier : .success,
                address: entry?.lastAddress ?? entry?.target?.address ?? DeviceAddress(0, .random))
        },
        .complete(35, 0) { (_, controller, command: HCILEReadLocalResolvableAddress) in
            let entry = controller.host.resolvingList.entry(of: command.peer)
            return .init(
                status: entry == nil ? .unknownConnectionIdentifier : .success,
                address: entry?.local?.address ?? DeviceAddress(0, .random))
        },
        .simple(35, 1) { (_, controller, command: HCILESetAddressResolutionEnable) in
            guard !controller.isUsingAddresses else { return .commandDisallowed }
            controller.host.resolvingList.isEnabled = command.isEnabled
            return .success
        },
        .simple(35, 2) { (_, controller, command: HCILESetResolvablePrivateAddressTimeout) in
            // 11.5 hours in 4.2 and 5.0 (Vol 2 Part E 7.8.45 of both), one hour in newer versions.
            let maximum: UInt16 = controller.personality.hciVersion <= 9 ? 0xA1B8 : 0x0E10
            guard 1...maximum ~= command.timeout else { return .invalidHCICommandParameters }
            controller.host.resolvingList.timeout = Int64(command.timeout) * 1000 * AirTime.millisecond
            return .success
        },
        .simple(39, 2) { (_, controller, command: HCILESetPrivacyMode) in
            guard controller.mayChangeResolvingList else { return .commandDisallowed }
            guard command.mode == .network || command.mode == .device else { return .invalidHCICommandParameters }
            return controller.host.resolvingList.setMode(command.mode, of: command.peer)
                ? .success : .unknownConnectionIdentifier
        }
        .requiring(LEFeature.privacy, version: 9),
    ]
}

extension Controller {
    /// Whether advertising, scanning or initiating uses the resolving list.
    var isUsingAddresses: Bool {
        host.advertisers.contains { $0.isEnabled } || host.scanner.isEnabled || host.initiator != nil
    }

    fileprivate var mayChangeResolvingList: Bool { !host.resolvingList.isEnabled || !isUsingAddresses }
}
