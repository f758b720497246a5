import BLECore
import BLEHost
import ByteCodec
import Testing

@Suite struct GATTServerReadTests {
    typealias Fixture = GATTServerFixture

    @Test func aLongValueIsReadInParts() throws {
        let board = try Fixture.board()
        let value = (0..<100).map { UInt8($0) }
        board.server.setValue(value, of: Fixture.plain)
        let text = Hexadecimal.string(value)
        // 22 bytes at MTU 23: 44 digits.
        #expect(try board.exchange("0a1000") == ["0b" + text.prefix(44)])
        #expect(try board.exchange("0c10000000") == ["0d" + text.prefix(44)])
        #expect(try board.exchange("0c10001600") == ["0d" + text.dropFirst(44).prefix(44)])
        #expect(try board.exchange("0c10005800") == ["0d" + text.suffix(24)])
        #expect(try board.exchange("0c10006400") == ["0d"])
        #expect(try board.exchange("0c10006500") == ["010c100007"])
        #expect(try board.exchange("02c800") == ["03ff00"])
        #expect(try board.exchange("0a1000") == ["0b" + text])
        #expect(board.server.mtu(of: 0) == 200)
    }

    @Test(arguments: [(19, "0915"), (20, "010810000e"), (400, "010810000e")])
    func readByTypeReadsUpTo19Bytes(length: Int, answer: String) throws {
        let board = try Fixture.board()
        board.server.setValue(Array(repeating: 0x55, count: length), of: Fixture.plain)
        _ = try board.exchange("02ff00")
        let received = try board.exchange("080100ffff01aa")
        #expect(received.count == 1)
        #expect(received[0].hasPrefix(answer))
    }

    @Test(arguments: [(16, "0710001000"), (17, "010601000e")])
    func findByTypeValueAcceptsUpTo16Bytes(length: Int, answer: String) throws {
        let board = try Fixture.board()
        let value = Array(repeating: UInt8(0x55), count: length)
        board.server.setValue(value, of: Fixture.plain)
        _ = try board.exchange("024000")
        #expect(try board.exchange("060100ffff01aa" + Hexadecimal.string(value)) == [answer])
    }

    @Test func findByTypeValueComparesAsManyBytesAsTheAttributeHas() throws {
        let board = try Fixture.board()
        board.server.setValue([1, 2], of: Fixture.plain)
        #expect(try board.exchange("060100ffff01aa0102") == ["0710001000"])
        #expect(try board.exchange("060100ffff01aa010203") == ["0710001000"])
        #expect(try board.exchange("060100ffff01aa01") == ["010601000a"])
    }

    @Test func descriptorsAreRead() throws {
        let board = try Fixture.board()
        #expect(try board.exchange("0a1800") == ["0b626f7468206b696e6473"])
        #expect(try board.exchange("0a1900") == ["0b04000027010000"])
        #expect(try board.exchange("080100ffff0429") == ["09091900" + "04000027010000"])
        #expect(try board.exchange("0417001900") == ["0501170002291800012919000429"])
        #expect(try board.exchange("1218000041") == ["0112180003"])
    }

    /// NimBLE calls `onRead` for these only.
    @Test func theReadCallbackRunsForReadReadBlobAtZeroAndReadMultiple() throws {
        let board = try Fixture.board()
        var calls = 0
        board.application = { board, action in
            guard case .readRequested(_, Fixture.observed, 0) = action else { return }
            calls += 1
            board.server.setValue([UInt8(calls), 0xEE], of: Fixture.observed)
        }
        #expect(try board.exchange("0a1200") == ["0b01ee"])
        #expect(try board.exchange("0c12000000") == ["0d02ee"])
        #expect(try board.exchange("0e120012001200") == ["0f03ee04ee05ee"])
        #expect(calls == 5)
        #expect(try board.exchange("0c12000100") == ["0dee"])
        #expect(try board.exchange("080100ffff02aa") == ["0904120005ee"])
        #expect(try board.exchange("2012001200") == ["21020005ee020005ee"])
        #expect(try board.exchange("060100ffff02aa05ee") == ["0712001200"])
        #expect(calls == 5)
    }

    @Test func theValueIsReadAfterTheCallback() throws {
        let board = try Fixture.board()
        board.holdsCallbacks = true
        #expect(try board.exchange("0a1200") == [])
        #expect(board.server.isInCallback)
        board.server.setValue([9], of: Fixture.observed)
        try board.resume()
        #expect(board.take() == [.send(connection: 0, pdu: [0x0B, 9])])
    }

    @Test func anEmptyValueDoesNotDetermineTheLengthInReadByType() throws {
        var builder = GATTDatabaseBuilder(deviceName: "Empty")
        let service = builder.addService(.uuid16(0xAA00))
        builder.addCharacteristic(.uuid16(0xAA01), to: service, properties: .read)
        builder.addCharacteristic(.uuid16(0xAA01), to: service, properties: .read, value: [7])
        let board = GATTServerBoard(try builder.register())
        board.server.connect(0)
        #expect(try board.exchange("080100ffff01aa") == ["0903" + "1000" + "120007"])
    }

    @Test func servicesOf16And128BitsDoNotShareAResponse() throws {
        var builder = GATTDatabaseBuilder(deviceName: "Services")
        _ = builder.addService(try AttributeType("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"))
        // A 16-bit UUID in its 128-bit form stays one of 128 bits.
        _ = builder.addService(.uuid128(BLEUUID(0x180F)))
        _ = builder.addService(.uuid16(0x180F))
        let board = GATTServerBoard(try builder.register())
        board.server.connect(0)
        try board.exchange("02ff00")
        #expect(try board.exchange("100100ffff0028") == ["110601000500001806000d000118"])
        #expect(
            try board.exchange("100e00ffff0028") == [
                "11140e000e0079500a0a8da0a894b744c32fc1fcc0eb0f000f00fb349b5f80000080001000000f180000"
            ])
        #expect(try board.exchange("101000ffff0028") == ["11061000ffff0f18"])
        #expect(try board.exchange("060100ffff00280f18") == ["0710001000"])
    }
}
