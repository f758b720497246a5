import BLECentralBlueZ
import BLECore
import ByteCodec
import MonotonicTime
import Testing

/// The packets of the kernel's management socket; the whole ones were recorded from Linux 6.1.0-56.
@Suite struct ManagementTests {
    private func packet(_ hexadecimal: String) throws -> ManagementPacket {
        var reader = ByteReader(try #require(Hexadecimal.bytes(hexadecimal)), subject: "test")
        let packet = try ManagementPacket(from: &reader)
        #expect(reader.remaining == 0)
        return packet
    }

    private static let supported = """
        0100ffff0f0102000058002c0003000400050006000700080009000a000b000c000d000e000f0010001100120013001400150016
        001700180019001a001b001c001d001e001f0020002100220023002400250026002700280029002a002b002c002d002e002f0030
        003100320033003400350036003700380039003a003b003c003d003e003f0040004100420043004400450046004700480049004a
        004b004c004d004e004f0050005100520053005400550056005700580059005a0003000400050006000700080009000a000b000c
        000d000e000f0010001100120013001400150016001700180019001a001b001c001d001e001f0020002100220023002400250026
        0027002a002b002c002d002e002f003000
        """.filter { $0 != "\n" }

    @Test func supportedEventsAreReadFromTheKernelsAnswer() throws {
        #expect(ManagementPacket(ReadSupportedCommands.code).bytes == [0x02, 0x00, 0xFF, 0xFF, 0x00, 0x00])
        let answer = try packet(Self.supported)
        #expect(answer.code == 0x0001 && answer.controller == ManagementPacket.noController)
        let (commands, events) = try #require(try ReadSupportedCommands.answer(answer))
        #expect(commands.count == 0x58 && commands.first == 0x0003 && commands.last == 0x005A)
        #expect(commands.contains(GetConnectionInformation.code))
        #expect(events.count == 0x2C && events.first == 0x0003 && events.contains(DeviceDisconnected.code))
        // Other packets: Index Added, and the answer to another command.
        #expect(try ReadSupportedCommands.answer(packet("040000000000")) == nil)
        #expect(try ReadSupportedCommands.answer(packet("0100ffff060001000001 1500".filter { $0 != " " })) == nil)
    }

    @Test(arguments: [(UInt8(0), UInt8?.none), (1, 0x08), (2, 0x16), (3, 0x13), (4, 0x05), (5, nil)])
    func disconnectionsHaveTheirReason(kernel: UInt8, reason: UInt8?) throws {
        // The recorded one has reason 2, Connection terminated by local host; the others are those of the documentation.
        let event = try packet("0c00000008000100c0c40a24010\(kernel)")
        let disconnected = try #require(try DeviceDisconnected(event))
        #expect(disconnected.controller == 0 && disconnected.reason == reason)
        #expect(disconnected.address == DeviceAddress(0x240A_C4C0_0001, .public))
    }

    @Test func otherAndMalformedPacketsAreNone() throws {
        // Device Connected, recorded.
        #expect(try DeviceDisconnected(packet("0b00000014000100c0c40a2401080000000700020106030300ff")) == nil)
        let random = try DeviceDisconnected(packet("0c00010008000100c0c40ae40203"))
        #expect(random?.address == DeviceAddress(0xE40A_C4C0_0001, .random) && random?.controller == 1)
        #expect(try DeviceDisconnected(packet("0c00000007000100c0c40a2401"))?.reason == nil)
        let whole = try #require(Hexadecimal.bytes("0c00000008000100c0c40a240102"))
        for count in 0..<whole.count {
            var reader = ByteReader(whole[..<count], subject: "test")
            #expect(throws: CodecError.self) { try ManagementPacket(from: &reader) }
        }
        for count in 0..<7 {
            let short = ManagementPacket(
                DeviceDisconnected.code, controller: 0, parameters: Array(whole.dropFirst(6).prefix(count)))
            #expect(throws: CodecError.self) { try DeviceDisconnected(short) }
        }
        var cut = try packet(Self.supported)
        while !cut.parameters.isEmpty {
            cut.parameters.removeLast()
            #expect(throws: CodecError.self) { try ReadSupportedCommands.answer(cut) }
        }
    }

    /// By the documentation: not recorded.
    @Test(
        arguments: [("00000000", true), ("04000000", false), ("08000000", true), ("20000000", nil), ("24000000", nil)]
            as [(String, Bool?)])
    func peersAreFoundThatAcceptConnectionsOrNot(flags: String, isConnectable: Bool?) throws {
        // RSSI -60, three bytes of data.
        let whole = try packet("120000001100" + "00c0c40a2402" + "02" + "c4" + flags + "0300" + "020106")
        let found = try #require(try DeviceFound(whole))
        #expect(found.address == DeviceAddress(0x0224_0AC4_C000, .random))
        #expect(found.controller == 0 && found.isConnectable == isConnectable)
        #expect(try DeviceFound(packet(Self.supported)) == nil)
        for count in 0..<12 {
            let cut = ManagementPacket(
                DeviceFound.code, controller: 0, parameters: Array(whole.parameters.prefix(count)))
            #expect(throws: CodecError.self) { try DeviceFound(cut) }
        }
    }

    private func found(_ flags: String, type: String = "02") throws -> DeviceFound? {
        try DeviceFound(packet("120000001100" + "00c0c40a2402" + type + "c4" + flags + "0300" + "020106"))
    }

    @Test func aPeerWithAdvertisementsOfBothKindsIsConnectable() throws {
        let (connectable, beacon) = (try #require(try found("00000000")), try #require(try found("04000000")))
        var reports = ConnectabilityReports()
        #expect(reports.isConnectable(beacon.address))
        reports.receive(beacon, at: .zero)
        #expect(!reports.isConnectable(beacon.address))
        reports.receive(connectable, at: .zero)
        reports.receive(beacon, at: .zero.advanced(by: .seconds(2)))
        #expect(reports.isConnectable(beacon.address))
        reports.receive(beacon, at: .zero.advanced(by: .seconds(6)))
        #expect(!reports.isConnectable(beacon.address))
        // The oldest report is forgotten.
        for number in 0..<1024 {
            var other = beacon
            other.address = DeviceAddress(UInt64(number), .random)
            reports.receive(other, at: .zero.advanced(by: .seconds(7 + number)))
        }
        #expect(reports.isConnectable(beacon.address) && !reports.isConnectable(DeviceAddress(0, .random)))
    }

    @Test func eventsOfClassicDevicesAreNotThoseOfLE() throws {
        #expect(try found("00000000", type: "00") == nil && found("00000000", type: "01") != nil)
        #expect(try DeviceDisconnected(packet("0c00000008000100c0c40a240002")) == nil)
    }

    /// By the documentation: not recorded.
    @Test func strengthsAreAskedForAndAnswered() throws {
        let address = DeviceAddress(0x240A_C4C0_0001, .public)
        #expect(
            Hexadecimal.string(GetConnectionInformation.command(address, on: 1).bytes) == "310001000700"
                + "0100c0c40a2401")
        let random = GetConnectionInformation.command(DeviceAddress(0xE40A_C4C0_0001, .random), on: 0)
        #expect(random.parameters.last == 2)
        // RSSI -60, TX power 0, maximum 4.
        let whole = try packet("010001000d00" + "3100" + "00" + "0100c0c40a2401" + "c4" + "00" + "04")
        let answer = try #require(try GetConnectionInformation.answer(whole))
        #expect(answer.controller == 1 && answer.address == address && (try? answer.rssi.get()) == -60)
        let ended = try #require(
            try GetConnectionInformation.answer(packet("010000000d0031000201" + "00c0c40a2401" + "7f7f7f")))
        let failure = #expect(throws: GetConnectionInformation.Failure.self) { try ended.rssi.get() }
        #expect(ended.address == address && failure.map { "\($0)" } == "not connected (0x02)")
        let refused = try #require(try GetConnectionInformation.answer(packet("020000000300" + "310014")))
        let refusal = #expect(throws: GetConnectionInformation.Failure.self) { try refused.rssi.get() }
        #expect(refused.address == nil && refusal?.status == 0x14)
        // Other packets, and cut ones.
        #expect(try GetConnectionInformation.answer(packet(Self.supported)) == nil)
        #expect(try GetConnectionInformation.answer(packet("0c00000008000100c0c40a240102")) == nil)
        for count in 0..<11 {
            let cut = ManagementPacket(0x0001, controller: 1, parameters: Array(whole.parameters.prefix(count)))
            #expect(throws: CodecError.self) { try GetConnectionInformation.answer(cut) }
        }
    }

    @Test func reasonsAreTakenInTheirOrder() throws {
        var reasons = DisconnectionReasons()
        for (kernel, path) in [("01", "/one"), ("03", "/two"), ("02", "/one"), ("03", "/three")] {
            let event = try #require(try DeviceDisconnected(packet("0c00000008000100c0c40a2401\(kernel)")))
            reasons.receive(event, of: path)
        }
        #expect(reasons.take("/one") == 0x08)
        #expect(reasons.take("/one") == 0x16)
        #expect(reasons.take("/one") == nil)
        #expect(reasons.take("/two") == 0x13)
        reasons.forget("/three")
        #expect(reasons.take("/three") == nil)
        let event = try #require(try DeviceDisconnected(packet("0c00000008000100c0c40a240101")))
        for number in 0..<100 { reasons.receive(event, of: "/\(number)") }
        #expect(reasons.take("/0") == nil && reasons.take("/99") == 0x08)
    }
}
