import BLECentral
import BLECentralBlueZ
import BLECore
import ByteCodec
import Testing

/// The packets of the kernel's monitor channel; the data was recorded from Linux 6.1.0-56 by btmon.
@Suite struct MonitorTests {
    private static let packets: [(bytes: String, controller: UInt16, event: ControllerEvent?)] = [
        // Index Information of 02:EC:00:00:00:01, of the company 0x0060.
        (
            "0a000000 0800 01000000ec026000", 0,
            .added(address: DeviceAddress(0x02EC_0000_0001, .public), company: 0x0060)
        ),
        ("02000000 0900 052006ae952465d414", 0, .packet([1, 5, 32, 6, 174, 149, 36, 101, 212, 20], isFromHost: true)),
        ("03000100 0600 0e0401052000", 1, .packet([4, 14, 4, 1, 5, 32, 0], isFromHost: false)),
        (
            "04000000 0b00 0000070003000400020502", 0,
            .packet([2, 0, 0, 7, 0, 3, 0, 4, 0, 2, 5, 2], isFromHost: true)
        ),
        (
            "05000000 0b00 0020070003000400030502", 0,
            .packet([2, 0, 32, 7, 0, 3, 0, 4, 0, 3, 5, 2], isFromHost: false)
        ),
        ("01000300 0000", 3, .removed),
        // New Index, Open Index, and an opcode of the future.
        ("00000000 1000 000001000000ec026863693000000000", 0, nil), ("08000000 0000", 0, nil),
        ("ff7f0000 0000", 0, nil),
    ]

    @Test(arguments: packets.indices)
    func packetsAreThoseOfAController(index: Int) throws {
        let (hexadecimal, controller, event) = Self.packets[index]
        let bytes = try #require(Hexadecimal.bytes(hexadecimal.filter { $0 != " " }))
        var reader = ByteReader(bytes, subject: "test")
        let packet = try MonitorPacket(from: &reader)
        #expect(packet.controller == controller && packet.event == event)
        for count in 0..<bytes.count {
            var reader = ByteReader(bytes[..<count], subject: "test")
            #expect(throws: CodecError.self) { try MonitorPacket(from: &reader) }
        }
    }

    @Test func shortInformationIsMalformed() throws {
        var reader = ByteReader([10, 0, 0, 0, 7, 0, 1, 0, 0, 0, 0xEC, 2, 0x60], subject: "test")
        #expect(throws: CodecError.self) { try MonitorPacket(from: &reader) }
    }
}
