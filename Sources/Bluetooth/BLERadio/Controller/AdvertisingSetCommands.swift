import BLECore
internal import BLEPackets

extension CommandEntry {
    /// Extended advertising (Core 5.4, Vol 4 Part E 7.8.52 to 7.8.60).
    static let advertisingSetCommands: [CommandEntry] = [
        .simple(36, 1) { (_, controller, command: HCILESetAdvertisingSetRandomAddress) in
            guard let set = controller.advertisingSet(command.advertisingHandle) else {
                return .unknownAdvertisingIdentifier
            }
            if set.isEnabled, set.isConnectable { return .commandDisallowed }
            set.randomAddress = command.address
            return .success
        },
        .complete(36, 2) { (_, controller, command: HCILESetExtendedAdvertisingParameters) in
            let (status, set) = controller.configure(command)
            return .init(status: status, selectedTxPower: set?.txPower ?? 0)
        },
        .simple(36, 3) { (_, controller, command: HCILESetExtendedAdvertisingData) in
            guard let set = controller.advertisingSet(command.advertisingHandle) else {
                return .unknownAdvertisingIdentifier
            }
            guard set.hasData else { return .invalidHCICommandParameters }
            return set.change(\.data, command.operation, command.data)
        },
        .simple(36, 4) { (_, controller, command: HCILESetExtendedScanResponseData) in
            guard let set = controller.advertisingSet(command.advertisingHandle) else {
                return .unknownAdvertisingIdentifier
            }
            // A set that is not scannable accepts only empty data, which deletes the data from when it was scannable.
            guard set.isScannable || command.data.isEmpty, command.operation != .unchanged else {
                return .invalidHCICommandParameters
            }
            if set.isEnabled, !set.isLegacy, set.isScannable, command.data.isEmpty { return .commandDisallowed }
            return set.change(\.scanResponse, command.operation, command.data)
        },
        .simple(36, 5) { (air, controller, command: HCILESetExtendedAdvertisingEnable) in
            air.enable(command, controller)
        },
        .complete(36, 6) { (_, controller, _: HCILEReadMaximumAdvertisingDataLength) in
            .init(status: .success, length: UInt16(controller.personality.maximumAdvertisingDataLength))
        },
        .complete(36, 7) { (_, controller, _: HCILEReadNumberOfSupportedAdvertisingSets) in
            .init(status: .success, count: UInt8(controller.personality.advertisingSetCount))
        },
        .simple(37, 0) { (_, controller, command: HCILERemoveAdvertisingSet) in
            guard let set = controller.advertisingSet(command.advertisingHandle) else {
                return .unknownAdvertisingIdentifier
            }
            guard !set.isEnabled else { return .commandDisallowed }
            controller.host.advertisers.removeAll { $0 === set }
            return .success
        },
        .simple(37, 1) { (_, controller, _: HCILEClearAdvertisingSets) in
            guard !controller.host.advertisers.contains(where: \.isEnabled) else { return .commandDisallowed }
            controller.host.advertisers.removeAll()
            return .success
        },
    ]
}

extension Controller {
    func advertisingSet(_ handle: UInt8) -> AdvertisingSet? {
        host.advertisers.first { $0.handle == handle }
    }

    /// Creates or changes an advertising set.
    fileprivate func configure(_ command: HCILESetExtendedAdvertisingParameters) -> (HCIErrorCode, AdvertisingSet?) {
        let existing = advertisingSet(command.advertisingHandle)
        if existing?.isEnabled == true { return (.commandDisallowed, nil) }
        let status = isValid(command)
        guard status == .success else { return (status, nil) }
        let set = existing ?? AdvertisingSet(self, handle: command.advertisingHandle)
        if existing == nil {
            guard host.advertisers.count(where: { $0.handle != nil }) < personality.advertisingSetCount else {
                return (.memoryCapacityExceeded, nil)
            }
            host.advertisers.append(set)
        }
        let isLegacy = command.properties.contains(.legacy)
        set.parameters = AdvertisingSet.Parameters(
            properties: command.properties, interval: Int64(command.maximumInterval) * AirTime.slots(1),
            channelMap: command.channelMap, ownAddressType: command.ownAddressType,
            peerAddress: command.peerAddress, filterPolicy: command.filterPolicy, primaryPHY: command.primaryPHY,
            secondaryPHY: isLegacy ? .none : command.secondaryPHY, sid: isLegacy ? 0xFF : command.sid,
            txPower: command.txPower == 127 ? nil : max(command.txPower, personality.minimumTxPower),
            notifiesScanRequests: command.notifiesScanRequests)
        return (.success, set)
    }

    /// Core 5.4, Vol 4 Part E 7.8.53.
    private func isValid(_ command: HCILESetExtendedAdvertisingParameters) -> HCIErrorCode {
        let properties = command.properties
        let isLegacy = properties.contains(.legacy)
        let areProperties =
            isLegacy
            ? [0x10, 0x12, 0x13, 0x15, 0x1D].contains(properties.rawValue)
            : properties.rawValue <= 0x7F && !properties.contains(.highDuty)
                && !properties.isSuperset(of: [.connectable, .scannable])
                && (!properties.contains(.anonymous) || properties.isDisjoint(with: [.connectable, .scannable]))
        guard areProperties, command.advertisingHandle <= 0xEF, command.minimumInterval >= 0x20,
            command.minimumInterval <= command.maximumInterval, 1...7 ~= command.channelMap,
            command.ownAddressType.rawValue <= 3, command.filterPolicy <= 3, command.sid <= 0xF,
            -127...20 ~= command.txPower || command.txPower == 127
        else { return .invalidHCICommandParameters }
        let primaries: [HCIPHY] = isLegacy ? [.le1M] : [.le1M, .leCoded]
        guard primaries.contains(command.primaryPHY), isLegacy || 1...3 ~= command.secondaryPHY.rawValue else {
            return .invalidHCICommandParameters
        }
        let phys = HCIPHYs(command.primaryPHY).union(isLegacy ? [] : HCIPHYs(command.secondaryPHY))
        return phys.isSubset(of: supportedPHYs) ? .success : .unsupportedFeatureOrParameterValue
    }
}

extension AdvertisingSet {
    /// Applies a fragment of data (Core 5.4, Vol 4 Part E 7.8.54).
    fileprivate func change(
        _ path: ReferenceWritableKeyPath<AdvertisingSet, Data>, _ operation: HCIDataOperation,
        _ piece: ArraySlice<UInt8>
    ) -> HCIErrorCode {
        guard operation.rawValue <= 4 else { return .invalidHCICommandParameters }
        if operation == .unchanged {
            guard isEnabled, piece.isEmpty, !self[keyPath: path].bytes.isEmpty, !isLegacy else {
                return .invalidHCICommandParameters
            }
            self[keyPath: path].identifier = (self[keyPath: path].identifier + 1) & 0xFFF
            return .success
        }
        let isWhole = operation == .complete
        if isLegacy, !isWhole || piece.count > 31 { return .invalidHCICommandParameters }
        guard isWhole || !piece.isEmpty else { return .invalidHCICommandParameters }
        guard isWhole || !isEnabled else { return .commandDisallowed }
        var data = self[keyPath: path]
        let former = isWhole || operation == .first ? [] : data.bytes
        guard former.count + piece.count <= controller.personality.maximumAdvertisingDataLength else {
            self[keyPath: path] = Data(identifier: data.identifier)
            return .memoryCapacityExceeded
        }
        data.bytes = former + piece
        data.isPartial = operation == .first || operation == .intermediate
        data.identifier = (data.identifier + 1) & 0xFFF
        self[keyPath: path] = data
        return .success
    }
}

extension Air {
    /// Starts or stops either all of the sets or, on an error, no set (Core 5.4, Vol 4 Part E 7.8.56).
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
