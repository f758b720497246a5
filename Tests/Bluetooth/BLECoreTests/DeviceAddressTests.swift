import BLECore
import ByteCodec
import Testing

@Suite struct DeviceAddressTests {
    /// Core 5.4, Vol 4 Part E 5.2: parameters are little-endian, so the last byte of the text comes first.
    @Test func hciBytesAreInReverseOrder() throws {
        let address = try #require(DeviceAddress("24:0A:C4:00:01:10", .public))
        var writer = ByteWriter()
        address.write(to: &writer)
        #expect(writer.bytes == [0x10, 0x01, 0x00, 0xC4, 0x0A, 0x24] && address.littleEndianBytes == writer.bytes)
        var reader = ByteReader(writer.bytes, subject: "Address")
        #expect(try DeviceAddress(from: &reader, .public) == address)
        try reader.end()
        #expect(address.value == 0x240A_C400_0110)
    }

    @Test func textIsFormattedInUpperCase() {
        #expect(DeviceAddress("c0:ff:ee:00:00:0a", .random)?.description == "C0:FF:EE:00:00:0A")
    }

    @Test func publicAndRandomAddressesDiffer() {
        #expect(DeviceAddress(1, .public) != DeviceAddress(1, .random))
    }

    /// The sample address of Core 5.4, Vol 3 Part H D.7, and addresses of every other kind.
    @Test(arguments: [
        (0x7081_940D_FBAA, DeviceAddress.Kind.random, true), (0x7081_940D_FBAA, .public, false),
        (0x3081_940D_FBAA, .random, false), (0xF081_940D_FBAA, .random, false), (0xB081_940D_FBAA, .random, false),
    ])
    func onlyResolvablePrivateAddressesAreResolvable(value: UInt64, kind: DeviceAddress.Kind, isPrivate: Bool) {
        #expect(DeviceAddress(value, kind).isResolvablePrivate == isPrivate)
    }

    @Test func bitsAbove48AreIgnored() {
        #expect(DeviceAddress(0xFFFF_0000_0000_0001, .public) == DeviceAddress(1, .public))
    }

    @Test(arguments: [
        "", "24", "24:0A:C4:00:01", "24:0A:C4:00:01:10:22", "240AC4000110", "24-0A-C4-00-01-10", "24:0A:C4:00:01:1",
        "24:0A:C4:00:01:1G", "24:0A:C4:00:01:", ":24:0A:C4:00:01", "2:40A:C4:00:01:10", "2 :4 :C4:00:01:10",
        "24:0A:C4:00:--:10", "24:0A:C4:00:01:10 ",
    ])
    func invalidTextIsRejected(text: String) {
        #expect(DeviceAddress(text, .public) == nil)
    }

    @Test(arguments: 0..<6) func truncatedBytesAreAnError(length: Int) {
        var reader = ByteReader([UInt8](repeating: 1, count: length), subject: "Address")
        #expect(throws: CodecError.self) { try DeviceAddress(from: &reader, .public) }
    }
}
