import SerialPort
import Testing

import SerialUSB

@Suite struct AddressTests {
    @Test(arguments: [
        ("usb:10c4:ea60", "usb:10c4:ea60"), ("usb:10C4:EA60", "usb:10c4:ea60"), ("usb:403:6001", "usb:0403:6001"),
        ("usb:303a:1001:7C:DF:A1:00:00:01", "usb:303a:1001:7C:DF:A1:00:00:01"), ("usb:1-2.4", "usb:1-2.4"),
        ("usb:0403:6010/1", "usb:0403:6010/1"), ("usb:3-1/0", "usb:3-1/0"),
    ])
    func addressesAreRead(text: String, normal: String) throws {
        #expect(try USBKind().address(text) == PortAddress(kind: "usb", text: normal))
        #expect(try USBAddress(normal)?.text == normal)
    }

    @Test(arguments: [
        "usb:", "usb:10c4", "usb:10c4:", "usb:10c4:ea60:", "usb:10c45:ea60", "usb:xyzw:ea60", "usb:1-", "usb:1-2..3",
        "usb:300-1", "usb:1-2-3", "usb:+1c4:ea60",
    ])
    func malformedAddressesAreRefused(text: String) throws {
        let error = try #require(throws: SerialPortError.self) { try USBKind().address(text) }
        #expect(error.code == .invalidAddress)
        #expect(
            error.description
                == "\(text): expected usb:VENDOR:PRODUCT[:SERIAL] or usb:BUS-PORT, e.g. usb:10c4:ea60 or usb:1-2.4")
    }

    @Test(arguments: ["/dev/ttyUSB0", "socket://usb:1", "USB:10c4:ea60", ""])
    func otherAddressesAreOfOtherKinds(text: String) throws {
        #expect(try USBKind().address(text) == nil)
    }

    @Test func anAddressMatchesIdsSerialNumberOrPlace() throws {
        let identity = USBIdentity(vendor: 0x10C4, product: 0xEA60, serialNumber: "A1", location: "1-2.4")
        let cases = [
            ("usb:10c4:ea60", true), ("usb:10c4:ea60:A1", true), ("usb:1-2.4", true), ("usb:10c4:ea60:A2", false),
            ("usb:10c4:ea70", false), ("usb:1-2", false), ("usb:1-2.4.1", false), ("usb:2-2.4", false),
        ]
        for (text, matches) in cases {
            #expect(try USBAddress(text)?.matches(identity) == matches, "\(text)")
        }
    }

    @Test(arguments: [
        (USBFault.Kind.accessDenied, SerialPortError.Code.accessDenied, "espbench's udev rule"),
        (.busy, .busy, "close its serial monitor"), (.gone, .disconnected, "was it unplugged?"),
        (.stalled, .unsupported, "opening: the device refused the request (STALL)"),
        (.timedOut, .system, "opening: the device did not answer in time"), (.other, .system, "opening: text"),
    ])
    func faultsSuggestARemedy(kind: USBFault.Kind, code: SerialPortError.Code, text: String) {
        let error = USBFault(kind, "text").error("usb:1-1", "opening")
        #expect(error.code == code)
        #expect(error.description.hasPrefix("usb:1-1: "))
        #expect(error.description.contains(text), "\(error)")
    }
}
