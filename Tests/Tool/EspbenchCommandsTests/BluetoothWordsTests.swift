import BLECentral
import BLECore
import BluetoothCommands
import CommandSupport
import EspbenchCommands
import Testing

@Suite("Words of the Bluetooth commands") struct BluetoothWordsTests {
    private static let lock = BLEUUID(literal: "3C399A64-0001-4000-8000-00805F9B34FB")

    // MARK: Peers

    @Test(
        "name peers by address, service or name",
        arguments: [
            ("24:0A:C4:00:01:10", PeerSelector.address(0x240A_C400_0110)),
            ("24:0a:c4:00:01:10", .address(0x240A_C400_0110)),
            ("180F", .service(BLEUUID(0x180F))), ("service:battery", .service(BLEUUID(0x180F))),
            ("service:180f", .service(BLEUUID(0x180F))), ("name:180F", .name("180F")),
            ("Servo Lock", .name("Servo Lock")),
            (
                "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079",
                .service(BLEUUID(literal: "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"))
            ),
            ("cafebabe", .name("cafebabe")), ("name:name:x", .name("name:x")),
        ])
    func peers(text: String, selector: PeerSelector) throws {
        #expect(try PeerSelector(text) == selector)
    }

    @Test("name peers by UUID where the stack hides addresses")
    func hiddenAddresses() throws {
        let text = "ebc0fcc1-2fc3-44b7-94a8-a08d0a0a5079"
        #expect(try PeerSelector(text, hidesAddresses: true) == .opaque(text.uppercased()))
    }

    @Test("refuse a peer without a name, and unknown services", arguments: ["", "name:", "service:", "service:batery"])
    func badPeers(text: String) {
        let failure = #expect(throws: CommandFailure.self) { try PeerSelector(text) }
        #expect(failure?.status == .usage)
    }

    private func advertisement(_ name: String, isConnectable: Bool = true) -> Advertisement {
        let data = AdvertisingData(structures: [.init(type: .completeLocalName, data: Array(name.utf8))])
        return Advertisement(
            address: DeviceAddress(UInt64(name.utf8.count), .random), data: data, rssi: -40,
            isConnectable: isConnectable)
    }

    @Test("a search ends with the peer, and its failure says who else was heard")
    func search() throws {
        var search = PeerSearch(.name("Lock"))
        let isOver = [advertisement("Lamp"), advertisement("Locker"), advertisement("Lock")].map { search.receive($0) }
        #expect(isOver == [false, false, true])
        #expect(try search.result(after: .seconds(1)).data.localName == "Lock")

        var vain = PeerSearch(.name("Lokc"))
        let isFound = vain.receive(advertisement("Lock"))
        #expect(!isFound)
        let failure = #expect(throws: CommandFailure.self) { try vain.result(after: .seconds(10)) }
        #expect(
            failure?.message == "no peer named 'Lokc' was heard within 10 s (did you mean 'Lock'?); heard: 'Lock'")
        #expect(failure?.status == .noPeer && failure?.code == "central.noPeer")

        var beacon = PeerSearch(.name("Beacon"))
        let isConnectable = beacon.receive(advertisement("Beacon", isConnectable: false))
        #expect(!isConnectable)
        let refusal = #expect(throws: CommandFailure.self) { try beacon.result(after: .seconds(10)) }
        #expect(refusal?.code == "central.notConnectable")
    }

    // MARK: Attributes

    private static let services: [DiscoveredService] = {
        func characteristic(_ uuid: BLEUUID, _ handle: UInt16) -> DiscoveredCharacteristic {
            DiscoveredCharacteristic(
                uuid: uuid, value: AttributeID(rawValue: handle), handle: handle, properties: [.read],
                descriptors: [
                    DiscoveredDescriptor(
                        uuid: BLEUUID(0x2901), attribute: AttributeID(rawValue: handle + 1), handle: handle + 1)
                ])
        }
        return [
            DiscoveredService(uuid: BLEUUID(0x180F), characteristics: [characteristic(BLEUUID(0x2A19), 3)]),
            DiscoveredService(
                uuid: lock, characteristics: [characteristic(BLEUUID(0x2A19), 8), characteristic(lock, 12)]),
        ]
    }()

    @Test(
        "name attributes by UUID, name, beginning, handle, and place",
        arguments: [
            ("3C399A64-0001-4000-8000-00805F9B34FB", 12), ("3c399a64", 12), ("3c39", 12), ("0x000c", 12), ("0xd", 13),
            ("180F/2A19", 3), ("battery/battery level", 3), ("Battery/2A19/2901", 4), ("3c399a64/battery-level", 8),
            ("3c39/3c39/characteristic user description", 13), ("3c399a64/2901", 13),
        ] as [(String, UInt16)])
    func attributes(text: String, handle: UInt16) throws {
        #expect(try AttributeSelector(text).find(in: Self.services).handle == handle)
    }

    @Test(
        "refuse attributes that are no words, not there, or several",
        arguments: [
            ("", ExitReason.usage, "expected a characteristic's UUID"),
            ("a/", .usage, "expected a characteristic's UUID"),
            ("a/b/c/d", .usage, "expected a characteristic's UUID"), ("0x", .usage, "expected a characteristic's UUID"),
            ("0x10000", .usage, "expected a characteristic's UUID"),
            ("0x0", .usage, "expected a characteristic's UUID"),
            ("0x0099", .peerRefused, "the peer has no characteristic '0x0099'"),
            ("2A20", .peerRefused, "the peer has no characteristic '2A20'"),
            ("batery level", .peerRefused, "(did you mean 'Battery Level'?)"),
            ("180F/2A19/2902", .peerRefused, "the peer has no descriptor '180F/2A19/2902'"),
            ("2A19/2901", .usage, "expected one characteristic '2A19/2901', the peer has several: at 0x0004, 0x0009"),
            ("2A19/2902", .peerRefused, "the peer has no characteristic '2A19/2902'"),
            ("2A19", .usage, "expected one characteristic '2A19', the peer has several: at 0x0003, 0x0008"),
        ])
    func badAttributes(text: String, status: ExitReason, part: String) {
        let failure = #expect(throws: CommandFailure.self) {
            _ = try AttributeSelector(text).find(in: Self.services)
        }
        #expect(failure?.status == status && failure?.message.contains(part) == true, "\(failure?.message ?? "")")
        #expect(failure.flatMap { Hints.text(for: $0.code) } != nil)
    }

    // MARK: Values

    @Test(
        "are values to write",
        arguments: [
            (["0102ff"], [1, 2, 255]), (["0x0102"], [1, 2]), (["01 02"], [1, 2]), (["01:02"], [1, 2]),
            (["01", "02"], [1, 2]),
            (["text:on"], [0x6F, 0x6E]), (["text:"], []), (["text:a:b"], [0x61, 0x3A, 0x62]), (["u8:5,0x10"], [5, 16]),
            (["u16:500"], [0xF4, 1]), (["u16be:500"], [1, 0xF4]), (["i16:-1"], [255, 255]), (["u24:1"], [1, 0, 0]),
            (["i8:-128"], [0x80]), (["u64:18446744073709551615"], [UInt8](repeating: 255, count: 8)),
            (["f32:1.5"], [0, 0, 0xC0, 0x3F]), (["f64be:1"], [0x3F, 0xF0, 0, 0, 0, 0, 0, 0]),
            (["hex:0a", "text:x", "u8:1"], [10, 0x78, 1]),
        ] as [([String], [UInt8])])
    func values(words: [String], bytes: [UInt8]) throws {
        #expect(try WrittenValue(words).bytes == bytes)
    }

    @Test(
        "are refused as values",
        arguments: [
            "", "1", "0x", "hex:", "xyz", "u8:256", "u8:-1", "i8:128", "u16:", "u16:1,", "u7:1", "u128:1", "i16:1.5",
            "u8be",
            "u016:1", "f32:1e400", "f64:1e400", "f32:x",
        ])
    func badValues(word: String) {
        let failure = #expect(throws: CommandFailure.self) { try WrittenValue([word]) }
        let expectation =
            switch word.prefix(while: { $0 != ":" }) {
            case "u8" where word.contains(":"): "integers of 0 to 2^8 - 1 with commas between them"
            case "i8": "integers of -2^7 to 2^7 - 1 with commas between them"
            case "u16": "integers of 0 to 2^16 - 1 with commas between them"
            case "i16": "integers of -2^15 to 2^15 - 1 with commas between them"
            case "f32": "numbers of IEEE 754's 32 bits with commas between them"
            case "f64": "numbers of IEEE 754's 64 bits with commas between them"
            default: "a value"
            }
        #expect(failure?.message == "expected \(expectation), got '\(word)'")
    }

    @Test("have at most 512 bytes")
    func longValues() throws {
        let word = String(repeating: "00", count: 512)
        #expect(try WrittenValue([word]).bytes.count == 512)
        let failure = #expect(throws: CommandFailure.self) { try WrittenValue([word, "00"]) }
        #expect(failure?.message == "expected a value of at most 512 bytes, got 513")
    }

    @Test(
        "show values",
        arguments: [
            ("auto", [0x6F, 0x6E], "6f 6e  \"on\""), ("auto", [0x6F], "6f"), ("auto", [], "(empty)"),
            ("auto", [1, 2], "01 02"), ("auto", [0x6F, 0x6E, 0], "6f 6e 00  \"on\""), ("hex", [0x6F, 0x6E], "6f 6e"),
            ("text", [0x6F, 0x0A], "o\\n"), ("text", [0xFF], "ff (1 byte)"), ("u8", [1, 2], "1 2"),
            ("u16", [0xF4, 1], "500"), ("u16be", [1, 0xF4], "500"), ("u16", [1, 2, 3], "01 02 03 (3 bytes)"),
            ("i8", [0xFF], "-1"), ("i16", [0, 0x80], "-32768"), ("i64", [UInt8](repeating: 255, count: 8), "-1"),
            ("u64", [UInt8](repeating: 255, count: 8), "18446744073709551615"), ("f32", [0, 0, 0xC0, 0x3F], "1.5"),
        ] as [(String, [UInt8], String)])
    func shown(kind: String, bytes: [UInt8], line: String) throws {
        let shown: ShownValue = kind == "auto" ? .automatic : .kind(try #require(ValueKind(kind)))
        #expect(shown.line(bytes) == line)
        #expect(shown.output(bytes) == Array((line + "\n").utf8))
        #expect(ShownValue.raw.output(bytes) == bytes)
    }

    // MARK: `read`

    @Test(
        "'read' is a Bluetooth command when it can only be that",
        arguments: [
            ("read 24:0A:C4:00:01:10 2A19", true), ("read name:Lock 2A19", true), ("read service:180F 2A19", true),
            ("read --central bluez Lock 2A19", true), ("read Lock 2A19 --central=h4:/dev/ttyUSB0", true),
            ("read nvs nvs.bin", false), ("read 0x9000 0x5000 -o x", false), ("read", false), ("read --help", false),
            ("read -- --central", false), ("flash --central", false),
        ])
    func spelling(line: String, isBluetooth: Bool) {
        let words = line.split(separator: " ").map(String.init)
        #expect(BluetoothSpelling.translated(words) == (isBluetooth ? ["ble"] + words : words))
    }
}
