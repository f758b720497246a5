import BLECore
import BLEPackets
import BLERadio
import Testing

/// The data channels of connections, as reported to hosts.
@Suite struct ChannelMapTests {
    let bench = AirBench()
    let central: ControllerID
    let board: ControllerID

    init() {
        central = bench.add()
        board = bench.add()
    }

    private func map(_ id: ControllerID) throws -> UInt64 {
        let answer = try bench.answer(HCILEReadChannelMap(handle: 0), from: id)
        #expect(answer.status == .success)
        return answer.channelMap.rawValue
    }

    private func classify(_ map: UInt64, from id: ControllerID) throws -> HCIErrorCode {
        try bench.status(HCILESetHostChannelClassification(channelMap: HCIChannelMap(rawValue: map)), from: id)
    }

    @Test func aConnectionUsesTheChannelMapOfTheCentralsHost() throws {
        #expect(try classify(0x00_0000_0003, from: central) == .success)
        // A peripheral decides nothing.
        #expect(try classify(0x1F_0000_0000, from: board) == .success)
        try bench.connect(central, board)
        #expect(try map(central) == 3)
        #expect(try map(board) == 3)
    }

    /// Core 5.4, Vol 4 Part E 7.8.20: the map sent last, or received last.
    @Test func aChangedMapAppliesToExistingConnections() throws {
        try bench.connect(central, board)
        #expect(try map(central) == 0x1F_FFFF_FFFF)
        #expect(try classify(0x15_5555_5555, from: central) == .success)
        #expect(try map(central) == 0x1F_FFFF_FFFF)
        bench.run(for: .milliseconds(31))
        #expect(try map(central) == 0x15_5555_5555)
        #expect(try map(board) == 0x15_5555_5555)
        #expect(try classify(0x15_5555_5555, from: central) == .success)
        #expect(bench.air.nextDeadline == nil)
        // A reset clears it.
        bench.send(HCIReset(), from: central)
        bench.run(for: .seconds(1))
        bench.send(HCISetEventMask(mask: 0x3DBF_F807_FFFB_FFFF), from: central)
        try bench.connect(central, board)
        #expect(try map(central) == 0x1F_FFFF_FFFF)
    }

    @Test func aMapNeedsAtLeastOneChannel() throws {
        #expect(try classify(0, from: central) == .invalidHCICommandParameters)
        #expect(try classify(0x3F_FFFF_FFFF, from: central) == .invalidHCICommandParameters)
        // One channel is too few for a connection: the controller uses others.
        #expect(try classify(0x10_0000_0000, from: central) == .success)
        try bench.connect(central, board)
        #expect(try map(board) == 0x1F_FFFF_FFFF)
        #expect(
            try bench.answer(HCILEReadChannelMap(handle: 3), from: board)
                == .init(status: .unknownConnectionIdentifier, handle: 3, channelMap: HCIChannelMap(rawValue: 0)))
    }
}
