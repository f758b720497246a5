import BLECore
import BLEPackets

extension CommandEntry {
    /// Scanning.
    static let scanningCommands: [CommandEntry] = [
        .simple(26, 2) { (_, controller, command: HCILESetScanParameters) in
            guard !controller.host.scanner.isEnabled else { return .commandDisallowed }
            guard isValidScan(interval: command.interval, window: command.window),
                command.ownAddressType.rawValue <= 3, command.filterPolicy <= 1
            else { return .invalidHCICommandParameters }
            controller.host.scanner.parameters = command
            return .success
        },
        .simple(26, 3) { (air, controller, command: HCILESetScanEnable) in
            let parameters = controller.host.scanner.parameters
            if command.isEnabled {
                guard controller.ownAddress(parameters.ownAddressType) != nil else {
                    return .invalidHCICommandParameters
                }
                if !controller.host.scanner.isEnabled {
                    controller.host.scanner.listening = Listening(
                        start: air.now, interval: AirTime.slots(parameters.interval),
                        window: AirTime.slots(parameters.window))
                }
            }
            controller.host.scanner.isEnabled = command.isEnabled
            controller.host.scanner.filtersDuplicates = command.filterDuplicates
            controller.host.scanner.seen.removeAll()
            air.updateListening(controller)
            return .success
        },
    ]

    /// Core 5.4, Vol 4 Part E 7.8.10.
    static func isValidScan(interval: UInt16, window: UInt16) -> Bool {
        4...0x4000 ~= interval && 4...0x4000 ~= window && window <= interval
    }

    /// The filter accept list.
    static let acceptListCommands: [CommandEntry] = [
        .complete(26, 6) { (_, controller, _: HCILEReadFilterAcceptListSize) in
            .init(status: .success, size: UInt8(controller.personality.acceptListSize))
        },
        .simple(26, 7) { (_, controller, _: HCILEClearFilterAcceptList) in
            guard !controller.host.usesAcceptList else { return .commandDisallowed }
            controller.host.acceptList.removeAll()
            return .success
        },
        .simple(27, 0) { (_, controller, command: HCILEAddDeviceToFilterAcceptList) in
            guard !controller.host.usesAcceptList else { return .commandDisallowed }
            if controller.host.acceptList.contains(command.address) { return .success }
            guard controller.host.acceptList.count < controller.personality.acceptListSize else {
                return .memoryCapacityExceeded
            }
            controller.host.acceptList.append(command.address)
            return .success
        },
        .simple(27, 1) { (_, controller, command: HCILERemoveDeviceFromFilterAcceptList) in
            guard !controller.host.usesAcceptList else { return .commandDisallowed }
            controller.host.acceptList.removeAll { $0 == command.address }
            return .success
        },
    ]
}
