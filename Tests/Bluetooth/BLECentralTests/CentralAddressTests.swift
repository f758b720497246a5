import BLECentral
import Testing

@Suite("Addresses of centrals") struct CentralAddressTests {
    @Test(
        "are read as they are written",
        arguments: [
            ("bluez", CentralAddress.bluez(adapter: nil)), ("bluez:hci0", .bluez(adapter: "hci0")),
            ("bluez:hci12", .bluez(adapter: "hci12")), ("corebluetooth", .coreBluetooth),
            ("h4:127.0.0.1:9544", .h4(.tcp(host: "127.0.0.1", port: 9544))),
            ("h4:bench.local:1", .h4(.tcp(host: "bench.local", port: 1))),
            ("h4:[::1]:9544", .h4(.tcp(host: "::1", port: 9544))),
            ("h4:/dev/ttyUSB0", .h4(.tty(path: "/dev/ttyUSB0", baudRate: 115_200))),
            ("h4:/dev/ttyACM1,1000000", .h4(.tty(path: "/dev/ttyACM1", baudRate: 1_000_000))),
        ])
    func reading(text: String, address: CentralAddress) throws {
        #expect(try CentralAddress(text) == address)
        #expect(address.description == text)
    }

    @Test("are also read as servers print them")
    func served() throws {
        #expect(try CentralAddress("h4://127.0.0.1:9544") == .h4(.tcp(host: "127.0.0.1", port: 9544)))
    }

    @Test(
        "are refused with the forms that were expected",
        arguments: [
            ("", #"expected bluez, bluez:hciN, h4:HOST:PORT, h4:/dev/TTY[,BAUD] or corebluetooth, got """#),
            ("hci0", "expected bluez, bluez:hciN, h4:HOST:PORT, h4:/dev/TTY[,BAUD] or corebluetooth, got \"hci0\""),
            ("h4", "expected bluez, bluez:hciN, h4:HOST:PORT, h4:/dev/TTY[,BAUD] or corebluetooth, got \"h4\""),
            ("corebluetooth:1", "expected bluez, bluez:hciN, h4:HOST:PORT, h4:/dev/TTY[,BAUD] or corebluetooth"),
            ("bluez:", "expected bluez or bluez:hciN, e.g. bluez:hci0, got \"bluez:\""),
            ("bluez:hci", "expected bluez or bluez:hciN"), ("bluez:hci/0", "expected bluez or bluez:hciN"),
            ("bluez:hci123456", "expected bluez or bluez:hciN"), ("bluez:usb0", "expected bluez or bluez:hciN"),
            ("h4:", "expected h4:HOST:PORT with a port from 1 to 65535 or h4:/dev/TTY[,BAUD], got \"h4:\""),
            ("h4:localhost", "with a port from 1 to 65535"), ("h4:localhost:0", "with a port from 1 to 65535"),
            ("h4:localhost:65536", "with a port from 1 to 65535"), ("h4::1", "expected h4:HOST:PORT or h4:[IPV6]:PORT"),
            ("h4:::1:80", "expected h4:HOST:PORT or h4:[IPV6]:PORT, got \"h4:::1:80\""),
            ("h4:[]:80", "expected h4:HOST:PORT or h4:[IPV6]:PORT"),
            ("h4:/dev/ttyUSB0,fast", "with a rate from 1200 to 12000000, got \"h4:/dev/ttyUSB0,fast\""),
            ("h4:/dev/ttyUSB0,0", "with a rate from 1200 to 12000000"),
            ("h4:/dev/ttyUSB0,99999999999999999999", "with a rate from 1200 to 12000000"),
        ])
    func refusal(text: String, part: String) {
        let error = #expect(throws: CentralAddressError.self) { try CentralAddress(text) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "none")")
    }
}
