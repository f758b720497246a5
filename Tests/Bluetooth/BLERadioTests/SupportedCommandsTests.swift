import BLEPackets
import BLERadio
import Testing

/// Controllers' supported commands, compared with their answers.
@Suite struct SupportedCommandsTests {
    /// Octet and bit of each command (Core 5.4, Vol 4 Part E 6.27), as Bumble 0.0.236 has them; Read Local Supported
    /// Commands has none.
    static let flags: [HCIOpcode: (octet: Int, bit: Int)] = [
        .disconnect: (0, 5),
        .readRemoteVersionInformation: (2, 7),
        .setEventMask: (5, 6),
        .reset: (5, 7),
        .setControllerToHostFlowControl: (10, 5),
        .hostBufferSize: (10, 6),
        .hostNumberOfCompletedPackets: (10, 7),
        .setEventMaskPage2: (22, 2),
        .readAuthenticatedPayloadTimeout: (32, 4),
        .writeAuthenticatedPayloadTimeout: (32, 5),
        .readLocalVersionInformation: (14, 3),
        .readLocalSupportedFeatures: (14, 5),
        .readLocalExtendedFeatures: (14, 6),
        .readBufferSize: (14, 7),
        .readBDADDR: (15, 1),
        .readRSSI: (15, 5),
        .leSetEventMask: (25, 0),
        .leReadBufferSize: (25, 1),
        .leReadLocalSupportedFeatures: (25, 2),
        .leSetRandomAddress: (25, 4),
        .leSetAdvertisingParameters: (25, 5),
        .leReadAdvertisingPhysicalChannelTxPower: (25, 6),
        .leSetAdvertisingData: (25, 7),
        .leSetScanResponseData: (26, 0),
        .leSetAdvertisingEnable: (26, 1),
        .leSetScanParameters: (26, 2),
        .leSetScanEnable: (26, 3),
        .leCreateConnection: (26, 4),
        .leCreateConnectionCancel: (26, 5),
        .leReadFilterAcceptListSize: (26, 6),
        .leClearFilterAcceptList: (26, 7),
        .leAddDeviceToFilterAcceptList: (27, 0),
        .leRemoveDeviceFromFilterAcceptList: (27, 1),
        .leConnectionUpdate: (27, 2),
        .leSetHostChannelClassification: (27, 3),
        .leReadChannelMap: (27, 4),
        .leReadRemoteFeatures: (27, 5),
        .leEncrypt: (27, 6),
        .leRand: (27, 7),
        .leEnableEncryption: (28, 0),
        .leLongTermKeyRequestReply: (28, 1),
        .leLongTermKeyRequestNegativeReply: (28, 2),
        .leReadSupportedStates: (28, 3),
        .leReceiverTest: (28, 4),
        .leTransmitterTest: (28, 5),
        .leTestEnd: (28, 6),
        .leRemoteConnectionParameterRequestReply: (33, 4),
        .leRemoteConnectionParameterRequestNegativeReply: (33, 5),
        .leSetDataLength: (33, 6),
        .leReadSuggestedDefaultDataLength: (33, 7),
        .leWriteSuggestedDefaultDataLength: (34, 0),
        .leReadLocalP256PublicKey: (34, 1),
        .leGenerateDHKey: (34, 2),
        .leAddDeviceToResolvingList: (34, 3),
        .leRemoveDeviceFromResolvingList: (34, 4),
        .leClearResolvingList: (34, 5),
        .leReadResolvingListSize: (34, 6),
        .leReadPeerResolvableAddress: (34, 7),
        .leReadLocalResolvableAddress: (35, 0),
        .leSetAddressResolutionEnable: (35, 1),
        .leSetResolvablePrivateAddressTimeout: (35, 2),
        .leReadMaximumDataLength: (35, 3),
        .leReadPHY: (35, 4),
        .leSetDefaultPHY: (35, 5),
        .leSetPHY: (35, 6),
        .leReceiverTestV2: (35, 7),
        .leTransmitterTestV2: (36, 0),
        .leSetAdvertisingSetRandomAddress: (36, 1),
        .leSetExtendedAdvertisingParameters: (36, 2),
        .leSetExtendedAdvertisingData: (36, 3),
        .leSetExtendedScanResponseData: (36, 4),
        .leSetExtendedAdvertisingEnable: (36, 5),
        .leReadMaximumAdvertisingDataLength: (36, 6),
        .leReadNumberOfSupportedAdvertisingSets: (36, 7),
        .leRemoveAdvertisingSet: (37, 0),
        .leClearAdvertisingSets: (37, 1),
        .leSetExtendedScanParameters: (37, 5),
        .leSetExtendedScanEnable: (37, 6),
        .leExtendedCreateConnection: (37, 7),
        .leReadTransmitPower: (38, 7),
        .leReadRFPathCompensation: (39, 0),
        .leWriteRFPathCompensation: (39, 1),
        .leSetPrivacyMode: (39, 2),
    ]

    static let personalities: [ControllerPersonality] = [.esp32, .bluetooth5_0, .extended]

    @Test func everyCommandWithATypeHasAFlag() {
        let known = Set(HCIOpcode.commands.map { $0.opcode })
        #expect(known == Set(Self.flags.keys).union([.readLocalSupportedCommands]))
    }

    /// Octet and bit of the commands that an LE controller must know which advertises, scans, connects either way,
    /// encrypts, has data length extension, privacy and LE Ping (Core 5.4, Vol 4 Part E 3.1).
    static let mandatory: [(octet: Int, bits: UInt8)] = [
        (0, 0x20), (2, 0x80), (5, 0xC0), (14, 0x28), (15, 0x02), (25, 0xF7), (26, 0xFF), (27, 0xFF), (28, 0x7F),
        (32, 0x30), (33, 0xF0), (34, 0xFF), (35, 0x0F),
    ]

    @Test(arguments: personalities) func noMandatoryCommandIsMissing(personality: ControllerPersonality) throws {
        let bench = AirBench()
        let commands = Array(try bench.answer(HCIReadLocalSupportedCommands(), from: bench.add(personality)).commands)
        for (octet, bits) in Self.mandatory { #expect(commands[octet] & bits == bits, "octet \(octet)") }
        guard personality != .esp32 else { return }
        // LE Read PHY, Set Default PHY, Set PHY, and the tests by PHY.
        #expect(commands[35] & 0xF0 == 0xF0)
        #expect(commands[36] & 1 == 1)
    }

    /// Where the flag is set the command is answered, where it is not it is unknown; no other flag is set.
    @Test(arguments: personalities) func flaggedCommandsAreAnsweredAndNoOthers(
        personality: ControllerPersonality
    ) throws {
        let bench = AirBench()
        let id = bench.add(personality)
        var commands = Array(try bench.answer(HCIReadLocalSupportedCommands(), from: id).commands)
        #expect(commands.count == 64)
        for (opcode, flag) in Self.flags {
            let isFlagged = commands[flag.octet] & 1 << flag.bit != 0
            commands[flag.octet] &= ~(1 << flag.bit)
            // Parameters that no command accepts: supported commands report that.
            let bytes = [UInt8(truncatingIfNeeded: opcode.rawValue), UInt8(opcode.rawValue >> 8), 200]
            bench.send(HCIPacket(.command, bytes + Array(repeating: 0xFF, count: 200)), from: id)
            let answer = try #require(bench.take(id).first).bytes
            let isUnknown = answer == [0x0F, 0x04, HCIErrorCode.unknownCommand.rawValue, 1] + bytes.prefix(2)
            #expect(isUnknown != isFlagged, "\(opcode)")
        }
        #expect(commands.allSatisfy { $0 == 0 })
    }
}
