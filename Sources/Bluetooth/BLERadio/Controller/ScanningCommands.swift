import BLECore
internal import BLEPackets

extension CommandEntry {
    /// Commands for scanning.
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

    /// Commands for the filter accept list.
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
    /// Without the feature the accept list is the only filter (Core 5.4, Vol 6 Part B 4.6.8).
    var maximumScanFilterPolicy: UInt8 { has(LEFeature.extendedScannerFilterPolicies) ? 3 : 1 }
}

extension CommandEntry {
    /// Extended scanning and initiating (Core 5.4, Vol 4 Part E 7.8.64 to 7.8.66).
    static let extendedScanningCommands: [CommandEntry] = [
        .simple(37, 5) { (_, controller, command: HCILESetExtendedScanParameters) in
            guard !controller.host.scanner.isEnabled else { return .commandDisallowed }
            guard command.ownAddressType.rawValue <= 3, command.filterPolicy <= controller.maximumScanFilterPolicy,
                !command.phys.isEmpty, command.scans.count == command.phys.each.count,
                command.scans.allSatisfy({ $0.window >= 4 && $0.window <= $0.interval })
            else { return .invalidHCICommandParameters }
            guard command.phys.isSubset(of: [.le1M, .leCoded]), command.phys.isSubset(of: controller.supportedPHYs)
            else { return .unsupportedFeatureOrParameterValue }
            controller.host.scanner.ownAddressType = command.ownAddressType
            controller.host.scanner.filterPolicy = command.filterPolicy
            controller.host.scanner.scans = Dictionary(
                uniqueKeysWithValues: zip(command.phys.each, command.scans).map { phys, scan in
                    (phys.first, .init(isActive: scan.isActive, interval: scan.interval, window: scan.window))
                })
            return .success
        },
        .simple(37, 6) { (air, controller, command: HCILESetExtendedScanEnable) in
            guard command.isEnabled else {
                air.stopScanning(controller)
                return .success
            }
            let duration = Int64(command.duration) * 10 * AirTime.millisecond
            let period = Int64(command.period) * 1280 * AirTime.millisecond
            guard command.filterDuplicates <= 2,
                controller.hasAddress(
                    controller.host.scanner.ownAddressType, for: nil, random: controller.host.randomAddress),
                command.period == 0 || command.duration == 0 || duration < period,
                command.filterDuplicates < 2 || (command.period != 0 && command.duration != 0)
            else { return .invalidHCICommandParameters }
            controller.host.scanner.isExtended = true
            controller.host.scanner.filtersDuplicates = command.filterDuplicates != 0
            controller.host.scanner.resetsDuplicates = command.filterDuplicates == 2
            controller.host.scanner.duration = duration == 0 ? nil : duration
            controller.host.scanner.period = period == 0 ? nil : period
            air.startScanning(controller)
            return .success
        },
        .status(
            37, 7,
            check: { (air, controller, command: HCILEExtendedCreateConnection) in
                guard !command.phys.isDisjoint(with: [.le1M, .leCoded]),
                    command.initiations.count == command.phys.each.count
                else { return .invalidHCICommandParameters }
                guard command.phys.isSubset(of: controller.supportedPHYs) else {
                    return .unsupportedFeatureOrParameterValue
                }
                let areValid = zip(command.phys.each, command.initiations).allSatisfy { phy, initiation in
                    isValid(initiation.parameters)
                        && (phy == .le2M
                            || (initiation.scanWindow >= 4 && initiation.scanWindow <= initiation.scanInterval))
                }
                guard areValid else { return .invalidHCICommandParameters }
                return controller.mayInitiate(initiator(command, now: air.now))
            },
            begin: { air, controller, command in
                controller.host.initiator = initiator(command, now: air.now)
                air.updateListening(controller)
            }),
    ]

    private static func initiator(_ command: HCILEExtendedCreateConnection, now: Int64) -> Initiator {
        let attempts = zip(command.phys.each, command.initiations).map { phy, initiation in
            let listening = Listening(
                start: now, interval: AirTime.slots(initiation.scanInterval),
                window: AirTime.slots(initiation.scanWindow))
            // LE 2M is not allowed for primary advertising.
            return (
                phy.first,
                Initiator.Attempt(listening: phy == .le2M ? nil : listening, parameters: initiation.parameters)
            )
        }
        return Initiator(
            usesFilterAcceptList: command.usesFilterAcceptList, ownAddressType: command.ownAddressType,
            peerAddress: command.peerAddress, isExtended: true, attempts: Dictionary(uniqueKeysWithValues: attempts))
    }
}
