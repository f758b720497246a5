import BLEPackets

extension Air {
    /// Starts or stops sets, all of them or none (Core 5.4, Vol 4 Part E 7.8.56).
    func enable(_ command: HCILESetExtendedAdvertisingEnable, _ controller: Controller) -> HCIErrorCode {
        if !command.isEnabled, command.sets.isEmpty {
            for set in controller.host.advertisers where set.isEnabled { stopAdvertising(set) }
            return .success
        }
        guard !command.sets.isEmpty, Set(command.sets.map(\.advertisingHandle)).count == command.sets.count else {
            return .invalidHCICommandParameters
        }
        var sets: [(AdvertisingSet, HCILESetExtendedAdvertisingEnable.AdvertisingSet)] = []
        for wanted in command.sets {
            guard let set = controller.advertisingSet(wanted.advertisingHandle) else {
                return .unknownAdvertisingIdentifier
            }
            if command.isEnabled {
                let status = mayStart(set, wanted)
                guard status == .success else { return status }
            }
            sets.append((set, wanted))
        }
        for (set, wanted) in sets {
            if command.isEnabled {
                let duration = wanted.duration == 0 ? nil : Int64(wanted.duration) * 10 * AirTime.millisecond
                startAdvertising(set, duration: duration, maximumEvents: wanted.maximumEvents)
            } else {
                stopAdvertising(set)
            }
        }
        return .success
    }

    private func mayStart(
        _ set: AdvertisingSet, _ wanted: HCILESetExtendedAdvertisingEnable.AdvertisingSet
    ) -> HCIErrorCode {
        let controller = set.controller
        guard !set.data.isPartial, !set.scanResponse.isPartial else { return .commandDisallowed }
        if set.isScannable, !set.isLegacy, set.scanResponse.bytes.isEmpty { return .commandDisallowed }
        guard
            controller.hasAddress(
                set.parameters.ownAddressType, for: set.parameters.peerAddress, random: set.ownRandomAddress)
        else { return .invalidHCICommandParameters }
        // High duty cycle advertising lasts at most 1.28 s.
        if set.isHighDuty, !(1...128 ~= wanted.duration) { return .invalidHCICommandParameters }
        if set.isConnectable, controller.freeHandle == nil { return .connectionLimitExceeded }
        return .success
    }
}
