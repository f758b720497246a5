import BLECore
import BLEHost
import BLEPackets
import Testing

/// The differences between a server by the specification and NimBLE's: each is tested with both behaviours.
@Suite struct GATTServerBehaviourTests {
    typealias Fixture = GATTServerFixture

    private func expect(
        _ request: String, nimble: [String], specification: [String], after requests: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for (behaviour, expected) in [(HostBehaviour.nimble, nimble), (.specification, specification)] {
            let board = try Fixture.board(behaviour)
            for request in requests { try board.exchange(request) }
            #expect(try board.exchange(request) == expected, "\(behaviour)", sourceLocation: sourceLocation)
        }
    }

    @Test func aWriteRequestNeedsThePropertyWrite() throws {
        for behaviour in HostBehaviour.allCases {
            var builder = GATTDatabaseBuilder(deviceName: "")
            let service = builder.addService(.uuid16(0xAA00))
            builder.addCharacteristic(.uuid16(0xAA01), to: service, properties: .writeWithoutResponse)
            builder.addCharacteristic(.uuid16(0xAA02), to: service, properties: .write)
            let board = GATTServerBoard(try builder.register(), behaviour)
            board.server.connect(0)
            let isStrict = behaviour == .specification
            #expect(try board.exchange("12100001") == [isStrict ? "0112100003" : "13"])
            #expect(try board.exchange("161000000001") == [isStrict ? "0116100003" : "171000000001"])
            try board.exchange("52100002")
            #expect(board.server.value(of: 0x10) == [2])
            try board.exchange("52120003")
            #expect(board.server.value(of: 0x12) == (isStrict ? [] : [3]))
            #expect(try board.exchange("12120004") == ["13"])
        }
    }

    @Test(arguments: ["0a10", "0c1000", "0801", "1001000200", "02", "120000".prefix(4).description, "18"])
    func aRequestThatIsTooShortIsAnInvalidPDU(request: String) throws {
        let opcode = request.prefix(2)
        try expect(request, nimble: [], specification: ["01\(opcode)000004"])
    }

    @Test func surplusBytesAreAnInvalidPDU() throws {
        try expect("0a03000000", nimble: ["0b46697874757265"], specification: ["010a000004"])
        try expect("1802", nimble: ["19"], specification: ["0118000004"])
        try expect("0e0300", nimble: ["0f46697874757265"], specification: ["010e000004"])
        try expect("0e03001000ff", nimble: ["0f46697874757265"], specification: ["010e000004"])
    }

    /// A command of MTU + 2 bytes; the MTU is 23.
    @Test func aPDULongerThanTheMTUIsDropped() throws {
        for (behaviour, count) in [(HostBehaviour.nimble, 1), (.specification, 0)] {
            let board = try Fixture.board(behaviour)
            let response = try board.exchange("160000" + "0000" + String(repeating: "00", count: 20))
            #expect(response.count == count)
        }
    }

    /// The GATT service (1801) is found by its whole UUID only.
    @Test func findByTypeValueMatchesWholeValues() throws {
        try expect("060100ffff0028011800", nimble: ["0706000d00"], specification: ["010601000a"])
        try expect("060100ffff00280118", nimble: ["0706000d00"], specification: ["0706000d00"])
    }

    @Test func readBlobOfADeclarationBeginsAtTheOffset() throws {
        try expect("0c0f000300", nimble: ["0d02100001aa"], specification: ["0d01aa"])
        try expect("0c17000100", nimble: ["0d0000"], specification: ["0d00"])
        try expect("0c17000300", nimble: ["0d0000"], specification: ["010c170007"])
    }

    @Test func valuesAreSentToSubscribedClientsOnly() throws {
        for behaviour in HostBehaviour.allCases {
            let board = try Fixture.board(behaviour)
            board.server.connect(1)
            try board.exchange("1217000100", on: 1)
            for connection in [nil, 0, 1] as [UInt16?] {
                let isSent = board.server.send(
                    [5], of: Fixture.both, isIndication: false, to: connection, now: board.now)
                #expect(isSent == (behaviour == .nimble || connection != 0))
                let count = behaviour == .nimble && connection == nil ? 2 : isSent ? 1 : 0
                #expect(board.sent() == Array(repeating: "1b160005", count: count))
            }
            #expect(
                board.server.send([5], of: Fixture.both, isIndication: true, to: 1, now: board.now)
                    == (behaviour == .nimble))
        }
    }

    @Test func aSubscriptionRequiresTheSecurityOfReading() throws {
        for behaviour in HostBehaviour.allCases {
            var builder = GATTDatabaseBuilder(deviceName: "")
            let service = builder.addService(.uuid16(0xAA00))
            builder.addCharacteristic(
                .uuid16(0xAA01), to: service, properties: [.read, .notify, .readEncrypted])
            let board = GATTServerBoard(try builder.register(), behaviour)
            board.server.connect(0)
            board.server.handle([0x12, 0x11, 0, 1, 0], on: 0, now: board.now)
            let actions = board.take()
            #expect(actions.contains(.startSecurity(connection: 0)) == (behaviour == .nimble))
            let answer: [UInt8] = behaviour == .nimble ? [0x13] : [0x01, 0x12, 0x11, 0, 0x05]
            #expect(actions.contains(.send(connection: 0, pdu: answer)))
            board.server.setSecurity(GATTSecurity(isEncrypted: true), of: 0)
            #expect(try board.exchange("1211000100") == ["13"])
        }
    }

    @Test func unsupportedConfigurationBitsAreRefused() throws {
        try expect("121c000100", nimble: ["01121c0006"], specification: ["01121c0013"])
    }

    /// An unsolicited response does not release the second indication.
    @Test func theNextIndicationWaitsForAConfirmation() throws {
        for (behaviour, count) in [(HostBehaviour.nimble, 1), (.specification, 0)] {
            let board = try Fixture.board(behaviour)
            try board.exchange("1217000200")
            for value in [UInt8(1), 2] {
                board.server.send([value], of: Fixture.both, isIndication: true, to: 0, now: board.now)
            }
            #expect(board.sent() == ["1d160001"])
            #expect(try board.exchange("13").count == count)
            #expect(try board.exchange("1e").count == 1 - count)
        }
    }

    @Test func aRestoredSubscriptionSendsNothing() throws {
        let peer = DeviceAddress(0x1234, .public)
        for (behaviour, expected) in [(HostBehaviour.nimble, ["1b1600b0"]), (.specification, [])] {
            let board = try Fixture.board(behaviour)
            try board.exchange("1217000100")
            board.server.bondEstablished(0, peer: peer)
            board.server.notifySubscribers(of: Fixture.both, now: board.now)
            #expect(board.sent() == ["1b1600b0"])
            board.server.disconnect(0, now: board.now)
            _ = board.take()
            board.server.connect(1)
            board.server.bondRestored(1, peer: peer, now: board.now)
            #expect(board.sent() == expected)
            // Both servers have restored it.
            board.server.notifySubscribers(of: Fixture.both, now: board.now)
            #expect(board.sent() == ["1b1600b0"])
        }
    }

    @Test func theApplicationCanRefuseReadsAndWrites() throws {
        for behaviour in HostBehaviour.allCases {
            let isStrict = behaviour == .specification
            let board = try Fixture.board(behaviour)
            try board.exchange("12140001")
            board.refusal = .outOfRange
            #expect(try board.exchange("12140002") == [isStrict ? "01121400ff" : "13"])
            #expect(board.server.value(of: Fixture.command) == [isStrict ? 1 : 2])
            #expect(try board.exchange("0a1200") == [isStrict ? "010a1200ff" : "0b01"])
            #expect(try board.exchange("0e12000300").first?.prefix(2) == (isStrict ? "01" : "0f"))
            try board.exchange("161400000003")
            #expect(try board.exchange("1801") == [isStrict ? "01181400ff" : "19"])
        }
    }
}
