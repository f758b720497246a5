import BLECore
import BLEPackets
import ByteCodec
import Testing

/// One packet in bytes and as a value.
///
/// "Recorded" vectors were exchanged by NimBLE 2.5.1 and a Bumble controller (`Tests/Bluetooth/Traces/nimble-hci-init.jsonl`);
/// the others are written out from the parameter tables of Core 5.4, Vol 4 Part E.
struct HCIVector: CustomTestStringConvertible, Sendable {
    enum Value: Sendable {
        case command(any HCICommand)
        case event(any HCIEvent)
        case answer(any HCICommand.Type, any HCIReturnParameters)
    }

    var bytes: [UInt8]
    var value: Value

    var testDescription: String { "\(name) \(Hexadecimal.string(bytes))" }

    var name: String {
        switch value {
        case .command(let command): "\(type(of: command).name)"
        case .event(let event): "\(type(of: event).name)"
        case .answer(let command, _): "answer to \(command.name)"
        }
    }

    static func command(_ hexadecimal: String, _ command: any HCICommand) -> HCIVector {
        HCIVector(bytes: Hexadecimal.bytes(hexadecimal) ?? [], value: .command(command))
    }

    static func event(_ hexadecimal: String, _ event: any HCIEvent) -> HCIVector {
        HCIVector(bytes: Hexadecimal.bytes(hexadecimal) ?? [], value: .event(event))
    }

    static func answer<Command: HCICommand>(
        _ hexadecimal: String, _ command: Command.Type, _ parameters: Command.ReturnParameters
    ) -> HCIVector {
        HCIVector(bytes: Hexadecimal.bytes(hexadecimal) ?? [], value: .answer(command, parameters))
    }

    static let all = commands + leCommands + answers + events + HCIEncryptionVectors.all + HCIExtendedVectors.all

    static let peer = DeviceAddress(0xF0F0_F0F0_F001, .public)

    static let commands: [HCIVector] = [
        .command("0604 03 0100 13", HCIDisconnect(handle: 1, reason: .remoteUserTerminatedConnection)),
        // Recorded.
        .command("1d04 02 0100", HCIReadRemoteVersionInformation(handle: 1)),
        .command("010c 08 9088000200800020", HCISetEventMask(mask: 0x2000_8000_0200_8890)),
        .command("030c 00", HCIReset()),
        .command("310c 01 01", HCISetControllerToHostFlowControl(enable: 1)),
        .command(
            "330c 07 ff00 00 0c00 0000",
            HCIHostBufferSize(
                aclDataLength: 255, synchronousDataLength: 0, aclPacketCount: 12, synchronousPacketCount: 0)),
        .command(
            "350c 05 01 0100 0100",
            HCIHostNumberOfCompletedPackets(connections: [HCICompletedPackets(handle: 1, count: 1)])),
        .command("630c 08 0000800000000000", HCISetEventMaskPage2(mask: 0x80_0000)),
        .command("0110 00", HCIReadLocalVersionInformation()),
        .command("0210 00", HCIReadLocalSupportedCommands()),
        .command("0310 00", HCIReadLocalSupportedFeatures()),
        .command("0910 00", HCIReadBDADDR()),
        // 7.4.5, 7.5.4.
        .command("0510 00", HCIReadBufferSize()),
        .command("0514 02 ff0e", HCIReadRSSI(handle: 0xEFF)),
    ]

    static let leCommands: [HCIVector] = [
        // Recorded.
        .command("0120 08 7f06000000000000", HCILESetEventMask(mask: 0x67F)),
        .command("0220 00", HCILEReadBufferSize()),
        .command("0320 00", HCILEReadLocalSupportedFeatures()),
        .command(
            "0520 06 3cc2248ffef4", HCILESetRandomAddress(address: DeviceAddress(0xF4FE_8F24_C23C, .random))),
        .command(
            "0620 0f 3000 6000 00 00 00 000000000000 07 00",
            HCILESetAdvertisingParameters(
                minimumInterval: 0x30, maximumInterval: 0x60, type: .connectable, ownAddressType: .public,
                peerAddress: DeviceAddress(0, .public), channelMap: 7, filterPolicy: 0)),
        .command("0a20 01 01", HCILESetAdvertisingEnable(isEnabled: true)),
        .command("1620 02 0100", HCILEReadRemoteFeatures(handle: 1)),
        .command("1820 00", HCILERand()),
        .command("2220 06 0100 fb00 4808", HCILESetDataLength(handle: 1, txOctets: 251, txTime: 2120)),
        // 7.8.6 to 7.8.35.
        .command("0720 00", HCILEReadAdvertisingPhysicalChannelTxPower()),
        .command(
            "0820 20 03 020106" + String(repeating: "00", count: 28),
            HCILESetAdvertisingData(data: [0x02, 0x01, 0x06])),
        .command(
            "0920 20 1f" + String(repeating: "aa", count: 31),
            HCILESetScanResponseData(data: ArraySlice(repeatElement(0xAA, count: 31)))),
        .command(
            "0b20 07 01 1000 0800 01 01",
            HCILESetScanParameters(
                isActive: true, interval: 0x10, window: 0x08, ownAddressType: .random, filterPolicy: 1)),
        .command("0c20 02 01 00", HCILESetScanEnable(isEnabled: true, filterDuplicates: false)),
        .command(
            "0d20 19 6000 3000 00 00 01f0f0f0f0f0 01 1800 2800 0100 2a00 0200 0300",
            HCILECreateConnection(
                scanInterval: 0x60, scanWindow: 0x30, usesFilterAcceptList: false, peerAddress: peer,
                ownAddressType: .random,
                parameters: HCIConnectionParameters(
                    minimumInterval: 0x18, maximumInterval: 0x28, latency: 1, supervisionTimeout: 42,
                    minimumEventLength: 2, maximumEventLength: 3))),
        .command("0e20 00", HCILECreateConnectionCancel()),
        .command("0f20 00", HCILEReadFilterAcceptListSize()),
        .command("1020 00", HCILEClearFilterAcceptList()),
        .command("1120 07 00 01f0f0f0f0f0", HCILEAddDeviceToFilterAcceptList(address: peer)),
        .command(
            "1220 07 01 0100000000c0",
            HCILERemoveDeviceFromFilterAcceptList(address: DeviceAddress(0xC000_0000_0001, .random))),
        .command(
            "1320 0e 0200 0600 0c80 f301 800c 0000 0000",
            HCILEConnectionUpdate(
                handle: 2,
                parameters: HCIConnectionParameters(
                    minimumInterval: 6, maximumInterval: 0x800C, latency: 0x1F3, supervisionTimeout: 0xC80))),
        .command("1c20 00", HCILEReadSupportedStates()),
        .command(
            "2020 0e 0200 0600 0c00 0000 0a00 0100 0200",
            HCILERemoteConnectionParameterRequestReply(
                handle: 2,
                parameters: HCIConnectionParameters(
                    minimumInterval: 6, maximumInterval: 12, latency: 0, supervisionTimeout: 10,
                    minimumEventLength: 1, maximumEventLength: 2))),
        .command(
            "2120 03 0200 3b",
            HCILERemoteConnectionParameterRequestNegativeReply(
                handle: 2, reason: .unacceptableConnectionParameters)),
        .command("2320 00", HCILEReadSuggestedDefaultDataLength()),
        // 7.8.19, 7.8.20, 7.8.28 to 7.8.30.
        .command(
            "1420 05 5544332211",
            HCILESetHostChannelClassification(channelMap: HCIChannelMap(rawValue: 0x11_2233_4455))),
        .command("1520 02 ff0e", HCILEReadChannelMap(handle: 0xEFF)),
        .command("1d20 01 27", HCILEReceiverTest(channel: 0x27)),
        .command("1e20 03 02 25 07", HCILETransmitterTest(channel: 2, length: 0x25, payload: 7)),
        .command("1f20 00", HCILETestEnd()),
        .command("3320 03 10 02 01", HCILEReceiverTestV2(channel: 0x10, phy: .le2M, modulationIndex: 1)),
        .command(
            "3420 04 10 ff 03 04", HCILETransmitterTestV2(channel: 0x10, length: 0xFF, payload: 3, phy: 4)),
        .command("2420 04 fb00 4808", HCILEWriteSuggestedDefaultDataLength(txOctets: 251, txTime: 2120)),
    ]

    static let recordedCommands: [UInt8] =
        Hexadecimal.bytes(
            "2000800300c000000000e4000000a822000000000000040000f7ffff7f00000030f0f9ff0100800400"
                + "2000000000000000000000000000000000000000000000") ?? []

    static let answers: [HCIVector] = [
        // Recorded.
        .answer("0e04 01 030c 00", HCIReset.self, HCIStatusParameters(status: .success)),
        .answer(
            "0e0c 01 0110 00 08 0e03 08 6000 0e03", HCIReadLocalVersionInformation.self,
            .init(
                status: .success, hciVersion: 8, hciSubversion: 0x30E, lmpVersion: 8, companyIdentifier: 0x60,
                lmpSubversion: 0x30E)),
        .answer(
            "0e44 01 0210 00" + Hexadecimal.string(recordedCommands), HCIReadLocalSupportedCommands.self,
            .init(status: .success, commands: recordedCommands[...])),
        .answer(
            "0e0c 01 0310 00 0000000060000080", HCIReadLocalSupportedFeatures.self,
            .init(status: .success, features: 0x8000_0060_0000_0000)),
        .answer(
            "0e07 01 0220 00 fb00 0c", HCILEReadBufferSize.self,
            .init(status: .success, aclDataLength: 251, aclPacketCount: 12)),
        .answer(
            "0e0c 01 0320 00 ff00000000000000", HCILEReadLocalSupportedFeatures.self,
            .init(status: .success, features: 0xFF)),
        .answer(
            "0e0a 01 0910 00 02f0f0f0f0f0", HCIReadBDADDR.self,
            .init(status: .success, address: DeviceAddress(0xF0F0_F0F0_F002, .public))),
        .answer(
            "0e0c 01 1820 00 f14ca65a2a058f28", HCILERand.self,
            .init(status: .success, random: 0x288F_052A_5AA6_4CF1)),
        .answer("0e06 01 2220 00 0100", HCILESetDataLength.self, .init(status: .success, handle: 1)),
        // From the tables.
        .answer(
            "0e0b 01 0510 00 fb00 40 0c00 0100", HCIReadBufferSize.self,
            .init(
                status: .success, aclDataLength: 251, synchronousDataLength: 64, aclPacketCount: 12,
                synchronousPacketCount: 1)),
        .answer("0e07 01 0514 00 0100 d6", HCIReadRSSI.self, .init(status: .success, handle: 1, rssi: -42)),
        .answer(
            "0e05 01 0720 00 f4", HCILEReadAdvertisingPhysicalChannelTxPower.self,
            .init(status: .success, txPower: -12)),
        .answer("0e05 01 0f20 00 0c", HCILEReadFilterAcceptListSize.self, .init(status: .success, size: 12)),
        .answer(
            "0e0c 01 1c20 00 ffffffffff030000", HCILEReadSupportedStates.self,
            .init(status: .success, states: 0x3FF_FFFF_FFFF)),
        .answer(
            "0e06 01 2120 02 0300", HCILERemoteConnectionParameterRequestNegativeReply.self,
            .init(status: .unknownConnectionIdentifier, handle: 3)),
        .answer(
            "0e0b 01 1520 00 0100 5544332211", HCILEReadChannelMap.self,
            .init(status: .success, handle: 1, channelMap: HCIChannelMap(rawValue: 0x11_2233_4455))),
        .answer("0e06 01 1f20 00 3412", HCILETestEnd.self, .init(status: .success, packetCount: 0x1234)),
        .answer(
            "0e08 01 2320 00 1b00 4801", HCILEReadSuggestedDefaultDataLength.self,
            .init(status: .success, txOctets: 27, txTime: 328)),
    ]

    static let events: [HCIVector] = [
        // Recorded.
        .event(
            "0504 00 0100 13",
            HCIDisconnectionComplete(status: .success, handle: 1, reason: .remoteUserTerminatedConnection)),
        .event(
            "0c08 00 0100 0b 4c00 0000",
            HCIReadRemoteVersionInformationComplete(
                status: .success, handle: 1, version: 11, companyIdentifier: 0x4C, subversion: 0)),
        .event(
            "0e04 01 0c20 00", HCICommandComplete(commandPacketCount: 1, command: .leSetScanEnable, parameters: [0])),
        .event(
            "0f04 00 01 1620", HCICommandStatus(status: .success, commandPacketCount: 1, command: .leReadRemoteFeatures)
        ),
        .event(
            "1305 01 0100 0100",
            HCINumberOfCompletedPackets(connections: [HCICompletedPackets(handle: 1, count: 1)])),
        .event(
            "3e13 01 00 0100 01 00 01f0f0f0f0f0 0a00 0000 0a00 07",
            HCILEConnectionComplete(
                status: .success, handle: 1, role: .peripheral, peerAddress: peer, interval: 10, latency: 0,
                supervisionTimeout: 10, centralClockAccuracy: 7)),
        .event(
            "3e0c 04 00 0100 ff79010000000000",
            HCILEReadRemoteFeaturesComplete(status: .success, handle: 1, features: 0x179FF)),
        .event(
            "3e0b 07 0100 fb00 4808 fb00 4808",
            HCILEDataLengthChange(
                handle: 1, maximumTxOctets: 251, maximumTxTime: 2120, maximumRxOctets: 251, maximumRxTime: 2120)),
        // 7.7.19, 7.7.26, 7.7.65.
        .event(
            "1309 02 0100 0300 4000 0001",
            HCINumberOfCompletedPackets(connections: [
                HCICompletedPackets(handle: 1, count: 3), HCICompletedPackets(handle: 0x40, count: 256),
            ])),
        .event("1a01 01", HCIDataBufferOverflow(linkType: 1)),
        .event(
            "3e19 02 02 00 00 01f0f0f0f0f0 03 020106 d0 04 01 0100000000c0 00 7f",
            HCILEAdvertisingReport(reports: [
                .init(kind: .connectable, address: peer, data: [0x02, 0x01, 0x06], rssi: -48),
                .init(kind: .scanResponse, address: DeviceAddress(0xC000_0000_0001, .random), data: [], rssi: 127),
            ])),
        .event(
            "3e0a 03 00 0100 1800 0100 f401",
            HCILEConnectionUpdateComplete(
                status: .success, handle: 1, interval: 24, latency: 1, supervisionTimeout: 500)),
        .event(
            "3e0b 06 0100 0600 0c00 0000 6400",
            HCILERemoteConnectionParameterRequest(
                handle: 1, minimumInterval: 6, maximumInterval: 12, latency: 0, supervisionTimeout: 100)),
        .event(
            "3e1f 0a 00 0100 00 00 01f0f0f0f0f0 000000000000 563412785634 0a00 0000 0a00 07",
            HCILEEnhancedConnectionComplete(
                status: .success, handle: 1, role: .central, peerAddress: peer,
                localResolvablePrivateAddress: DeviceAddress(0, .random),
                peerResolvablePrivateAddress: DeviceAddress(0x3456_7812_3456, .random), interval: 10, latency: 0,
                supervisionTimeout: 10, centralClockAccuracy: 7)),
    ]
}
