import BLECore
import BLEHost
import BLEPackets
import Testing

/// A server's stored state of bonded clients.
@Suite struct GATTServerBondTests {
    private static let peer = DeviceAddress(0x0000_0000_00A1, .public)
    private static let other = DeviceAddress(0x0000_0000_00A2, .public)

    /// A server with nine characteristics that notify, on handles 0x0010, 0x0013, …
    private func many() throws -> GATTServerBoard {
        var builder = GATTDatabaseBuilder(deviceName: "Many")
        let service = builder.addService(.uuid16(0xAA00))
        for _ in 0..<9 { builder.addCharacteristic(.uuid16(0xAA01), to: service, properties: .notify) }
        let board = GATTServerBoard(try builder.register())
        board.server.connect(0)
        return board
    }

    private func configuration(_ index: Int) -> UInt16 { 0x0011 + 3 * UInt16(index) }

    private func subscribe(_ index: Int, _ board: GATTServerBoard, on connection: UInt16 = 0) throws -> [String] {
        let handle = String(configuration(index), radix: 16)
        return try board.exchange("12\(handle)000100", on: connection)
    }

    @Test func subscriptionsBeforeAndAfterBondingAreStored() throws {
        let board = try many()
        _ = try subscribe(0, board)
        #expect(board.server.storedSubscriptions == [])
        board.server.bondEstablished(0, peer: Self.peer)
        #expect(board.take() == [.subscriptionsStored, .subscriptionsStored])
        _ = try subscribe(1, board)
        #expect(board.server.storedSubscriptions.map(\.valueHandle) == [0x0010, 0x0013])
        #expect(try board.exchange("1211000000") == ["13"])
        #expect(board.server.storedSubscriptions.map(\.valueHandle) == [0x0013])
        board.server.forgetSubscriptions(of: Self.peer)
        #expect(board.server.storedSubscriptions == [])
        #expect(board.server.storedFeatures == [])
    }

    @Test func aRestoredSubscriptionIsReportedAndAChangedValueSentOnce() throws {
        let board = try GATTServerFixture.board()
        let record = StoredSubscription(
            peer: Self.peer, valueHandle: GATTServerFixture.both, flags: 1, hasChanged: true)
        board.server.setStored([record], features: [StoredFeatures(peer: Self.peer, features: 5)])
        #expect(try board.exchange("0a1700") == ["0b0000"])
        board.server.bondRestored(0, peer: Self.peer, now: board.now)
        let actions = board.take()
        guard case .subscribed(_, GATTServerFixture.both, 0, 1) = actions.first else {
            Issue.record("expected the subscription first, got \(actions)")
            return
        }
        #expect(actions.contains(.send(connection: 0, pdu: [0x1B, 0x16, 0x00, 0xB0])))
        #expect(try board.exchange("0a1700") == ["0b0100"])
        #expect(try board.exchange("0a0d00") == ["0b05"])
        #expect(board.server.storedSubscriptions.map(\.hasChanged) == [false])
        board.server.disconnect(0, now: board.now)
        #expect(board.sent() == [])
        board.server.connect(0)
        board.server.bondRestored(0, peer: Self.peer, now: board.now)
        #expect(board.sent() == [])
    }

    /// NimBLE looks up the clients' connections with the wrong address and finds none.
    @Test func aNotificationMarksTheValueChangedForAllStoredClients() throws {
        let board = try many()
        let records = [(Self.other, 0), (Self.peer, 0), (Self.peer, 1)].map {
            StoredSubscription(peer: $0, valueHandle: configuration($1) - 1, flags: 1, hasChanged: false)
        }
        board.server.setStored(records, features: [])
        board.server.bondRestored(0, peer: Self.peer, now: board.now)
        #expect(board.sent() == [])
        board.server.notifySubscribers(of: configuration(0) - 1, now: board.now)
        #expect(board.sent() == ["1b1000"])
        #expect(board.server.storedSubscriptions.map(\.hasChanged) == [true, true, false])
        board.server.disconnect(0, now: board.now)
        board.server.connect(0)
        board.server.bondRestored(0, peer: Self.peer, now: board.now)
        #expect(board.sent() == ["1b1000"])
        #expect(board.server.storedSubscriptions.map(\.hasChanged) == [true, false, false])
    }

    @Test func valuesNotifiedDuringRestoringAreSentOnce() throws {
        let board = try many()
        let records = [true, false].enumerated().map {
            StoredSubscription(
                peer: Self.peer, valueHandle: configuration($0) - 1, flags: 1, hasChanged: $1)
        }
        board.server.setStored(records, features: [])
        for index in 0..<2 { board.server.setHasCallbacks(true, of: configuration(index) - 1) }
        board.holdsCallbacks = true
        board.server.bondRestored(0, peer: Self.peer, now: board.now)
        // In the first one's subscribe callback the application notifies both.
        #expect(board.sent() == [])
        for index in 0..<2 { board.server.notifySubscribers(of: configuration(index) - 1, now: board.now) }
        try board.resume()
        // The first one's old change.
        #expect(board.sent() == ["1b1000"])
        try board.resume()
        // The second one's, and the first one's new change.
        #expect(board.sent() == ["1b1300", "1b1000"])
        #expect(board.server.storedSubscriptions.map(\.flags) == [1, 1])
        #expect(board.server.storedSubscriptions.map(\.hasChanged) == [false, false])
    }

    @Test func aChangedValueWaitsForTheConfirmationOfAnIndication() throws {
        let board = try GATTServerFixture.board()
        let records = [GATTServerFixture.both, GATTServerFixture.indicating].map {
            StoredSubscription(peer: Self.peer, valueHandle: $0, flags: 2, hasChanged: true)
        }
        board.server.setStored(records, features: [])
        board.server.bondRestored(0, peer: Self.peer, now: board.now)
        #expect(board.sent() == ["1d1600b0"])
        #expect(try board.exchange("1e") == ["1d1b00c0"])
        #expect(try board.exchange("1e") == [])
        #expect(board.server.storedSubscriptions.map(\.hasChanged) == [false, false])
    }

    @Test func theNinthSubscriptionDeletesAnotherClientsBond() throws {
        let board = try many()
        board.server.makeRoom = { [unowned board] spared in
            #expect(spared == Self.peer)
            guard board.server.storedSubscriptions.contains(where: { $0.peer == Self.other }) else {
                return .requestNotSupported
            }
            board.server.forgetSubscriptions(of: Self.other)
            return nil
        }
        board.server.connect(1)
        board.server.bondEstablished(1, peer: Self.other)
        _ = try subscribe(0, board, on: 1)
        board.server.bondEstablished(0, peer: Self.peer)
        for index in 0..<8 { #expect(try subscribe(index, board) == ["13"]) }
        #expect(board.server.storedSubscriptions.map(\.peer) == Array(repeating: Self.peer, count: 8))
        // The ninth subscription of a single client is refused with the code of NimBLE's store; it is active while the
        // client is connected.
        #expect(try subscribe(8, board) == ["0112290006"])
        #expect(try board.exchange("0a2900") == ["0b0100"])
        #expect(board.server.storedSubscriptions.count == 8)
        // There is no record to remove, either: BLE_HS_ENOENT.
        #expect(try board.exchange("1229000000") == ["0112290005"])
        board.server.maximumStoredSubscriptions = 9
        #expect(try subscribe(8, board) == ["13"])
        #expect(board.server.storedSubscriptions.count == 9)
        // A queued write is refused as one.
        board.server.maximumStoredSubscriptions = 8
        #expect(try board.exchange("1229000000") == ["13"])
        _ = try board.exchange("16290000000100")
        #expect(try board.exchange("1801") == ["0118290006"])
    }

    @Test func aFeaturesRecordBeyondTheCapacityDeletesAnotherClientsBond() throws {
        let board = try many()
        board.server.maximumStoredFeatures = 1
        board.server.makeRoom = { [unowned board] spared in
            guard spared == Self.peer else { return .requestNotSupported }
            board.server.forgetSubscriptions(of: Self.other)
            return nil
        }
        board.server.connect(1)
        board.server.bondEstablished(1, peer: Self.other)
        board.server.bondEstablished(0, peer: Self.peer)
        #expect(board.server.storedFeatures == [StoredFeatures(peer: Self.peer, features: 0)])
        board.server.bondEstablished(1, peer: Self.other)
        #expect(board.server.storedFeatures == [StoredFeatures(peer: Self.peer, features: 0)])
        #expect(try board.exchange("120d0001") == ["13"])
        #expect(board.server.storedFeatures == [StoredFeatures(peer: Self.peer, features: 1)])
        // NimBLE removes the old record before it writes the new one, and finds none.
        #expect(try board.exchange("120d0001", on: 1) == ["01120d0005"])
    }

    @Test func subscribingToAProtectedCharacteristicWithoutEncryptionRequestsSecurity() throws {
        var builder = GATTDatabaseBuilder(deviceName: "Secret")
        let service = builder.addService(.uuid16(0xAA00))
        builder.addCharacteristic(.uuid16(0xAA01), to: service, properties: [.read, .notify, .readEncrypted])
        builder.addCharacteristic(.uuid16(0xAA02), to: service, properties: [.read, .notify, .writeEncrypted])
        let board = GATTServerBoard(try builder.register())
        board.server.connect(0)
        func asks(_ pdu: [UInt8]) -> Bool {
            board.server.handle(pdu[...], on: 0, now: board.now)
            return board.take().contains(.startSecurity(connection: 0))
        }
        #expect(asks([0x12, 0x11, 0, 1, 0]))
        #expect(!asks([0x12, 0x14, 0, 1, 0]))
        board.server.setSecurity(GATTSecurity(isEncrypted: true), of: 0)
        #expect(!asks([0x12, 0x11, 0, 0, 0]))
    }
}
