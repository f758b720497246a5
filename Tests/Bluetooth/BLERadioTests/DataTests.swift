import BLECore
import BLEPackets
import BLERadio
import MonotonicTime
import Testing

@Suite struct DataTests {
    let bench = AirBench()
    let central: ControllerID
    let board: ControllerID

    init() throws {
        central = bench.add()
        board = bench.add()
        try bench.connect(central, board)
    }

    private func completed(_ id: ControllerID) throws -> Int {
        try bench.take(HCINumberOfCompletedPackets.self, id).flatMap(\.connections).reduce(0) { $0 + Int($1.count) }
    }

    @Test func dataIsTransferredInTheNextConnectionEventInBothDirections() throws {
        bench.sendACL([1, 2, 3], from: central)
        bench.sendACL([4, 5], boundary: .continuing, from: board)
        #expect(bench.take(board).isEmpty)
        let wait = bench.now.duration(to: try #require(bench.air.nextDeadline))
        #expect(.zero..<Duration.milliseconds(30) ~= wait)
        bench.run(for: wait)
        let atBoard = bench.take(board)
        // PB 2 starts a frame to a host, PB 1 continues one.
        #expect(atBoard.first == HCIPacket(.acl, [0x00, 0x20, 0x03, 0x00, 1, 2, 3]))
        #expect(
            atBoard.last
                == HCINumberOfCompletedPackets(connections: [HCICompletedPackets(handle: 0, count: 1)]).packet)
        #expect(bench.take(central).first == HCIPacket(.acl, [0x00, 0x10, 0x02, 0x00, 4, 5]))
        #expect(bench.air.nextDeadline == nil)
    }

    @Test func eventsKeepTheirInterval() throws {
        bench.sendACL([1], from: central)
        let first = try #require(bench.air.nextDeadline)
        bench.run(for: bench.now.duration(to: first))
        bench.sendACL([2], from: central)
        #expect(bench.air.nextDeadline == first.advanced(by: .milliseconds(30)))
        bench.run(for: .milliseconds(100))
        bench.sendACL([3], from: board)
        let third = try #require(bench.air.nextDeadline)
        #expect((third.nanoseconds - first.nanoseconds) % 30_000_000 == 0)
        #expect(try bench.drainACL(board).map(\.payload) == [[1], [2]])
    }

    /// At 27 bytes a PDU 251 bytes take nine exchanges of 676 µs and one of 524 µs; 12 such packets take three events.
    @Test func longDataTakesTheTimeOfItsPackets() throws {
        let packets = (0..<12).map { Array(repeating: UInt8($0), count: 251) }
        for packet in packets { bench.sendACL(packet, from: central) }
        var received: [[UInt8]] = []
        let first = try #require(bench.air.nextDeadline)
        while let deadline = bench.air.nextDeadline {
            bench.run(for: bench.now.duration(to: deadline))
            received += try bench.drainACL(board).map(\.payload)
        }
        #expect(received == packets)
        // The third has 30 of the 120 exchanges, and the last of them begins 19.3 ms after its anchor.
        #expect(bench.now == first.advanced(by: .microseconds(2 * 30_000 + 19_300)))
    }

    /// With 251 bytes a packet, an exchange takes 2,468 µs: all 12 fit in one event.
    @Test func dataLengthExtensionIncreasesTheThroughput() throws {
        bench.send(HCILESetDataLength(handle: 0, txOctets: 251, txTime: 2120), from: central)
        bench.run(for: .milliseconds(31))
        #expect(
            try bench.take(HCILEDataLengthChange.self, central)
                == [
                    HCILEDataLengthChange(
                        handle: 0, maximumTxOctets: 251, maximumTxTime: 2120, maximumRxOctets: 27, maximumRxTime: 328)
                ])
        #expect(
            try bench.take(HCILEDataLengthChange.self, board)
                == [
                    HCILEDataLengthChange(
                        handle: 0, maximumTxOctets: 27, maximumTxTime: 328, maximumRxOctets: 251, maximumRxTime: 2120)
                ])
        for _ in 0..<12 { bench.sendACL(Array(repeating: 0x55, count: 251), from: central) }
        let first = try #require(bench.air.nextDeadline)
        for number in 0..<12 {
            #expect(bench.air.nextDeadline == first.advanced(by: .microseconds(number * 2468)))
            bench.run(for: bench.now.duration(to: try #require(bench.air.nextDeadline)))
            #expect(try bench.drainACL(board).count == 1)
            #expect(try completed(central) == 1)
        }
        // Requested again, nothing changes, and no event is sent.
        bench.send(HCILESetDataLength(handle: 0, txOctets: 251, txTime: 2120), from: central)
        bench.run(for: .milliseconds(31))
        #expect(try bench.take(HCILEDataLengthChange.self, central).isEmpty)
    }

    @Test func theSuggestedLengthAppliesFromTheConnectionOn() throws {
        let other = bench.add()
        bench.send(HCILEWriteSuggestedDefaultDataLength(txOctets: 100, txTime: 2120), from: other)
        #expect(try bench.answer(HCILEReadSuggestedDefaultDataLength(), from: other).txOctets == 100)
        try bench.advertise(board)
        bench.send(AirBench.connection(to: AirBench.address(1)), from: other)
        bench.run(for: .milliseconds(200))
        #expect(try bench.take(HCILEDataLengthChange.self, other).map(\.maximumTxOctets) == [100])
    }

    @Test func completedPacketsAreReportedAndExcessPacketsRefused() throws {
        for number in 0..<12 { bench.sendACL([UInt8(number)], from: central) }
        #expect(bench.take(central).isEmpty)
        bench.sendACL([99], from: central)
        #expect(try bench.take(HCIDataBufferOverflow.self, central) == [HCIDataBufferOverflow(linkType: 1)])
        bench.run(for: .milliseconds(31))
        #expect(try completed(central) == 12)
        #expect(try bench.drainACL(board).map(\.payload) == (0..<12).map { [UInt8($0)] })
        bench.sendACL(Array(repeating: 0, count: 252), from: central)
        #expect(try bench.take(HCIDataBufferOverflow.self, central).count == 1)
        bench.sendACL([1], from: central)
        bench.run(for: .milliseconds(31))
        #expect(try completed(central) == 1)
    }

    @Test func aDisconnectionFreesTheBuffers() throws {
        bench.air.setPath(RadioPath(pathLoss: 200), between: central, and: board, now: bench.now)
        for _ in 0..<12 { bench.sendACL([1], from: central) }
        bench.run(for: .seconds(1))
        #expect(try bench.take(HCIDisconnectionComplete.self, central).count == 1)
        bench.air.setPath(RadioPath(), between: central, and: board, now: bench.now)
        try bench.connect(central, board)
        for _ in 0..<12 { bench.sendACL([2], from: central) }
        #expect(try bench.take(HCIDataBufferOverflow.self, central).isEmpty)
        bench.run(for: .milliseconds(31))
        #expect(try completed(central) == 12)
        #expect(try bench.drainACL(board).map(\.payload) == Array(repeating: [2], count: 12))
    }

    @Test func dataQueuedBeforeADisconnectIsSent() throws {
        bench.sendACL([1], from: board)
        bench.send(HCIDisconnect(handle: 0, reason: .remoteUserTerminatedConnection), from: board)
        bench.run(for: .milliseconds(31))
        let packets = bench.take(central)
        #expect(packets.first == HCIPacket(.acl, [0x00, 0x20, 0x01, 0x00, 1]))
        #expect(try HCIAnyEvent(decoding: #require(packets.last).bytes[...]).code == .disconnectionComplete)
    }

    /// LL_TERMINATE_IND is queued at once, and acknowledged it ends the link (Core 5.4, Vol 6 Part B 5.1.6).
    @Test func dataQueuedAfterADisconnectIsNotSent() throws {
        bench.sendACL([1], from: board)
        bench.send(HCIDisconnect(handle: 0, reason: .remoteUserTerminatedConnection), from: board)
        for _ in 0..<12 { bench.sendACL([2], from: board) }
        // They occupy their buffers until Disconnection Complete.
        #expect(try bench.take(HCIDataBufferOverflow.self, board).count == 1)
        bench.run(for: .milliseconds(31))
        #expect(try bench.drainACL(central).map(\.payload) == [[1]])
        try bench.connect(central, board)
        for _ in 0..<12 { bench.sendACL([3], from: board) }
        #expect(try bench.take(HCIDataBufferOverflow.self, board).isEmpty)
        bench.run(for: .milliseconds(200))
        #expect(try bench.drainACL(central).map(\.payload) == Array(repeating: [3], count: 12))
    }

    @Test func lostPacketsAreRetransmittedInOrder() throws {
        bench.air.setPath(RadioPath(lossRate: 0.3), between: central, and: board, now: bench.now)
        var sender = (central: Sender(), board: Sender())
        while sender.central.received.count < 100 || sender.board.received.count < 100 {
            for payload in sender.central.next() { bench.sendACL([payload], from: central) }
            for payload in sender.board.next() { bench.sendACL([payload], from: board) }
            bench.run(for: .milliseconds(30))
            let (atCentral, atBoard) = (bench.take(central), bench.take(board))
            sender.central.note(own: atCentral, peer: atBoard)
            sender.board.note(own: atBoard, peer: atCentral)
            try #require(bench.now < .zero.advanced(by: .seconds(30)))
        }
        #expect(sender.central.received == Array(0..<100))
        #expect(sender.board.received == Array(0..<100))
    }

    /// A host that sends 100 packets, as the controller has buffers.
    private struct Sender {
        var credits = 12
        var sent = 0
        var received: [UInt8] = []

        mutating func next() -> [UInt8] {
            let count = min(credits, 100 - sent)
            defer {
                credits -= count
                sent += count
            }
            return (sent..<sent + count).map { UInt8($0) }
        }

        mutating func note(own: [HCIPacket], peer: [HCIPacket]) {
            for packet in own where packet.kind == .event && packet.bytes[0] == 0x13 { credits += Int(packet.bytes[5]) }
            received += peer.filter { $0.kind == .acl }.map { $0.bytes[4] }
        }
    }

    @Test func aHostWithoutFreeBuffersDelaysData() throws {
        let host = bench.add()
        #expect(try bench.status(HCISetControllerToHostFlowControl(enable: 1), from: host) == .success)
        #expect(
            try bench.status(
                HCIHostBufferSize(
                    aclDataLength: 255, synchronousDataLength: 0, aclPacketCount: 2, synchronousPacketCount: 0),
                from: host) == .success)
        try bench.advertise(host)
        bench.send(AirBench.connection(to: AirBench.address(2)), from: central)
        bench.run(for: .milliseconds(200))
        for number in 0..<5 { bench.sendACL([UInt8(number)], handle: 1, from: central) }
        bench.run(for: .milliseconds(100))
        #expect(try bench.drainACL(host).map(\.payload) == [[0], [1]])
        #expect(bench.air.nextDeadline == nil)
        bench.send(
            HCIHostNumberOfCompletedPackets(connections: [HCICompletedPackets(handle: 0, count: 2)]), from: host)
        #expect(bench.take(host).isEmpty)
        bench.run(for: .milliseconds(100))
        #expect(try bench.drainACL(host).map(\.payload) == [[2], [3]])
        // LL_TERMINATE_IND is not delayed.
        bench.send(HCIDisconnect(handle: 1, reason: .remoteUserTerminatedConnection), from: central)
        bench.run(for: .milliseconds(100))
        #expect(try bench.take(HCIDisconnectionComplete.self, host).count == 1)
        #expect(
            try bench.status(HCISetControllerToHostFlowControl(enable: 4), from: host) == .invalidHCICommandParameters)
        #expect(try bench.status(HCISetControllerToHostFlowControl(enable: 0), from: board) == .commandDisallowed)
    }

    /// A connection's end frees its buffers (Core 6.2, Vol 4 Part E 4.3). A host that reports them afterwards, as NimBLE
    /// does, gets no answer, and no more buffers than it has.
    @Test func buffersOfAnEndedConnectionAreFreeOnce() throws {
        let host = bench.add()
        #expect(try bench.status(HCISetControllerToHostFlowControl(enable: 1), from: host) == .success)
        #expect(
            try bench.status(
                HCIHostBufferSize(
                    aclDataLength: 255, synchronousDataLength: 0, aclPacketCount: 2, synchronousPacketCount: 0),
                from: host) == .success)
        let completed = HCIHostNumberOfCompletedPackets(connections: [HCICompletedPackets(handle: 0, count: 2)])
        for _ in 0..<3 {
            try bench.advertise(host)
            bench.send(AirBench.connection(to: AirBench.address(2)), from: central)
            bench.run(for: .milliseconds(200))
            for number in 0..<3 { bench.sendACL([UInt8(number)], handle: 1, from: central) }
            bench.run(for: .milliseconds(100))
            #expect(try bench.drainACL(host).map(\.payload) == [[0], [1]])
            bench.send(HCIDisconnect(handle: 1, reason: .remoteUserTerminatedConnection), from: central)
            bench.run(for: .milliseconds(100))
            #expect(try bench.take(HCIDisconnectionComplete.self, host).count == 1)
            for _ in 0..<2 { bench.send(completed, from: host) }
            #expect(bench.take(host).isEmpty)
        }
    }

    @Test(arguments: ["", "00", "0000", "00000100", "0f000100ff", "00300100ff", "00400100ff", "0000000000"])
    func invalidDataPacketsAreDropped(hexadecimal: String) throws {
        let bytes = stride(from: 0, to: hexadecimal.count, by: 2).compactMap { offset in
            UInt8(hexadecimal.dropFirst(offset).prefix(2), radix: 16)
        }
        bench.send(HCIPacket(.acl, bytes), from: central)
        bench.run(for: .milliseconds(100))
        #expect(bench.take(central).isEmpty)
        #expect(bench.take(board).isEmpty)
    }

    @Test func anEmptyPacketIsCompletedAndNotDelivered() throws {
        bench.sendACL([], from: central)
        bench.run(for: .milliseconds(100))
        #expect(try completed(central) == 1)
        #expect(bench.take(board).isEmpty)
    }
}
