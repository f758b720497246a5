import BLEHost
import ByteCodec
import MonotonicTime
import Testing

@Suite struct GATTServerNotificationTests {
    typealias Fixture = GATTServerFixture

    /// Recorded: `Tests/Bluetooth/Traces/README.md`, item 14.
    @Test(
        arguments: [("0000", nil), ("0100", "1b1600b0"), ("0200", "1d1600b0"), ("0300", "1b1600b0")]
            as [(String, String?)])
    func theConfigurationSelectsNotificationOrIndication(configuration: String, sent: String?) throws {
        let board = try Fixture.board()
        try board.exchange("121700" + configuration)
        board.server.notifySubscribers(of: Fixture.both, now: board.now)
        #expect(board.sent() == (sent.map { [$0] } ?? []))
    }

    @Test func aChangeWithinACallbackIsSentOnceAfterTheResponse() throws {
        let board = try Fixture.board()
        try board.exchange("1217000100")
        board.application = { board, action in
            guard case .written = action else { return }
            for value in 1...3 {
                board.server.setValue([UInt8(value)], of: Fixture.both)
                board.server.notifySubscribers(of: Fixture.both, now: board.now)
            }
        }
        #expect(try board.exchange("12140001") == ["13", "1b160003"])
        #expect(try board.exchange("52140001") == ["1b160003"])
    }

    /// Recorded: `Tests/Bluetooth/Traces/README.md`, item 15.
    @Test(arguments: [(false, "1b1600a1"), (true, "1d1600a1")])
    func anExplicitValueIsSentAtOnceToEveryClient(isIndication: Bool, pdu: String) throws {
        let board = try Fixture.board()
        board.server.connect(1)
        board.application = { board, action in
            guard case .written = action else { return }
            let hasSent = board.server.send(
                [0xA1], of: Fixture.both, isIndication: isIndication, to: nil, now: board.now)
            #expect(hasSent)
        }
        #expect(try board.exchange("12140001") == [pdu, pdu, "13"])
        #expect(board.server.value(of: Fixture.both) == [0xB0])
    }

    @Test func aSingleClientReceivesTheStoredValueAtOnce() throws {
        let board = try Fixture.board()
        board.server.connect(1)
        #expect(board.server.send(nil, of: Fixture.both, isIndication: false, to: 1, now: board.now))
        #expect(
            board.take() == [
                .send(connection: 1, pdu: [0x1B, 0x16, 0, 0xB0]),
                .sent(valueHandle: Fixture.both, connection: 1, status: .success),
            ])
        #expect(!board.server.send(nil, of: Fixture.both, isIndication: false, to: 7, now: board.now))
        #expect(board.take() == [.sent(valueHandle: Fixture.both, connection: 7, status: .notConnected)])
    }

    @Test func aValueIsTruncatedToEachClientsMTU() throws {
        let board = try Fixture.board()
        board.server.connect(1)
        try board.exchange("026400", on: 1)
        board.server.send(
            Array(repeating: 1, count: 300), of: Fixture.both, isIndication: false, to: nil, now: board.now)
        #expect(board.sent().map { $0.utf8.count / 2 } == [23, 100])
    }

    @Test func onlySubscribedClientsReceiveAChangeTheNewestFirst() throws {
        let board = try Fixture.board()
        for connection: UInt16 in 1...2 { board.server.connect(connection) }
        try board.exchange("1217000100", on: 0)
        try board.exchange("1217000100", on: 2)
        board.server.notifySubscribers(of: Fixture.both, now: board.now)
        let sent = board.take().compactMap { action -> UInt16? in
            if case .send(let connection, _) = action { connection } else { nil }
        }
        #expect(sent == [2, 0])
    }

    @Test func changesOfAnUnknownOrUnconfigurableAttributeSendNothing() throws {
        let board = try Fixture.board()
        for handle: UInt16 in [0, Fixture.plain, 0xFFFF] {
            board.server.notifySubscribers(of: handle, now: board.now)
        }
        #expect(board.take() == [])
        #expect(!board.server.send([1], of: 0xFFFF, isIndication: false, to: 0, now: board.now))
    }

    @Test func subscriptionsAreReportedOnceAndWhenTheConnectionEnds() throws {
        let board = try Fixture.board()
        var reports: [UInt16] = []
        board.application = { board, action in
            guard case .subscribed(_, Fixture.both, 0, let value) = action else { return }
            reports.append(value)
            board.server.notifySubscribers(of: Fixture.both, now: board.now)
        }
        #expect(try board.exchange("1217000300") == ["13", "1b1600b0"])
        #expect(try board.exchange("1217000300") == ["13"])
        #expect(try board.exchange("1217000200") == ["13", "1d1600b0"])
        board.server.disconnect(0, now: board.now)
        #expect(board.sent() == [])
        #expect(reports == [3, 2, 0])
    }
}

@Suite struct GATTServerIndicationTests {
    typealias Fixture = GATTServerFixture

    @Test func theNextIndicationWaitsForTheConfirmation() throws {
        let board = try Fixture.board()
        try board.exchange("1217000200")
        try board.exchange("121c000200")
        board.server.notifySubscribers(of: Fixture.both, now: board.now)
        board.server.notifySubscribers(of: Fixture.indicating, now: board.now)
        #expect(board.sent() == ["1d1600b0"])
        board.server.setValue([0xC1], of: Fixture.indicating)
        board.server.handle([0x1E], on: 0, now: board.now)
        #expect(
            board.take() == [
                .sent(valueHandle: Fixture.both, connection: 0, status: .done),
                .send(connection: 0, pdu: [0x1D, 0x1B, 0, 0xC1]),
            ])
        #expect(try board.exchange("1e") == [])
        #expect(board.server.nextDeadline == nil)
        // All are confirmed: the next change goes out at once.
        board.server.notifySubscribers(of: Fixture.both, now: board.now)
        #expect(board.sent() == ["1d1600b0"])
    }

    @Test func aSecondIndicationWaitsForTheConfirmationOfTheFirst() throws {
        let board = try Fixture.board()
        for value: UInt8 in 1...4 {
            #expect(board.server.send([value], of: Fixture.both, isIndication: true, to: 0, now: board.now))
        }
        // NimBLE's limit is four procedures.
        #expect(!board.server.send([5], of: Fixture.both, isIndication: true, to: 0, now: board.now))
        #expect(
            board.take() == [
                .send(connection: 0, pdu: [0x1D, 0x16, 0, 1]),
                .sent(valueHandle: Fixture.both, connection: 0, status: .noMemory),
            ])
        #expect(try board.exchange("1e") == ["1d160002"])
        // After any response the next one is sent.
        #expect(try board.exchange("0b") == ["1d160003"])
        #expect(try board.exchange("1e") == ["1d160004"])
        #expect(try board.exchange("1e") == [])
        #expect(try board.exchange("1e") == [])
        #expect(board.server.nextDeadline == nil)
    }

    @Test func anErrorResponseEndsAnIndicationWithItsCode() throws {
        let board = try Fixture.board()
        try board.exchange("1217000200")
        board.server.notifySubscribers(of: Fixture.both, now: board.now)
        _ = board.take()
        board.server.handle([0x01, 0x1D, 0x16, 0x00, 0x11], on: 0, now: board.now)
        #expect(
            board.take() == [
                .sent(valueHandle: Fixture.both, connection: 0, status: GATTSendStatus(rawValue: 0x111))
            ])
    }

    @Test func anUnconfirmedIndicationEndsTheConnectionAfter30Seconds() throws {
        let board = try Fixture.board()
        try board.exchange("1217000200")
        board.now = MonotonicInstant(nanoseconds: 1_000_000_000)
        board.server.notifySubscribers(of: Fixture.both, now: board.now)
        _ = board.take()
        let deadline = MonotonicInstant(nanoseconds: 31_000_000_000)
        #expect(board.server.nextDeadline == deadline)
        board.server.advance(to: MonotonicInstant(nanoseconds: 30_999_999_999))
        #expect(board.take() == [])
        board.server.advance(to: deadline)
        #expect(
            board.take() == [
                .sent(valueHandle: Fixture.both, connection: 0, status: .timedOut),
                .disconnect(connection: 0, reason: 0x13),
            ])
    }

    @Test func anOpenIndicationFailsWithItsConnection() throws {
        let board = try Fixture.board()
        board.server.send([1], of: Fixture.both, isIndication: true, to: 0, now: board.now)
        _ = board.take()
        board.server.disconnect(0, now: board.now)
        #expect(
            board.take() == [
                .sent(valueHandle: Fixture.both, connection: 0, status: .notConnected), .closed(connection: 0),
            ])
        #expect(board.server.nextDeadline == nil)
    }
}
