import BLECore
import BLEHost
import ByteCodec
import MonotonicTime
import Testing

@Suite struct GATTServerWriteTests {
    typealias Fixture = GATTServerFixture

    @Test func theValueIsStoredBeforeTheCallbackAndTheResponseFollowsIt() throws {
        let board = try Fixture.board()
        board.holdsCallbacks = true
        board.server.handle([0x12, 0x14, 0x00, 1, 2], on: 0, now: board.now)
        #expect(board.server.value(of: Fixture.command) == [1, 2])
        let actions = board.take()
        guard case .written(_?, Fixture.command, 0, [1, 2])? = actions.first, actions.count == 1 else {
            Issue.record("\(actions)")
            return
        }
        try board.resume()
        #expect(board.sent() == ["13"])
        #expect(!board.server.isInCallback)
    }

    @Test func withoutCallbacksAWriteIsReportedWithoutWaiting() throws {
        let board = try Fixture.board()
        board.server.setHasCallbacks(false, of: Fixture.command)
        board.server.handle([0x12, 0x14, 0x00, 1], on: 0, now: board.now)
        #expect(
            board.take() == [
                .written(nil, handle: Fixture.command, connection: 0, value: [1]),
                .send(connection: 0, pdu: [0x13]),
            ])
    }

    /// A PDU that the server dropped would block its client for ever.
    @Test func duringACallbackTheOwnerKeepsPDUsAndEvents() async {
        await #expect(processExitsWith: .failure) { try Self.waiting { $0.handle([0x0A, 1, 0], on: 0, now: $1) } }
        await #expect(processExitsWith: .failure) { try Self.waiting { $0.disconnect(0, now: $1) } }
        await #expect(processExitsWith: .failure) {
            try Self.waiting { $0.bondRestored(0, peer: DeviceAddress(1, .public), now: $1) }
        }
        await #expect(processExitsWith: .failure) { try Self.waiting { server, _ in _ = server.enterCallback() } }
    }

    /// Calls `body` during a callback; afterwards ends the process without an error.
    private static func waiting(_ body: (GATTServer, MonotonicInstant) -> Void) throws {
        let board = try Fixture.board()
        board.holdsCallbacks = true
        try board.exchange("12140001")
        guard board.server.isInCallback else { return }
        body(board.server, board.now)
    }

    @Test func aTokenIsValidOnce() throws {
        let board = try Fixture.board()
        board.holdsCallbacks = true
        try board.exchange("12140001")
        let token = try #require(board.openCallbacks.first)
        board.server.resume(token, now: board.now)
        #expect(board.sent() == ["13"])
        try board.exchange("12140002")
        board.server.resume(token, now: board.now)
        #expect(board.sent() == [])
        #expect(board.server.isInCallback)
    }

    @Test func aValueLongerThanAllowedIsRefusedOrDropped() throws {
        let board = try Fixture.board()
        let long = "00112233445566778899aabbccddeeff0011223344"
        try board.exchange("024000")
        #expect(try board.exchange("121400" + long.dropLast(2)) == ["13"])
        #expect(try board.exchange("121400" + long) == ["011214000d"])
        #expect(try board.exchange("521400" + long) == [])
        #expect(board.server.value(of: Fixture.command)?.count == 20)
    }

    @Test func anMTUChangeIsReportedAfterTheResponse() throws {
        let board = try Fixture.board()
        board.server.hasMTUCallback = true
        board.holdsCallbacks = true
        board.server.handle([0x02, 100, 0], on: 0, now: board.now)
        let actions = board.take()
        #expect(actions.first == .send(connection: 0, pdu: [0x03, 0xFF, 0x00]))
        guard case .mtuChanged(_?, 0, 100)? = actions.last else {
            Issue.record("\(actions)")
            return
        }
        #expect(board.server.isInCallback)
    }

    @Test func aPreferredMTUAppliesToConnectionsWithoutAnExchange() throws {
        let board = try Fixture.board()
        board.server.connect(1)
        try board.exchange("02ff00")
        board.server.setPreferredMTU(185)
        board.server.connect(2)
        #expect(try board.exchange("02ff00") == ["03ff00"])
        #expect(try board.exchange("02ff00", on: 1) == ["03b900"])
        #expect(try board.exchange("02ff00", on: 2) == ["03b900"])
        #expect(board.server.mtu(of: 2) == 185)
    }
}
