import BLECore
import BLEPackets

extension CommandEntry {
    /// Scanning.
    static let scanningCommands: [CommandEntry] = [
        .simple(26, 2) { (_, controller, command: HCILESetScanParameters) in
            guard !controller.host.scanner.isEnabled else { return .commandDisallowed }
            guard isValidScan(interval: command.interval, window: command.window),
                command.ownAddressType.rawValue <= 3, command.filterPolicy <= controller.maximumScanFilterPolicy
            else { return .invalidHCICommandParameters }
            controller.host.scanner.ownAddressType = command.ownAddressType
            controller.host.scanner.filterPolicy = command.filterPolicy
            controller.host.scanner.scans = [
                .le1M: .init(isActive: command.isActive, interval: command.interval, window: command.window)
            ]
            return .success
        },
        .simple(26, 3) { (air, controller, command: HCILESetScanEnable) in
            guard command.isEnabled else {
                air.stopScanning(controller)
                return .success
            }
            guard
                controller.hasAddress(
                    controller.host.scanner.ownAddressType, for: nil, random: controller.host.randomAddress)
            else { return .invalidHCICommandParameters }
            controller.host.scanner.filtersDuplicates = command.filterDuplicates
            air.startScanning(controller)
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

extension Controller {
    /// Core 5.4, Vol 6 Part B 4.6.8: without the feature only the accept list filters.
    var maximumScanFilterPolicy: UInt8 { has(LEFeature.extendedScannerFilterPolicies) ? 3 : 1 }
}
