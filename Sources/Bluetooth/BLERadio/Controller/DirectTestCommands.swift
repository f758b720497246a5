internal import BLEPackets

extension CommandEntry {
    /// Tests of transmitter and receiver (Core 5.4, Vol 4 Part E 7.8.28 to 7.8.30).
    static let directTestCommands: [CommandEntry] = [
        .simple(28, 4) { (air, controller, command: HCILEReceiverTest) in
            guard command.channel <= DirectTest.lastChannel else { return .invalidHCICommandParameters }
            return air.startTest(
                DirectTest(kind: .receiver(packets: 0), channel: command.channel, phy: .le1M, start: air.now),
                controller)
        },
        .simple(28, 5) { (air, controller, command: HCILETransmitterTest) in
            guard command.channel <= DirectTest.lastChannel, command.payload <= 7 else {
                return .invalidHCICommandParameters
            }
            return air.startTest(
                DirectTest(
                    kind: .transmitter(packet: AirTime.packet(Int(command.length))), channel: command.channel,
                    phy: .le1M, start: air.now), controller)
        },
        .complete(28, 6) { (air, controller, _: HCILETestEnd) in
            guard let packets = air.endTest(controller) else {
                return .init(status: .commandDisallowed, packetCount: 0)
            }
            return .init(status: .success, packetCount: UInt16(clamping: packets))
        },
    ]

    /// The commands of 5.0, which select a PHY.
    static let directTestPHYCommands: [CommandEntry] = [
        .simple(35, 7) { (air, controller, command: HCILEReceiverTestV2) in
            guard command.channel <= DirectTest.lastChannel, 1...3 ~= command.phy.rawValue,
                command.modulationIndex <= 1
            else { return .invalidHCICommandParameters }
            // No personality supports a stable modulation index.
            guard command.modulationIndex == 0, HCIPHYs(command.phy).isSubset(of: controller.supportedPHYs) else {
                return .unsupportedFeatureOrParameterValue
            }
            return air.startTest(
                DirectTest(kind: .receiver(packets: 0), channel: command.channel, phy: command.phy, start: air.now),
                controller)
        },
        .simple(36, 0) { (air, controller, command: HCILETransmitterTestV2) in
            guard command.channel <= DirectTest.lastChannel, command.payload <= 7, 1...4 ~= command.phy else {
                return .invalidHCICommandParameters
            }
            let phy = HCIPHY(rawValue: min(command.phy, HCIPHY.leCoded.rawValue))
            guard HCIPHYs(phy).isSubset(of: controller.supportedPHYs) else {
                return .unsupportedFeatureOrParameterValue
            }
            let length = Int(command.length)
            let packet = command.phy == 4 ? AirTime.codedPacket500(length) : AirTime.packet(length, phy)
            return air.startTest(
                DirectTest(kind: .transmitter(packet: packet), channel: command.channel, phy: phy, start: air.now),
                controller)
        },
    ]
}

extension Controller {
    /// True if a command needs the radio while a test is running.
    func isBusyTesting(_ opcode: HCIOpcode) -> Bool {
        guard host.directTest != nil else { return false }
        return switch opcode {
        case .leSetAdvertisingEnable, .leSetExtendedAdvertisingEnable, .leSetScanEnable, .leSetExtendedScanEnable,
            .leCreateConnection, .leExtendedCreateConnection:
            true
        default: false
        }
    }
}
