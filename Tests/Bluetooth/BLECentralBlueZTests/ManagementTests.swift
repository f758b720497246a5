import BLECentralBlueZ
import BLECore
import ByteCodec
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
        let events = try #require(try ReadSupportedCommands.events(answer))
        #expect(events.count == 0x2C && events.first == 0x0003 && events.contains(DeviceDisconnected.code))
        // Other packets: Index Added, and the answer to another command.
        #expect(try ReadSupportedCommands.events(packet("040000000000")) == nil)
        #expect(try ReadSupportedCommands.events(packet("0100ffff060001000001 1500".filter { $0 != " " })) == nil)
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
            #expect(throws: CodecError.self) { try ReadSupportedCommands.events(cut) }
        }
    }

    @Test func aReasonIsTakenOnce() throws {
        var reasons = DisconnectionReasons()
        for (kernel, path) in [("01", "/one"), ("03", "/two"), ("02", "/one")] {
            let event = try #require(try DeviceDisconnected(packet("0c00000008000100c0c40a2401\(kernel)")))
            reasons.receive(event, of: path)
        }
        #expect(reasons.take("/one") == 0x16)
        #expect(reasons.take("/one") == nil)
        #expect(reasons.take("/two") == 0x13)
        let event = try #require(try DeviceDisconnected(packet("0c00000008000100c0c40a240101")))
        for number in 0..<100 { reasons.receive(event, of: "/\(number)") }
        #expect(reasons.take("/0") == nil && reasons.take("/99") == 0x08)
    }
}
