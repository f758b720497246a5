import BLECore
import BLEPackets
import BLERadio
import Testing

/// Private addresses that controllers resolve and generate (Core 5.4, Vol 6 Part B 6).
@Suite struct PrivacyTests {
    let bench = AirBench()

    /// Core 5.4, Vol 3 Part H D.7, in HCI's order.
    static let key: [UInt8] = [
        0x9B, 0x7D, 0x39, 0x0A, 0xA6, 0x10, 0x10, 0x34, 0x05, 0xAD, 0xC8, 0x57, 0xA3, 0x34, 0x02, 0xEC,
    ]
    /// Generated from the random part 708194.
    static let resolvable = DeviceAddress(0x7081_940D_FBAA, .random)
    static let otherKey: [UInt8] = Array(1...16)
    static let noKey: [UInt8] = Array(repeating: 0, count: 16)

    private func add(
        _ peer: ControllerID, key: [UInt8], localKey: [UInt8] = noKey, mode: HCIPrivacyMode? = nil,
        to id: ControllerID
    ) throws {
        let identity = AirBench.address(peer.rawValue)
        #expect(
            try bench.status(
                HCILEAddDeviceToResolvingList(peer: identity, peerIRK: key[...], localIRK: localKey[...]), from: id)
                == .success)
        if let mode {
            #expect(try bench.status(HCILESetPrivacyMode(peer: identity, mode: mode), from: id) == .success)
        }
        #expect(try bench.status(HCILESetAddressResolutionEnable(isEnabled: true), from: id) == .success)
    }

    private func reports(_ id: ControllerID) throws -> [HCILEAdvertisingReport.Report] {
        try bench.take(HCILEAdvertisingReport.self, id).flatMap(\.reports)
    }

    /// Makes `id` advertise with `address`, like a host that generates its private addresses.
    private func advertise(_ id: ControllerID, as address: DeviceAddress) throws {
        #expect(try bench.status(HCILESetRandomAddress(address: address), from: id) == .success)
        try bench.advertise(id, AirBench.advertisingParameters(ownAddressType: .random), scanResponse: [])
    }

    @Test func theSampleAddressOfTheSpecificationIsResolved() throws {
        let scanner = bench.addModern(.esp32)
        let peer = bench.addModern(.esp32)
        try add(peer, key: Self.key, to: scanner)
        try advertise(peer, as: Self.resolvable)
        try bench.scan(scanner, active: false)
        bench.run(for: .seconds(1))
        let report = try #require(try reports(scanner).first)
        #expect(report.address == AirBench.address(peer.rawValue))
        #expect(report.isResolved)
        #expect(
            try bench.answer(
                HCILEReadPeerResolvableAddress(peer: AirBench.address(peer.rawValue)), from: scanner
            ).address == Self.resolvable)
    }

    @Test(arguments: [DeviceAddress(0x7081_940D_FBAB, .random), DeviceAddress(0x7181_940D_FBAA, .random)])
    func otherAddressesAreNotResolved(address: DeviceAddress) throws {
        let scanner = bench.addModern(.esp32)
        let peer = bench.addModern(.esp32)
        try add(peer, key: Self.key, to: scanner)
        try advertise(peer, as: address)
        try bench.scan(scanner, active: false)
        bench.run(for: .seconds(1))
        let report = try #require(try reports(scanner).first)
        #expect(report.address == address)
        #expect(!report.isResolved)
    }

    @Test func nothingIsResolvedWhileResolutionIsOff() throws {
        let scanner = bench.addModern(.esp32)
        let peer = bench.addModern(.esp32)
        try add(peer, key: Self.key, to: scanner)
        #expect(try bench.status(HCILESetAddressResolutionEnable(isEnabled: false), from: scanner) == .success)
        try advertise(peer, as: Self.resolvable)
        try bench.scan(scanner, active: false)
        bench.run(for: .seconds(1))
        #expect(try reports(scanner).map(\.address) == [Self.resolvable])
    }

    /// The advertiser's controller generates the addresses, a new one after the time-out; a scanner with the key
    /// reports one device.
    @Test func controllersGenerateAndRenewPrivateAddresses() throws {
        let advertiser = bench.addModern(.esp32)
        let friend = bench.addModern(.esp32)
        let stranger = bench.addModern(.esp32)
        try add(friend, key: Self.otherKey, localKey: Self.key, to: advertiser)
        try add(advertiser, key: Self.key, to: friend)
        #expect(try bench.status(HCILESetResolvablePrivateAddressTimeout(timeout: 10), from: advertiser) == .success)
        try bench.advertise(
            advertiser,
            AirBench.advertisingParameters(
                ownAddressType: .resolvableOrPublic, peer: AirBench.address(friend.rawValue)))
        for id in [friend, stranger] { try bench.scan(id, active: false) }
        bench.run(for: .seconds(9))
        let first = try #require(try reports(stranger).first).address
        #expect(first.kind == .random && first.value >> 46 == 1)
        #expect(
            try bench.answer(
                HCILEReadLocalResolvableAddress(peer: AirBench.address(friend.rawValue)), from: advertiser
            ).address == first)
        bench.run(for: .seconds(3))
        let second = try #require(try reports(stranger).first).address
        #expect(second != first && second.value >> 46 == 1)
        #expect(try reports(friend).map(\.address) == [AirBench.address(advertiser.rawValue)])
    }

    @Test func bothEndsReportIdentityAddresses() throws {
        let central = bench.addModern(.esp32)
        let peripheral = bench.addModern(.esp32)
        try add(peripheral, key: Self.key, localKey: Self.otherKey, to: central)
        try add(central, key: Self.otherKey, localKey: Self.key, to: peripheral)
        let (one, other) = (AirBench.address(central.rawValue), AirBench.address(peripheral.rawValue))
        try bench.advertise(
            peripheral, AirBench.advertisingParameters(ownAddressType: .resolvableOrPublic, peer: one))
        var connection = AirBench.connection(to: other)
        connection.ownAddressType = .resolvableOrPublic
        #expect(try bench.status(connection, from: central) == .success)
        bench.run(for: .seconds(1))
        let atCentral = try #require(try bench.take(HCILEEnhancedConnectionComplete.self, central).first)
        let atPeripheral = try #require(try bench.take(HCILEEnhancedConnectionComplete.self, peripheral).first)
        #expect(atCentral.peerAddress == other && atCentral.isPeerResolved)
        #expect(atPeripheral.peerAddress == one && atPeripheral.isPeerResolved)
        #expect(atCentral.localResolvablePrivateAddress == atPeripheral.peerResolvablePrivateAddress)
        #expect(atCentral.peerResolvablePrivateAddress == atPeripheral.localResolvablePrivateAddress)
        #expect(atCentral.localResolvablePrivateAddress.value >> 46 == 1)
        #expect(atCentral.localResolvablePrivateAddress != atCentral.peerResolvablePrivateAddress)
        #expect(try bench.status(connection, from: central) == .connectionAlreadyExists)
    }

    /// The older event has no identity address types: it contains the address on air.
    @Test func theOlderEventContainsTheAddressOnAir() throws {
        let central = bench.add()
        let peripheral = bench.add()
        try add(peripheral, key: Self.key, to: central)
        try advertise(peripheral, as: Self.resolvable)
        #expect(
            try bench.status(AirBench.connection(to: AirBench.address(peripheral.rawValue)), from: central)
                == .success)
        bench.run(for: .seconds(1))
        #expect(try bench.take(HCILEConnectionComplete.self, central).map(\.peerAddress) == [Self.resolvable])
    }

    @Test(arguments: [(HCIPrivacyMode.network, 0), (.device, 1)])
    func networkPrivacyIgnoresIdentityAddresses(mode: HCIPrivacyMode, count: Int) throws {
        let scanner = bench.addModern(.bluetooth5_0)
        let peer = bench.addModern(.bluetooth5_0)
        try add(peer, key: Self.key, mode: mode, to: scanner)
        try bench.advertise(peer)
        try bench.scan(scanner, active: false)
        bench.run(for: .seconds(1))
        #expect(try reports(scanner).count == count)
        #expect(
            try bench.status(HCILESetScanEnable(isEnabled: false, filterDuplicates: false), from: scanner) == .success)
        let connection = AirBench.connection(to: AirBench.address(peer.rawValue))
        #expect(try bench.status(connection, from: scanner) == .success)
        bench.run(for: .seconds(1))
        #expect(try bench.take(HCILEEnhancedConnectionComplete.self, scanner).count == count)
    }

    @Test func theAcceptListContainsIdentityAddresses() throws {
        let central = bench.addModern(.esp32)
        let peripheral = bench.addModern(.esp32)
        let identity = AirBench.address(peripheral.rawValue)
        try add(peripheral, key: Self.key, to: central)
        #expect(try bench.status(HCILEAddDeviceToFilterAcceptList(address: identity), from: central) == .success)
        try advertise(peripheral, as: Self.resolvable)
        try bench.scan(central, active: false, policy: 1)
        bench.run(for: .seconds(1))
        #expect(try reports(central).map(\.address) == [identity])
        #expect(
            try bench.status(
                AirBench.connection(to: AirBench.address(9), usesFilterAcceptList: true), from: central) == .success)
        bench.run(for: .seconds(1))
        #expect(try bench.take(HCILEEnhancedConnectionComplete.self, central).map(\.peerAddress) == [identity])
    }

    /// Only its target resolves it, and only the target may connect.
    @Test func directedAdvertisingUsesAPrivateTargetAddress() throws {
        let advertiser = bench.addModern(.esp32)
        let wanted = bench.addModern(.esp32)
        let curious = bench.addModern(.esp32)
        try add(wanted, key: Self.key, localKey: Self.otherKey, to: advertiser)
        try add(advertiser, key: Self.otherKey, localKey: Self.key, to: wanted)
        try bench.advertise(
            advertiser,
            AirBench.advertisingParameters(
                .directedLowDuty, ownAddressType: .resolvableOrPublic, peer: AirBench.address(wanted.rawValue)))
        for (id, policy) in [(wanted, UInt8(0)), (curious, 2)] {
            let parameters = HCILESetScanParameters(
                isActive: false, interval: 0x10, window: 0x10, ownAddressType: .resolvableOrPublic,
                filterPolicy: policy)
            #expect(try bench.status(parameters, from: id) == .success)
            #expect(
                try bench.status(HCILESetScanEnable(isEnabled: true, filterDuplicates: true), from: id) == .success)
        }
        bench.run(for: .seconds(1))
        let report = try #require(try reports(wanted).first)
        #expect(report.kind == .directed && report.address == AirBench.address(advertiser.rawValue))
        let direct = try #require(
            try bench.take(HCILEDirectedAdvertisingReport.self, curious).flatMap(\.reports).first)
        #expect(direct.target.value >> 46 == 1 && direct.address.value >> 46 == 1)
        var connection = AirBench.connection(to: direct.address)
        #expect(try bench.status(connection, from: curious) == .success)
        bench.run(for: .seconds(1))
        #expect(try bench.take(HCILEEnhancedConnectionComplete.self, curious).isEmpty)
        connection = AirBench.connection(to: AirBench.address(advertiser.rawValue))
        connection.ownAddressType = .resolvableOrPublic
        #expect(try bench.status(connection, from: wanted) == .success)
        bench.run(for: .seconds(1))
        #expect(try bench.take(HCILEEnhancedConnectionComplete.self, wanted).map(\.status) == [.success])
    }

    /// Core 5.4, Vol 4 Part E 7.8.38 to 7.8.44, 7.8.77.
    @Test func theResolvingListCannotChangeWhileInUse() throws {
        let id = bench.addModern(.bluetooth5_0)
        let peer = AirBench.address(7)
        let changes: [any HCICommand] = [
            HCILEAddDeviceToResolvingList(peer: AirBench.address(8), peerIRK: Self.key[...], localIRK: Self.noKey[...]),
            HCILERemoveDeviceFromResolvingList(peer: peer), HCILEClearResolvingList(),
            HCILESetPrivacyMode(peer: peer, mode: .device),
        ]
        let enable = HCILESetAddressResolutionEnable(isEnabled: true)
        let add = HCILEAddDeviceToResolvingList(peer: peer, peerIRK: Self.otherKey[...], localIRK: Self.noKey[...])
        #expect(try bench.status(add, from: id) == .success)
        #expect(try bench.status(enable, from: id) == .success)
        try bench.advertise(id)
        for change in changes { #expect(try bench.status(change, from: id) == .commandDisallowed) }
        #expect(try bench.status(enable, from: id) == .commandDisallowed)
        #expect(try bench.status(HCILESetAdvertisingEnable(isEnabled: false), from: id) == .success)
        try bench.scan(id)
        for change in changes { #expect(try bench.status(change, from: id) == .commandDisallowed) }
        #expect(
            try bench.status(HCILESetScanEnable(isEnabled: false, filterDuplicates: false), from: id) == .success)
        #expect(try bench.status(AirBench.connection(to: AirBench.address(9)), from: id) == .success)
        for change in changes { #expect(try bench.status(change, from: id) == .commandDisallowed) }
        #expect(try bench.status(HCILECreateConnectionCancel(), from: id) == .success)
        for change in changes.reversed() {
            let status = try bench.status(change, from: id)
            // The last two have nothing left to remove.
            #expect(status == .success || change is HCILERemoveDeviceFromResolvingList)
        }
    }

    @Test func theResolvingListIsBoundedAndHasEachPeerOnce() throws {
        let id = bench.addModern(.bluetooth5_0)
        let size = try bench.answer(HCILEReadResolvingListSize(), from: id).size
        func add(_ number: Int, key: [UInt8]) throws -> HCIErrorCode {
            try bench.status(
                HCILEAddDeviceToResolvingList(
                    peer: AirBench.address(number), peerIRK: key[...], localIRK: Self.noKey[...]), from: id)
        }
        for number in 0..<Int(size) {
            #expect(try add(number, key: [UInt8(number + 1)] + Self.noKey.dropFirst()) == .success)
        }
        #expect(try add(0, key: Self.key) == .invalidHCICommandParameters)
        #expect(try add(99, key: [1] + Self.noKey.dropFirst()) == .invalidHCICommandParameters)
        #expect(try add(99, key: Self.key) == .memoryCapacityExceeded)
        let absent = AirBench.address(99)
        #expect(
            try bench.status(HCILERemoveDeviceFromResolvingList(peer: absent), from: id)
                == .unknownConnectionIdentifier)
        #expect(
            try bench.status(HCILEReadLocalResolvableAddress(peer: absent), from: id) == .unknownConnectionIdentifier)
        #expect(
            try bench.status(HCILESetPrivacyMode(peer: absent, mode: .device), from: id)
                == .unknownConnectionIdentifier)
        #expect(
            try bench.status(HCILESetResolvablePrivateAddressTimeout(timeout: 0), from: id)
                == .invalidHCICommandParameters)
        #expect(try bench.status(HCIReset(), from: id) == .success)
        #expect(try add(0, key: Self.key) == .success)
    }
}
