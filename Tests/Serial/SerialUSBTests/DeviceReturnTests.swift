import SerialPort
import SerialUSB
import Testing

/// Which device is taken for one that has left the bus.
struct DeviceReturnTests {
    private func device(_ product: UInt16, _ serialNumber: String?, _ location: String) -> USBIdentity {
        USBIdentity(vendor: 0x303A, product: product, serialNumber: serialNumber, location: location)
    }

    @Test(
        arguments: [
            // The same; with the ids of its ROM; with those of an application, which writes its MAC address otherwise.
            (UInt16(0x1001), "7C:DF:A1:00:00:01", true), (0x0009, "0", true), (0x4001, "7CDFA1000001", true),
            // Another chip of the same kind, and one with an application.
            (0x1001, "7C:DF:A1:00:00:02", false), (0x4001, "7cdfa1000002", false),
        ])
    func inTheSamePlace(product: UInt16, serialNumber: String, isIt: Bool) {
        let awaited = DeviceReturn(device(0x1001, "7C:DF:A1:00:00:01", "1-2"))
        #expect(awaited.index(in: []) == nil)
        #expect(awaited.index(in: [device(product, serialNumber, "1-2")]) == (isIt ? 0 : nil))
    }

    @Test func inAnotherPlace() {
        let number = "7C:DF:A1:00:00:01"
        let awaited = DeviceReturn(device(0x1001, number, "1-2"))
        let neighbours = [device(0x1001, "7C:DF:A1:00:00:02", "1-1"), device(0x0009, "0", "1-3")]
        #expect(awaited.index(in: neighbours) == nil)
        #expect(awaited.index(in: neighbours + [device(0x1001, nil, "1-4")]) == nil)
        #expect(awaited.index(in: neighbours + [device(0x1001, number, "1-4")]) == 2)
    }

    @Test func aNeighbourWithTheSameSerialNumberIsAStranger() {
        let awaited = DeviceReturn(device(0x0009, "0", "1-2"))
        let neighbour = device(0x0009, "0", "1-1")
        #expect(awaited.index(in: [neighbour]) == nil)
        #expect(awaited.index(in: [neighbour, device(0x0009, "0", "1-2")]) == 1)
    }

    @Test func ofAnotherVendor() {
        let other = USBIdentity(vendor: 0x10C4, product: 0xEA60, serialNumber: "0001", location: "1-2")
        #expect(DeviceReturn(device(0x1001, nil, "1-2")).index(in: [other]) == nil)
    }

    @Test(
        arguments: [
            ("CP2102 \n", "CP2102"), ("", nil), (" \n", nil), ("a\u{1B}[2Jb\u{7}\u{9B}", "a?[2Jb??"),
            ("\u{202E}x\u{2028}", "?x?"), ("Gerät 東", "Gerät 東"), ("a\0b", "a"),
        ] as [(String, String?)])
    func namesAreMadePrintable(text: String, printable: String?) {
        #expect(DeviceText.printable(text) == printable)
    }
}
