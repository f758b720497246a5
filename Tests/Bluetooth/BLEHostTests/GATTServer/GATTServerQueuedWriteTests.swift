import BLEHost
import ByteCodec
import MonotonicTime
import Testing

@Suite struct GATTServerQueuedWriteTests {
    typealias Fixture = GATTServerFixture

    @Test func aLongWriteCallsTheApplicationOnceWithTheWholeValue() throws {
        let board = try Fixture.board()
        var written: [[UInt8]] = []
        board.application = { _, action in
            if case .written(_, Fixture.command, _, let value) = action { written.append(value) }
        }
        #expect(try board.exchange("161400020003") == ["171400020003"])
        #expect(try board.exchange("16140000000102") == ["17140000000102"])
        #expect(try board.exchange("1801") == ["19"])
        #expect(written == [[1, 2, 3]])
    }

    @Test func aTooLongValueFailsWhenTheQueueIsExecuted() throws {
        let board = try Fixture.board()
        try board.exchange("02ff00")
        let part = Hexadecimal.string(Array(repeating: 0x77, count: 15))
        #expect(try board.exchange("1614000000" + part) == ["1714000000" + part])
        #expect(try board.exchange("1614000f00" + part) == ["1714000f00" + part])
        #expect(try board.exchange("1801") == ["011814000d"])
        #expect(board.server.value(of: Fixture.command) == [])
    }

    /// 1 block for a part of up to 223 bytes, 2 up to 463: of NimBLE's 12.
    @Test func theQueueIsLimitedByBuffersWhichOtherRequestsNeedToo() throws {
        let board = try Fixture.board()
        try board.exchange("02ff00")
        for number in 0..<5 { #expect(try board.prepare(length: 240, number) == nil) }
        #expect(try board.prepare(length: 10, 5) == nil)
        // One block is left: too little for the part, and for a notification with its header.
        #expect(try board.prepare(length: 240, 6) == "0116140009")
        #expect(!board.server.send([1], of: Fixture.both, isIndication: false, to: 0, now: board.now))
        #expect(board.take() == [.sent(valueHandle: Fixture.both, connection: 0, status: .noMemory)])
        #expect(try board.prepare(length: 10, 6) == nil)
        #expect(try board.prepare(length: 10, 7) == "0116140011")
        #expect(try board.exchange("12140001") == ["0112140011"])
        #expect(try board.exchange("0e03000500") == ["010e000011"])
        #expect(try board.exchange("2003000500") == ["0120000011"])
        #expect(try board.exchange("060100ffff00280018") == ["0106010011"])
        #expect(try board.exchange("0c03000100") == ["010c030011"])
        #expect(try board.exchange("1d030001") == ["011d030011"])
        #expect(try board.exchange("0a0300") == ["0b46697874757265"])
        // Another client's queue uses the same pool.
        board.server.connect(1)
        #expect(try board.exchange("1614000000", on: 1) == ["0116140011"])
        board.server.disconnect(0, now: board.now)
        #expect(try board.exchange("1614000000", on: 1) == ["1714000000"])
    }

    @Test func aQueueOpenFor30SecondsEndsTheConnection() throws {
        let board = try Fixture.board()
        #expect(board.server.nextDeadline == nil)
        try board.exchange("161400000001")
        board.now = MonotonicInstant(nanoseconds: 20_000_000_000)
        try board.exchange("161400010001")
        let deadline = MonotonicInstant(nanoseconds: 50_000_000_000)
        #expect(board.server.nextDeadline == deadline)
        board.server.advance(to: MonotonicInstant(nanoseconds: deadline.nanoseconds - 1))
        #expect(board.take() == [])
        board.server.advance(to: deadline)
        #expect(board.take() == [.disconnect(connection: 0, reason: 0x13)])
        #expect(board.server.nextDeadline == nil)
    }

    @Test func executingTheQueueStopsItsTimeOut() throws {
        let board = try Fixture.board()
        try board.exchange("161400000001")
        try board.exchange("1800")
        #expect(board.server.nextDeadline == nil)
        #expect(board.server.value(of: Fixture.command) == [])
    }

    @Test func aQueueForSeveralAttributesWaitsForEachCallback() throws {
        let board = try Fixture.board()
        board.holdsCallbacks = true
        try board.exchange("161400000001")
        try board.exchange("16170000000100")
        try board.exchange("161e00000000")
        #expect(try board.exchange("1801") == [])
        #expect(board.server.value(of: Fixture.command) == [1])
        try board.resume()
        let actions = board.take()
        guard case .subscribed(_?, Fixture.both, 0, 1)? = actions.first, actions.count == 1 else {
            Issue.record("\(actions)")
            return
        }
        try board.resume()
        #expect(board.sent() == ["19"])
    }

    @Test func aRefusedPartDropsTheRest() throws {
        let board = try Fixture.board()
        try board.exchange("161400000001")
        try board.exchange("16170000000001")
        try board.exchange("161b0000000001")
        // 0x001B cannot be written, so it was not queued; the configuration 0x0017 does not accept 0x0100.
        #expect(try board.exchange("1801") == ["0118170006"])
        #expect(board.server.value(of: Fixture.command) == [1])
        #expect(try board.exchange("1801") == ["19"])
    }
}

extension GATTServerBoard {
    /// Prepares a write of `length` bytes; returns the error.
    fileprivate func prepare(length: Int, _ number: Int) throws -> String? {
        let part = Hexadecimal.string(Array(repeating: UInt8(number), count: length))
        let received = try exchange("1614000000" + part)
        return received == ["1714000000" + part] ? nil : received.first
    }
}
