import BLECentralBlueZ
import BLECore
import ByteCodec
import Testing

/// The packets of the kernel's management socket.
@Suite struct ManagementTests {
    private func packet(_ hexadecimal: String) throws -> ManagementPacket {
        var reader = ByteReader(try #require(Hexadecimal.bytes(hexadecimal)), subject: "test")
        return try ManagementPacket(from: &reader)
    }

    @Test func commandIsWritten() {
        #expect(ManagementPacket(ReadSupportedCommands.code).bytes == [0x02, 0x00, 0xFF, 0xFF, 0x00, 0x00])
    }
}
