import BLECore
import BLEPackets

/// Privacy, PHYs, and extended advertising, scanning and initiating. The commands that Bumble 0.0.236 knows are as it
/// encodes them; the rest, all answers and all events are written out from the tables of Core 5.4, Vol 4 Part E.
enum HCIExtendedVectors {
    static let all = privacy + phys + advertising + scanning + others

    private static let peer = HCIVector.peer
    private static let random = DeviceAddress(0xC000_0000_0001, .random)
    private static let privateAddress = DeviceAddress(0x4012_3456_789A, .random)

    private static let privacy: [HCIVector] = [
        // Encoded by Bumble.
        .command(
            "2720 27 01 0100000000c0 000102030405060708090a0b0c0d0e0f 101112131415161718191a1b1c1d1e1f",
            HCILEAddDeviceToResolvingList(peer: random, peerIRK: ArraySlice(0..<16), localIRK: ArraySlice(16..<32))),
        .command("2920 00", HCILEClearResolvingList()),
        .command("2d20 01 01", HCILESetAddressResolutionEnable(isEnabled: true)),
        .command("2e20 02 8403", HCILESetResolvablePrivateAddressTimeout(timeout: 900)),
        .command("4e20 08 00 01f0f0f0f0f0 01", HCILESetPrivacyMode(peer: peer, mode: .device)),
        // 7.8.39 to 7.8.43.
        .command("2820 07 00 01f0f0f0f0f0", HCILERemoveDeviceFromResolvingList(peer: peer)),
        .command("2a20 00", HCILEReadResolvingListSize()),
        .answer("0e05 01 2a20 00 08", HCILEReadResolvingListSize.self, .init(status: .success, size: 8)),
        .command("2b20 07 00 01f0f0f0f0f0", HCILEReadPeerResolvableAddress(peer: peer)),
        .answer(
            "0e0a 01 2b20 00 9a7856341240", HCILEReadPeerResolvableAddress.self,
            .init(status: .success, address: privateAddress)),
        .command("2c20 07 01 0100000000c0", HCILEReadLocalResolvableAddress(peer: random)),
        .answer(
            "0e0a 01 2c20 02 000000000000", HCILEReadLocalResolvableAddress.self,
            .init(status: .unknownConnectionIdentifier, address: DeviceAddress(0, .random))),
        // Identities in place of private addresses: 7.7.65.2, 7.7.65.10, 7.7.65.11, 7.8.12.
        .event(
            "3e0c 02 01 00 02 01f0f0f0f0f0 00 d0",
            HCILEAdvertisingReport(reports: [
                .init(kind: .connectable, address: peer, isResolved: true, data: [], rssi: -48)
            ])),
        .event(
            "3e1f 0a 00 0100 01 03 0100000000c0 9a7856341240 9a7856341240 0a00 0000 0a00 07",
            HCILEEnhancedConnectionComplete(
                status: .success, handle: 1, role: .peripheral, peerAddress: random, isPeerResolved: true,
                localResolvablePrivateAddress: privateAddress, peerResolvablePrivateAddress: privateAddress,
                interval: 10, latency: 0, supervisionTimeout: 10, centralClockAccuracy: 7)),
        .event(
            "3e12 0b 01 01 02 01f0f0f0f0f0 01 9a7856341240 d0",
            HCILEDirectedAdvertisingReport(reports: [
                .init(address: peer, isResolved: true, target: privateAddress, rssi: -48)
            ])),
        .command(
            "0d20 19 6000 3000 00 02 01f0f0f0f0f0 02 1800 2800 0100 2a00 0200 0300",
            HCILECreateConnection(
                scanInterval: 0x60, scanWindow: 0x30, usesFilterAcceptList: false, peerAddress: peer,
                isPeerIdentity: true, ownAddressType: .resolvableOrPublic, parameters: parameters(0))),
    ]

    private static func parameters(_ offset: UInt16) -> HCIConnectionParameters {
        HCIConnectionParameters(
            minimumInterval: 0x18 + offset, maximumInterval: 0x28 + offset, latency: 1 + offset,
            supervisionTimeout: 42 + offset, minimumEventLength: 2 + offset, maximumEventLength: 3 + offset)
    }

    private static let phys: [HCIVector] = [
        // Encoded by Bumble.
        .command("3020 02 2301", HCILEReadPHY(handle: 0x123)),
        .command(
            "3120 03 01 03 07",
            HCILESetDefaultPHY(allPHYs: 1, txPHYs: [.le1M, .le2M], rxPHYs: [.le1M, .le2M, .leCoded])),
        .command(
            "3220 07 2301 02 01 02 0200",
            HCILESetPHY(handle: 0x123, allPHYs: 2, txPHYs: .le1M, rxPHYs: .le2M, options: 2)),
        // 7.8.47, 7.7.65.12, 7.8.46.
        .answer(
            "0e08 01 3020 00 2301 02 03", HCILEReadPHY.self,
            .init(status: .success, handle: 0x123, txPHY: .le2M, rxPHY: .leCoded)),
        .event(
            "3e06 0c 00 2301 02 01",
            HCILEPHYUpdateComplete(status: .success, handle: 0x123, txPHY: .le2M, rxPHY: .le1M)),
        .command("2f20 00", HCILEReadMaximumDataLength()),
        .answer(
            "0e0c 01 2f20 00 fb00 4808 1b00 4801", HCILEReadMaximumDataLength.self,
            .init(
                status: .success, maximumTxOctets: 251, maximumTxTime: 2120, maximumRxOctets: 27,
                maximumRxTime: 328)),
    ]

    private static let advertising: [HCIVector] = [
        // Encoded by Bumble.
        .command(
            "3520 07 03 0100000000c0",
            HCILESetAdvertisingSetRandomAddress(advertisingHandle: 3, address: random)),
        .command(
            "3620 19 03 4100 030201 060504 05 03 01 0100000000c0 02 07 01 04 02 09 01",
            HCILESetExtendedAdvertisingParameters(
                advertisingHandle: 3, properties: [.connectable, .includesTxPower], minimumInterval: 0x10203,
                maximumInterval: 0x40506, channelMap: 5, ownAddressType: .resolvableOrRandom, peerAddress: random,
                filterPolicy: 2, txPower: 7, primaryPHY: .le1M, secondaryMaximumSkip: 4, secondaryPHY: .le2M, sid: 9,
                notifiesScanRequests: true)),
        .command(
            "3720 07 03 01 01 03 010203",
            HCILESetExtendedAdvertisingData(
                advertisingHandle: 3, operation: .first, fragmentPreference: 1, data: [1, 2, 3])),
        .command(
            "3820 07 03 03 00 03 010203",
            HCILESetExtendedScanResponseData(
                advertisingHandle: 3, operation: .complete, fragmentPreference: 0, data: [1, 2, 3])),
        .command(
            "3920 0a 01 02 01 0201 05 02 0403 06",
            HCILESetExtendedAdvertisingEnable(
                isEnabled: true,
                sets: [
                    .init(advertisingHandle: 1, duration: 0x102, maximumEvents: 5),
                    .init(advertisingHandle: 2, duration: 0x304, maximumEvents: 6),
                ])),
        .command("3a20 00", HCILEReadMaximumAdvertisingDataLength()),
        .command("3b20 00", HCILEReadNumberOfSupportedAdvertisingSets()),
        .command("3c20 01 03", HCILERemoveAdvertisingSet(advertisingHandle: 3)),
        .command("3d20 00", HCILEClearAdvertisingSets()),
        // 7.8.53, 7.8.57, 7.8.58, 7.7.65.18, 7.7.65.19.
        .answer(
            "0e05 01 3620 00 f9", HCILESetExtendedAdvertisingParameters.self,
            .init(status: .success, selectedTxPower: -7)),
        .answer(
            "0e06 01 3a20 00 7206", HCILEReadMaximumAdvertisingDataLength.self,
            .init(status: .success, length: 1650)),
        .answer(
            "0e05 01 3b20 00 04", HCILEReadNumberOfSupportedAdvertisingSets.self, .init(status: .success, count: 4)),
        .event(
            "3e06 12 43 03 2301 05",
            HCILEAdvertisingSetTerminated(
                status: .limitReached, advertisingHandle: 3, handle: 0x123, completedEventCount: 5)),
        .event(
            "3e09 13 03 02 01f0f0f0f0f0",
            HCILEScanRequestReceived(advertisingHandle: 3, scanner: peer, isResolved: true)),
    ]

    private static let scanning: [HCIVector] = [
        // Encoded by Bumble.
        .command(
            "4120 0d 01 02 05 01 0201 5600 00 0403 7800",
            HCILESetExtendedScanParameters(
                ownAddressType: .random, filterPolicy: 2, phys: [.le1M, .leCoded],
                scans: [
                    .init(isActive: true, interval: 0x102, window: 0x56),
                    .init(isActive: false, interval: 0x304, window: 0x78),
                ])),
        .command(
            "4220 06 01 02 0201 0403",
            HCILESetExtendedScanEnable(isEnabled: true, filterDuplicates: 2, duration: 0x102, period: 0x304)),
        .command(
            "4320 2a 00 02 01 0100000000c0 03 6000 3000 1800 2800 0100 2a00 0200 0300"
                + "6100 3100 1900 2900 0200 2b00 0300 0400",
            HCILEExtendedCreateConnection(
                usesFilterAcceptList: false, ownAddressType: .resolvableOrPublic, peerAddress: random,
                phys: [.le1M, .le2M],
                initiations: [
                    .init(scanInterval: 0x60, scanWindow: 0x30, parameters: parameters(0)),
                    .init(scanInterval: 0x61, scanWindow: 0x31, parameters: parameters(1)),
                ])),
        // 7.7.65.13, 7.7.65.17, 7.7.65.20.
        .event(
            "3e36 0d 02"
                + "1300 00 01f0f0f0f0f0 01 00 ff 7f d0 0000 00 000000000000 03 020106"
                + "2500 ff 000000000000 01 02 09 f9 d0 0601 fe 9a7856341240 01 aa",
            HCILEExtendedAdvertisingReport(reports: [
                .init(
                    kind: [.connectable, .scannable, .legacy], address: peer, rssi: -48, data: [0x02, 0x01, 0x06]),
                .init(
                    kind: [.connectable, .directed, .incomplete], address: nil, secondaryPHY: .le2M, sid: 9,
                    txPower: -7, rssi: -48, periodicInterval: 0x106,
                    target: .init(
                        type: HCILEExtendedAdvertisingReport.Target.unresolved, address: privateAddress),
                    data: [0xAA]),
            ])),
        .event("3e01 11", HCILEScanTimeout()),
        .event("3e04 14 2301 01", HCILEChannelSelectionAlgorithm(handle: 0x123, algorithm: 1)),
    ]

    private static let others: [HCIVector] = [
        // 7.8.74 to 7.8.76, 7.3.93, 7.3.94, 7.4.4.
        .command("4b20 00", HCILEReadTransmitPower()),
        .answer(
            "0e06 01 4b20 00 f4 09", HCILEReadTransmitPower.self, .init(status: .success, minimum: -12, maximum: 9)),
        .command("4c20 00", HCILEReadRFPathCompensation()),
        .answer(
            "0e08 01 4c20 00 00fb 0005", HCILEReadRFPathCompensation.self,
            .init(status: .success, tx: -1280, rx: 1280)),
        .command("4d20 04 00fb 0005", HCILEWriteRFPathCompensation(tx: -1280, rx: 1280)),
        .command("7b0c 02 2301", HCIReadAuthenticatedPayloadTimeout(handle: 0x123)),
        .answer(
            "0e08 01 7b0c 00 2301 b80b", HCIReadAuthenticatedPayloadTimeout.self,
            .init(status: .success, handle: 0x123, timeout: 3000)),
        .command("7c0c 04 2301 b80b", HCIWriteAuthenticatedPayloadTimeout(handle: 0x123, timeout: 3000)),
        .command("0410 01 01", HCIReadLocalExtendedFeatures(page: 1)),
        .answer(
            "0e0e 01 0410 00 01 02 0200000000000000", HCIReadLocalExtendedFeatures.self,
            .init(status: .success, page: 1, maximumPage: 2, features: 2)),
    ]
}
