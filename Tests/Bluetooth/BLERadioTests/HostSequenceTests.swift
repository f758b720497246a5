import BLECore
import BLEPackets
import BLERadio
import Testing

/// The commands of other hosts when they start, scan and connect, on each kind of controller: every one must succeed. A
/// host omits commands that the controller does not support.
@Suite struct HostSequenceTests {
    let bench = AirBench()

    /// A controller from its host's view.
    private struct Host {
        let bench: AirBench
        let id: ControllerID
        let commands: [UInt8]
        let features: UInt64
        let version: UInt8

        init(_ bench: AirBench, _ personality: ControllerPersonality) throws {
            self.bench = bench
            id = bench.add(personality)
            commands = Array(try bench.answer(HCIReadLocalSupportedCommands(), from: id).commands)
            features = try bench.answer(HCILEReadLocalSupportedFeatures(), from: id).features
            version = try bench.answer(HCIReadLocalVersionInformation(), from: id).hciVersion
        }

        func knows(_ octet: Int, _ mask: UInt8) -> Bool { commands[octet] & mask != 0 }
        func has(_ bit: UInt64) -> Bool { features & 1 << bit != 0 }

        func send(_ list: (any HCICommand)?...) throws {
            for case let command? in list {
                #expect(try bench.status(command, from: id) == .success, "\(type(of: command).name)")
            }
        }
    }

    // MARK: Linux 6.1 and BlueZ 5.66

    private func startLinux(_ personality: ControllerPersonality) throws -> Host {
        let host = try Host(bench, personality)
        try host.send(
            HCIReset(), HCIReadLocalSupportedFeatures(), HCIReadLocalVersionInformation(), HCIReadBDADDR(),
            HCIReadLocalSupportedCommands())
        // The features indicate further pages.
        let maximum = try bench.answer(HCIReadLocalExtendedFeatures(page: 1), from: host.id).maximumPage
        for page in 1...max(1, maximum) { try host.send(HCIReadLocalExtendedFeatures(page: page)) }
        try host.send(
            HCILEReadBufferSize(), HCILEReadLocalSupportedFeatures(), HCILEReadSupportedStates(),
            HCISetEventMask(mask: 0x2000_8004_0204_E890), HCILESetEventMask(mask: linuxMask(host)))
        let isExtended = host.has(12)
        try host.send(
            host.knows(25, 0x40) && !isExtended ? HCILEReadAdvertisingPhysicalChannelTxPower() : nil,
            host.knows(38, 0x80) ? HCILEReadTransmitPower() : nil,
            host.knows(26, 0x40) ? HCILEReadFilterAcceptListSize() : nil,
            host.knows(26, 0x80) ? HCILEClearFilterAcceptList() : nil,
            host.knows(34, 0x40) ? HCILEReadResolvingListSize() : nil,
            host.knows(34, 0x20) ? HCILEClearResolvingList() : nil,
            host.knows(35, 0x04) ? HCILESetResolvablePrivateAddressTimeout(timeout: 900) : nil,
            host.has(5) ? HCILEReadMaximumDataLength() : nil,
            host.has(5) ? HCILEReadSuggestedDefaultDataLength() : nil,
            isExtended ? HCILEReadNumberOfSupportedAdvertisingSets() : nil,
            host.knows(22, 0x04) ? HCISetEventMaskPage2(mask: 0x80_0000) : nil,
            host.has(5) ? HCILEWriteSuggestedDefaultDataLength(txOctets: 251, txTime: 2120) : nil,
            host.knows(35, 0x20) ? HCILESetDefaultPHY(allPHYs: 3, txPHYs: .le1M, rxPHYs: .le1M) : nil)
        return host
    }

    private func linuxMask(_ host: Host) -> UInt64 {
        var mask: UInt64 = 0
        if host.has(0) { mask |= 1 << 4 }
        if host.has(1) { mask |= 1 << 5 }
        if host.has(5) { mask |= 1 << 6 }
        if host.has(6) || host.has(12) { mask |= 1 << 9 }
        if host.has(12) { mask |= 1 << 12 | 1 << 17 }
        if host.knows(26, 0x08) { mask |= 1 << 1 }
        if host.knows(26, 0x10) { mask |= 1 << 0 }
        if host.knows(27, 0x04) { mask |= 1 << 2 }
        if host.knows(27, 0x20) { mask |= 1 << 3 }
        if host.knows(35, 0x60) { mask |= 1 << 11 }
        return mask
    }

    private func scan(_ host: Host, own: HCIOwnAddressType, active: Bool, policy: UInt8, units: UInt16) throws {
        if host.knows(37, 0x20), host.knows(37, 0x40) {
            try host.send(
                HCILESetExtendedScanParameters(
                    ownAddressType: own, filterPolicy: policy, phys: .le1M,
                    scans: [.init(isActive: active, interval: units, window: units)]),
                HCILESetExtendedScanEnable(isEnabled: true, filterDuplicates: 1))
        } else {
            try host.send(
                HCILESetScanParameters(
                    isActive: active, interval: units, window: units, ownAddressType: own, filterPolicy: policy),
                HCILESetScanEnable(isEnabled: true, filterDuplicates: true))
        }
    }

    private func stopScanning(_ host: Host) throws {
        if host.knows(37, 0x20), host.knows(37, 0x40) {
            try host.send(HCILESetExtendedScanEnable(isEnabled: false, filterDuplicates: 0))
        } else {
            try host.send(HCILESetScanEnable(isEnabled: false, filterDuplicates: false))
        }
    }

    private func create(_ host: Host, _ peer: DeviceAddress) throws {
        let parameters = HCIConnectionParameters(
            minimumInterval: 24, maximumInterval: 40, latency: 0, supervisionTimeout: 42)
        if host.knows(37, 0x80) {
            try host.send(
                HCILEExtendedCreateConnection(
                    usesFilterAcceptList: false, ownAddressType: .public, peerAddress: peer, phys: .le1M,
                    initiations: [.init(scanInterval: 0x60, scanWindow: 0x60, parameters: parameters)]))
        } else {
            try host.send(
                HCILECreateConnection(
                    scanInterval: 0x60, scanWindow: 0x60, usesFilterAcceptList: false, peerAddress: peer,
                    ownAddressType: .public, parameters: parameters))
        }
    }

    private func heard(_ host: Host) throws -> Int {
        let packets = bench.take(host.id)
        let codes = try packets.map { try HCIAnyEvent(decoding: $0.bytes[...]).subevent }
        return codes.count { $0 == .advertisingReport || $0 == .extendedAdvertisingReport }
    }

    @Test(arguments: SupportedCommandsTests.personalities) func linuxStartsScansAndConnects(
        personality: ControllerPersonality
    ) throws {
        let host = try startLinux(personality)
        let board = bench.add()
        try bench.advertise(board)
        let peer = AirBench.address(board.rawValue)
        // A private address for scanning, 11.25 ms.
        try host.send(HCILESetRandomAddress(address: DeviceAddress(0x1234_5678_9ABC, .random)))
        try scan(host, own: .random, active: true, policy: 0, units: 18)
        bench.run(for: .seconds(1))
        #expect(try heard(host) == 2)
        try stopScanning(host)
        // It connects when the peer advertises again, with another address.
        try host.send(HCILEAddDeviceToFilterAcceptList(address: peer))
        try scan(host, own: .public, active: false, policy: 1, units: 96)
        bench.run(for: .seconds(1))
        #expect(try heard(host) == 1)
        try stopScanning(host)
        try create(host, peer)
        bench.run(for: .milliseconds(500))
        // With features of privacy or extended advertising it waits for the enhanced event only.
        let complete = try #require(try bench.take(HCILEEnhancedConnectionComplete.self, host.id).first)
        #expect(complete.status == .success && complete.peerAddress == peer)
        try host.send(HCILEReadRemoteFeatures(handle: 0))
        bench.run(for: .milliseconds(500))
        #expect(try bench.take(HCILEReadRemoteFeaturesComplete.self, host.id).map(\.status) == [.success])
        let key = ArraySlice<UInt8>(repeating: 7, count: 16)
        try host.send(
            HCILEEnableEncryption(handle: 0, randomNumber: 0, encryptedDiversifier: 0, longTermKey: key))
        bench.run(for: .milliseconds(200))
        #expect(
            try bench.status(HCILELongTermKeyRequestReply(handle: 0, longTermKey: key), from: board) == .success)
        bench.run(for: .milliseconds(200))
        #expect(try bench.take(HCIEncryptionChange.self, host.id).map(\.encryptionEnabled) == [1])
        // With LE Ping it sets the time-out of encrypted links.
        if host.has(4) { try host.send(HCIWriteAuthenticatedPayloadTimeout(handle: 0, timeout: 0xBB8)) }
        try host.send(HCIDisconnect(handle: 0, reason: .remoteUserTerminatedConnection))
        bench.run(for: .milliseconds(500))
        #expect(try bench.take(HCIDisconnectionComplete.self, host.id).count == 1)
    }

    /// A cancelled connection is answered, and reported as failed.
    @Test(arguments: SupportedCommandsTests.personalities) func linuxCancelsAConnectionAttempt(
        personality: ControllerPersonality
    ) throws {
        let host = try startLinux(personality)
        try create(host, AirBench.address(9))
        bench.run(for: .seconds(4))
        _ = bench.take(host.id)
        bench.send(HCILECreateConnectionCancel(), from: host.id)
        let packets = bench.take(host.id)
        #expect(packets.first?.bytes == [0x0E, 4, 1, 0x0E, 0x20, 0])
        #expect(packets.dropFirst().map { Array($0.bytes[2...3]) } == [[0x0A, 0x02]])
    }

    @Test(arguments: SupportedCommandsTests.personalities) func linuxAdvertises(
        personality: ControllerPersonality
    ) throws {
        let host = try startLinux(personality)
        if host.has(12) {
            // bluetoothd advertises by legacy packets in set 1, unless told otherwise.
            try host.send(
                ExtendedAdvertisingTests.parameters([.legacy, .connectable, .scannable], handle: 1, interval: 0x800),
                ExtendedAdvertisingTests.data([2, 1, 6], handle: 1)[0],
                HCILESetExtendedScanResponseData(
                    advertisingHandle: 1, operation: .complete, fragmentPreference: 1, data: [2, 9, 0x41]),
                ExtendedAdvertisingTests.enable(1), HCILESetExtendedAdvertisingEnable(isEnabled: false, sets: []),
                HCILERemoveAdvertisingSet(advertisingHandle: 1))
        } else {
            try host.send(
                AirBench.advertisingParameters(interval: 0x800), HCILESetAdvertisingData(data: [2, 1, 6]),
                HCILESetScanResponseData(data: []), HCILESetAdvertisingEnable(isEnabled: true),
                HCILESetAdvertisingEnable(isEnabled: false))
        }
    }

    // MARK: NimBLE-Arduino 2.5.1

    @Test(arguments: SupportedCommandsTests.personalities, [true, false]) func nimBLEStartsAndIsConnectedTo(
        personality: ControllerPersonality, hasHostPrivacy: Bool
    ) throws {
        let host = try Host(bench, personality)
        try host.send(
            HCIReset(), HCIReadLocalVersionInformation(), HCIReadLocalSupportedCommands(),
            HCIReadLocalSupportedFeatures())
        // It gives up where BR/EDR is supported or LE is not.
        let features = try bench.answer(HCIReadLocalSupportedFeatures(), from: host.id).features
        #expect(features >> 32 & 0x60 == 0x60)
        var mask: UInt64 = 0x1F
        if host.version >= 7 { mask |= 0x20 }
        if host.version >= 8 { mask |= 0x640 }
        if host.version >= 9 { mask |= 0xFF800 }
        try host.send(
            HCISetEventMask(mask: 0x2000_8000_0200_8890),
            host.knows(22, 0x04) ? HCISetEventMaskPage2(mask: 0x80_0000) : nil, HCILESetEventMask(mask: mask),
            HCILEReadBufferSize(), HCILEReadLocalSupportedFeatures(), HCIReadBDADDR(), HCILERand(), HCILERand())
        if hasHostPrivacy {
            try host.send(
                HCISetControllerToHostFlowControl(enable: 1),
                HCIHostBufferSize(
                    aclDataLength: 255, synchronousDataLength: 0, aclPacketCount: 12, synchronousPacketCount: 0))
        } else {
            // Its own IRK is added with the peer address 0, so that it is used for all peers.
            let nobody = DeviceAddress(0, .public)
            try host.send(
                HCILESetAddressResolutionEnable(isEnabled: false), HCILEClearResolvingList(),
                HCILESetAddressResolutionEnable(isEnabled: true),
                HCILEAddDeviceToResolvingList(
                    peer: nobody, peerIRK: PrivacyTests.noKey[...], localIRK: PrivacyTests.key[...]),
                host.knows(39, 0x04) ? HCILESetPrivacyMode(peer: nobody, mode: .device) : nil)
        }
        let own: HCIOwnAddressType = hasHostPrivacy ? .public : .resolvableOrPublic
        try host.send(
            HCILERand(), HCILESetRandomAddress(address: DeviceAddress(0xF4FE_8F24_C23C, .random)),
            HCILESetAdvertisingData(data: [2, 1, 6]), HCILESetScanResponseData(data: []),
            AirBench.advertisingParameters(ownAddressType: own, peer: DeviceAddress(0, .public)),
            HCILESetAdvertisingEnable(isEnabled: true))
        try isConnectedTo(host, isPrivate: !hasHostPrivacy)
    }

    private func isConnectedTo(_ host: Host, isPrivate: Bool) throws {
        let phone = bench.addModern(.bluetooth5_0)
        try bench.scan(phone)
        bench.run(for: .seconds(1))
        let peer = try #require(try bench.take(HCILEAdvertisingReport.self, phone).first?.reports.first).address
        #expect((peer.value >> 46 == 1) == isPrivate)
        #expect(try bench.status(AirBench.connection(to: peer), from: phone) == .success)
        _ = bench.take(host.id)
        bench.run(for: .seconds(1))
        let complete = try #require(try bench.take(HCILEEnhancedConnectionComplete.self, host.id).first)
        #expect(complete.localResolvablePrivateAddress == (isPrivate ? peer : DeviceAddress(0, .random)))
        try host.send(HCIReadRemoteVersionInformation(handle: 0))
        bench.run(for: .milliseconds(200))
        #expect(try bench.take(HCIReadRemoteVersionInformationComplete.self, host.id).map(\.status) == [.success])
        try host.send(HCILEReadRemoteFeatures(handle: 0))
        bench.run(for: .milliseconds(200))
        #expect(try bench.take(HCILEReadRemoteFeaturesComplete.self, host.id).map(\.status) == [.success])
        try host.send(
            HCILESetDataLength(handle: 0, txOctets: 251, txTime: 2120), HCIReadRSSI(handle: 0),
            host.knows(35, 0x10) ? HCILEReadPHY(handle: 0) : nil,
            host.knows(35, 0x40)
                ? HCILESetPHY(handle: 0, allPHYs: 0, txPHYs: .le2M, rxPHYs: .le2M, options: 0) : nil,
            HCILEConnectionUpdate(
                handle: 0,
                parameters: HCIConnectionParameters(
                    minimumInterval: 12, maximumInterval: 12, latency: 0, supervisionTimeout: 100)),
            HCIDisconnect(handle: 0, reason: .remoteUserTerminatedConnection))
        bench.run(for: .seconds(1))
        #expect(try bench.take(HCIDisconnectionComplete.self, host.id).count == 1)
    }
}
