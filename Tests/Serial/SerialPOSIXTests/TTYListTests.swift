import Foundation
import SerialPOSIX
import SerialPort
import Testing

#if os(Linux)
    /// The list of ttys, on trees of files as sysfs has them.
    @Suite(.timeLimit(.minutes(10))) struct TTYListTests {
        private func withTree<Result>(_ body: (SystemTree, TTYKind) async throws -> Result) async throws -> Result {
            let tree = try SystemTree()
            defer { tree.remove() }
            let kind = TTYKind(system: tree.path("sys"), devices: tree.path("dev"), processes: tree.path("proc"))
            return try await body(tree, kind)
        }

        private static let cp2102 = [
            "idVendor": "10c4", "idProduct": "ea60", "manufacturer": "Silicon Labs",
            "product": "CP2102N USB to UART Bridge Controller", "serial": "0123456789abcdef",
        ]

        @Test func aBridgeHasTheNamesOfItsDevice() async throws {
            try await withTree { tree, kind in
                try tree.plug("ttyUSB0", at: "1-2.4", driver: "cp210x", Self.cp2102)
                let ports = try await kind.ports()
                #expect(
                    ports == [
                        PortDescription(
                            PortAddress(kind: "tty", text: tree.path("dev/ttyUSB0")),
                            name: "Silicon Labs CP2102N USB to UART Bridge Controller",
                            usb: USBIdentity(
                                vendor: 0x10C4, product: 0xEA60, serialNumber: "0123456789abcdef", location: "1-2.4"),
                            driver: "cp210x")
                    ])
                #expect(ports.first?.usb?.ids == "10c4:ea60")
            }
        }

        @Test func theUSBControllerOfAChipIsATTYOfTheInterface() async throws {
            try await withTree { tree, kind in
                try tree.plug(
                    "ttyACM0", at: "1-1", driver: "cdc_acm",
                    [
                        "idVendor": "303a", "idProduct": "1001", "manufacturer": "Espressif",
                        "product": "Espressif USB JTAG/serial debug unit",
                    ])
                let port = try #require(try await kind.ports().first)
                #expect(port.usb == USBIdentity(vendor: 0x303A, product: 0x1001, location: "1-1"))
                // The maker is not repeated.
                #expect(port.name == "Espressif USB JTAG/serial debug unit")
            }
        }

        @Test func portsAreSortedByNumberAndThoseWithoutHardwareAreLeftOut() async throws {
            try await withTree { tree, kind in
                for (index, number) in [10, 2, 1].enumerated() {
                    try tree.plug(
                        "ttyUSB\(number)", at: "1-\(index + 1)", driver: "ch341",
                        ["idVendor": "1a86", "idProduct": "7523"])
                }
                try tree.addUART("ttyS0", type: 4)
                try tree.addUART("ttyS1", type: 0)
                // A virtual terminal has no device.
                try tree.write("", to: "sys/class/tty/tty1/dev")
                try tree.write("", to: "dev/tty1")
                let names = try await kind.ports().map { $0.address.text.split(separator: "/").last.map(String.init) }
                #expect(names == ["ttyS0", "ttyUSB1", "ttyUSB2", "ttyUSB10"])
            }
        }

        @Test(
            "attributes that are no ids, names with control sequences, and missing files are no fault",
            arguments: ["", "xyz", "12345", "-1", "10c4\u{1B}[2J"])
        func badAttributes(id: String) async throws {
            try await withTree { tree, kind in
                try tree.plug(
                    "ttyUSB0", at: "1-2", driver: "cp210x",
                    ["idVendor": id, "idProduct": "ea60", "product": "bad\u{1B}]0;title\u{07} name"])
                let ports = try await kind.ports()
                #expect(ports.count == 1)
                #expect(ports.first?.usb == nil)
                try tree.write("10c4\n", to: "sys/devices/pci0000:00/0000:00:14.0/usb1/1-2/idVendor")
                #expect(try await kind.ports().first?.name == "bad?]0;title? name")
            }
        }

        @Test func theProgramThatHasAPortOpenIsNamed() async throws {
            try await withTree { tree, kind in
                try tree.plug("ttyUSB0", at: "1-2", driver: "cp210x", Self.cp2102)
                try tree.write("minicom\n", to: "proc/4711/comm")
                try tree.write("", to: "proc/4711/fd/0")
                try tree.link("proc/4711/fd/5", to: tree.path("dev/ttyUSB0"))
                try tree.write("", to: "proc/sys/kernel")
                #expect(try await kind.ports().first?.holder == "minicom (pid 4711)")
            }
        }

        @Test func changesAreReportedAsTheyCome() async throws {
            try await withTree { tree, kind in
                let changes = try #require(kind.portChanges())
                try tree.plug("ttyUSB0", at: "1-2", driver: "cp210x", Self.cp2102)
                var iterator = changes.makeAsyncIterator()
                #expect(await iterator.next() != nil)
                #expect(try await kind.ports().count == 1)
                try FileManager.default.removeItem(atPath: tree.path("dev/ttyUSB0"))
                #expect(await iterator.next() != nil)
                #expect(try await kind.ports().isEmpty)
            }
            #expect(TTYKind(devices: "/nowhere").portChanges() == nil)
        }
    }

    @Suite struct PortCandidatesTests {
        private func port(_ kind: String, _ text: String, _ vendor: UInt16?, at location: String = "1-1")
            -> PortDescription
        {
            PortDescription(
                PortAddress(kind: kind, text: text),
                usb: vendor.map { USBIdentity(vendor: $0, product: 0x1001, location: location) })
        }

        @Test func aDeviceThatTwoKindsReachIsOneBoard() {
            let ports = [port("tty", "/dev/ttyUSB0", 0x10C4), port("usb", "usb:1-1", 0x10C4)]
            #expect(PortCandidates.distinct(ports).map(\.address.text) == ["/dev/ttyUSB0"])
            // Two ttys of one device are two ports.
            let pair = [port("tty", "/dev/ttyUSB0", 0x0403), port("tty", "/dev/ttyUSB1", 0x0403)]
            #expect(PortCandidates.distinct(pair) == pair)
        }

        @Test func aDeviceThatTwoKindsReachIsListedOnceWithBothAddresses() {
            func rows(_ ports: [PortDescription]) -> [String] {
                PortCandidates.joined(ports).map {
                    [$0.port.address.text, $0.also?.text ?? "-"].joined(separator: " ")
                }
            }
            let ports = [
                port("tty", "/dev/ttyS0", nil), port("tty", "/dev/ttyUSB0", 0x0403),
                port("tty", "/dev/ttyUSB1", 0x0403), port("tty", "/dev/ttyUSB2", 0x10C4, at: "1-2"),
                port("usb", "usb:1-1/0", 0x0403), port("usb", "usb:1-1/1", 0x0403),
                port("usb", "usb:1-2", 0x10C4, at: "1-2"), port("usb", "usb:1-3", 0x10C4, at: "1-3"),
            ]
            #expect(
                rows(ports) == [
                    "/dev/ttyS0 -", "/dev/ttyUSB0 usb:1-1/0", "/dev/ttyUSB1 usb:1-1/1", "/dev/ttyUSB2 usb:1-2",
                    "usb:1-3 -",
                ])
            // It is not known which of the two the only tty is.
            let uneven = [ports[1], ports[4], ports[5]]
            #expect(rows(uneven) == ["/dev/ttyUSB0 -", "usb:1-1/0 -", "usb:1-1/1 -"])
        }

        @Test func bridgesOfBoardsGoBeforeOtherDevicesAndPortsWithoutUSBAreNeverTried() {
            let (bridge, modem, uart) = (
                port("tty", "/dev/ttyUSB0", 0x303A), port("tty", "/dev/ttyACM0", 0x1199, at: "1-2"),
                port("tty", "/dev/ttyS0", nil)
            )
            #expect(PortCandidates.boards(among: [uart, modem, bridge]) == [bridge])
            #expect(PortCandidates.boards(among: [uart, modem]) == [modem])
            #expect(PortCandidates.boards(among: [uart]).isEmpty)
        }
    }
#endif
