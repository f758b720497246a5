import BLECore
import BLEPackets
import BLERadio
import Testing

/// Tests of transmitter and receiver, one controller each.
@Suite struct DirectTestTests {
    let bench = AirBench()
    let sender: ControllerID
    let listener: ControllerID

    init() {
        sender = bench.add(.extended)
        listener = bench.add(.extended)
    }

    private func start(_ command: some HCICommand, _ id: ControllerID) throws {
        #expect(try bench.status(command, from: id) == .success)
    }

    private func end(_ id: ControllerID) throws -> UInt16 {
        let answer = try bench.answer(HCILETestEnd(), from: id)
        #expect(answer.status == .success)
        return answer.packetCount
    }

    /// Core 5.4, Vol 6 Part F 4.1.6: a packet every 625 µs, with 376 µs of it by 1M the longest of such; 2,496 µs by
    /// 2,120 µs of packet.
    @Test(arguments: [(0, 1600), (37, 1600), (38, 800), (255, 400)] as [(UInt8, UInt16)])
    func packetsFollowTheirInterval(length: UInt8, perSecond: UInt16) throws {
        try start(HCILEReceiverTest(channel: 12), listener)
        try start(HCILETransmitterTest(channel: 12, length: length, payload: 0), sender)
        bench.run(for: .seconds(1))
        #expect(try end(listener) == perSecond)
        #expect(try end(sender) == 0)
        #expect(bench.air.nextDeadline == nil)
    }

    @Test func onlyPacketsSentDuringTheReceiverTestAreCounted() throws {
        try start(HCILETransmitterTest(channel: 0, length: 37, payload: 7), sender)
        bench.run(for: .milliseconds(10))
        try start(HCILEReceiverTest(channel: 0), listener)
        bench.run(for: .milliseconds(10))
        #expect(try end(sender) == 0)
        bench.run(for: .seconds(1))
        try start(HCILETransmitterTest(channel: 0, length: 37, payload: 7), sender)
        bench.run(for: .milliseconds(10))
        #expect(try end(listener) == 32)
        #expect(try end(sender) == 0)
    }

    @Test(arguments: [(.le2M, 2, 1600), (.leCoded, 3, 200), (.leCoded, 4, 533)] as [(HCIPHY, UInt8, UInt16)])
    func testsSupportOtherPHYs(phy: HCIPHY, sent: UInt8, perSecond: UInt16) throws {
        try start(HCILEReceiverTestV2(channel: 39, phy: phy, modulationIndex: 0), listener)
        try start(HCILETransmitterTestV2(channel: 39, length: 62, payload: 1, phy: sent), sender)
        bench.run(for: .seconds(1))
        #expect(try end(listener) == perSecond)
    }

    @Test func nothingIsReceivedOnAnotherChannelOrPHYOrOutOfRange() throws {
        try start(HCILETransmitterTest(channel: 5, length: 0, payload: 0), sender)
        for command in [
            HCILEReceiverTestV2(channel: 6, phy: .le1M, modulationIndex: 0),
            HCILEReceiverTestV2(channel: 5, phy: .le2M, modulationIndex: 0),
        ] {
            try start(command, listener)
            bench.run(for: .seconds(1))
            #expect(try end(listener) == 0)
        }
        for (path, heard) in [(RadioPath(lossRate: 0.25), 1200), (RadioPath(pathLoss: 200), 0)] as [(RadioPath, UInt16)]
        {
            bench.air.setPath(path, between: sender, and: listener, now: bench.now)
            try start(HCILEReceiverTest(channel: 5), listener)
            bench.run(for: .seconds(1))
            #expect(try end(listener) == heard)
        }
    }

    @Test func aTestExcludesOtherUsesOfTheRadio() throws {
        #expect(try bench.status(HCILETestEnd(), from: sender) == .commandDisallowed)
        try bench.advertise(sender)
        #expect(try bench.status(HCILEReceiverTest(channel: 0), from: sender) == .commandDisallowed)
        bench.send(HCILESetAdvertisingEnable(isEnabled: false), from: sender)
        try start(HCILEReceiverTest(channel: 0), sender)
        let transmitter = HCILETransmitterTest(channel: 0, length: 0, payload: 0)
        #expect(try bench.status(transmitter, from: sender) == .commandDisallowed)
        #expect(try bench.status(HCILESetAdvertisingEnable(isEnabled: true), from: sender) == .commandDisallowed)
        #expect(try bench.status(AirBench.connection(to: AirBench.address(1)), from: sender) == .commandDisallowed)
        // A reset ends a test, and packets sent before are counted.
        try start(HCILETransmitterTest(channel: 0, length: 0, payload: 0), listener)
        bench.run(for: .milliseconds(100))
        bench.send(HCIReset(), from: listener)
        bench.run(for: .seconds(1))
        #expect(try end(sender) == 160)
        #expect(try bench.status(HCILESetAdvertisingEnable(isEnabled: true), from: sender) == .success)
    }

    @Test func valuesOutOfRangeAreRefused() throws {
        func isInvalid(_ command: some HCICommand, _ status: HCIErrorCode = .invalidHCICommandParameters) throws {
            #expect(try bench.status(command, from: sender) == status)
        }
        try isInvalid(HCILEReceiverTest(channel: 0x28))
        try isInvalid(HCILETransmitterTest(channel: 0x28, length: 0, payload: 0))
        try isInvalid(HCILETransmitterTest(channel: 0, length: 0, payload: 8))
        try isInvalid(HCILEReceiverTestV2(channel: 0, phy: HCIPHY(rawValue: 4), modulationIndex: 0))
        try isInvalid(HCILEReceiverTestV2(channel: 0, phy: .le1M, modulationIndex: 2))
        try isInvalid(
            HCILEReceiverTestV2(channel: 0, phy: .le1M, modulationIndex: 1), .unsupportedFeatureOrParameterValue)
        try isInvalid(HCILETransmitterTestV2(channel: 0, length: 0, payload: 0, phy: 5))
        let plain = bench.add(.bluetooth5_0)
        #expect(
            try bench.status(HCILETransmitterTestV2(channel: 0, length: 0, payload: 0, phy: 4), from: plain)
                == .unsupportedFeatureOrParameterValue)
    }
}
