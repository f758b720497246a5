import BLECore
import BLEHost
import Testing

@Suite struct GATTDatabaseTests {
    @Test func handlesFollowTheOrderOfServicesNotOfCalls() throws {
        var builder = GATTDatabaseBuilder(deviceName: "Layout")
        let first = builder.addService(.uuid16(0x180F))
        let second = builder.addService(try AttributeType("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"))
        let late = builder.addCharacteristic(.uuid16(0xAA01), to: second, properties: [.read, .notify])
        let early = builder.addCharacteristic(.uuid16(0x2A19), to: first, properties: .read)
        let byHand = builder.addDescriptor(.uuid16(0x2902), to: late, properties: [.read, .write])
        let description = builder.addDescriptor(.uuid16(0x2901), to: late, properties: .read)
        let database = try builder.register()
        #expect(database.handle(of: first) == 14)
        #expect(database.valueHandle(of: early) == 16)
        #expect(database.handle(of: second) == 17)
        #expect(database.valueHandle(of: late) == 19)
        // 20 is the automatic configuration of NOTIFY; the one created explicitly does not exist.
        #expect(database.handle(of: byHand) == nil)
        #expect(database.handle(of: description) == 21)
    }

    @Test func aDeviceNameIsTruncatedTo31Bytes() throws {
        let board = GATTServerBoard(
            try GATTDatabaseBuilder(deviceName: String(repeating: "n", count: 40), appearance: 0x0341).register())
        #expect(board.server.value(of: 3)?.count == 31)
        #expect(board.server.value(of: 5) == [0x41, 0x03])
    }

    @Test func declarationsShowPropertiesAndTheExtendedBit() throws {
        var builder = GATTDatabaseBuilder(deviceName: "Layout")
        let service = builder.addService(.uuid16(0xAA00))
        builder.addCharacteristic(
            .uuid16(0xAA01), to: service, properties: [.broadcast, .read, .writeWithoutResponse, .readEncrypted])
        builder.addCharacteristic(.uuid16(0xAA02), to: service, properties: [.write, .reliableWrites])
        let board = GATTServerBoard(try builder.register())
        board.server.connect(0)
        #expect(try board.exchange("0a0f00") == ["0b07100001aa"])
        #expect(try board.exchange("0a1100") == ["0b88120002aa"])
    }

    @Test func anInitialValueLongerThanAllowedBecomesEmpty() throws {
        var builder = GATTDatabaseBuilder(deviceName: "Values")
        let service = builder.addService(.uuid16(0xAA00))
        let short = builder.addCharacteristic(
            .uuid16(0xAA01), to: service, properties: .read, maximumLength: 2, value: [1, 2, 3])
        let long = builder.addCharacteristic(
            .uuid16(0xAA02), to: service, properties: .read, maximumLength: 600, value: [1])
        let database = try builder.register()
        let server = GATTServer(database: database)
        #expect(server.value(of: database.valueHandle(of: short)) == [])
        server.setValue([7, 8], of: database.valueHandle(of: short))
        #expect(server.value(of: database.valueHandle(of: short)) == [7, 8])
        server.setValue([7, 8, 9], of: database.valueHandle(of: short))
        #expect(server.value(of: database.valueHandle(of: short)) == [])
        // The maximum of an attribute is 512 bytes, whatever the sketch requests.
        server.setValue(Array(repeating: 5, count: 512), of: database.valueHandle(of: long))
        #expect(server.value(of: database.valueHandle(of: long))?.count == 512)
        server.setValue(Array(repeating: 5, count: 513), of: database.valueHandle(of: long))
        #expect(server.value(of: database.valueHandle(of: long)) == [])
        #expect(server.value(of: 0) == nil)
        #expect(server.value(of: 0xFFFF) == nil)
    }

    @Test func tooManyAttributesAreAnErrorWithTheirNumber() throws {
        var builder = GATTDatabaseBuilder(deviceName: "Full")
        let service = builder.addService(.uuid16(0xAA00))
        for _ in 0..<32_760 { builder.addCharacteristic(.uuid16(0xAA01), to: service, properties: .read) }
        _ = try builder.register()
        builder.addCharacteristic(.uuid16(0xAA01), to: service, properties: .read)
        #expect {
            _ = try builder.register()
        } throws: { error in
            "\(error)" == "GATT database: expected at most 65534 attributes, got 65536"
        }
    }
}
