import ESPChips
import ESPFlasher
import Testing

@Suite struct StubImageTests {
    private func stub(_ json: String) throws(FlasherError) -> StubImage {
        try StubImage(json: Array(json.utf8), name: "esp32.json")
    }

    @Test func textDataAndEntryAreRead() throws {
        let stub = try stub(
            """
            {
                "entry": 1074434092, "text": "AQIDBAUGBw==", "text_start": 1074434090,
                "data": "/+8=\\n", "data_start": 1073605544, "bss_start": 1073545216,
                "plugins": {"nand": {"text": "}]", "entry": [1, -2.5, {}]}}, "x": null
            }

            """)
        #expect(stub.entry == 1_074_434_092)
        #expect(stub.segments.map(\.address) == [1_074_434_090, 1_073_605_544])
        #expect(stub.segments.map(\.bytes) == [[1, 2, 3, 4, 5, 6, 7], [0xFF, 0xEF]])
    }

    @Test(arguments: [
        ("", "expected a JSON object"),
        ("#!/bin/sh", "expected a JSON object"),
        ("{\"entry\": 1", "expected a JSON object"),
        ("{\"a\": {\"b\": [}", "expected a JSON object"),
        ("{\"a\": \"b", "not at byte 8"),
        ("{}", "expected \"entry\" and \"text\""),
        ("{\"entry\": 4096}", "expected \"entry\" and \"text\""),
        ("{\"entry\": -1, \"text\": \"AAAA\", \"text_start\": 0}", "an address of 32 bits"),
        ("{\"entry\": 4294967296, \"text\": \"AAAA\", \"text_start\": 0}", "an address of 32 bits"),
        ("{\"entry\": 4096, \"text\": \"AAAA\"}", "expected \"text_start\""),
    ])
    func aFileThatIsNoStubIsRefused(json: String, expected: String) throws {
        try refuse(json, .invalidStub, expected)
    }

    @Test(arguments: [
        ("{\"entry\": 4096, \"text\": \"A*==\", \"text_start\": 4096}", "to be Base64"),
        ("{\"entry\": 4096, \"text\": \"AAA\", \"text_start\": 4096}", "to be Base64"),
        ("{\"entry\": 4096, \"text\": 5, \"text_start\": 4096}", "to be Base64"),
        ("{\"entry\": 4200, \"text\": \"AAAA\", \"text_start\": 4096}", "to be in its text"),
    ])
    func aStubThatIsDamagedIsRefused(json: String, expected: String) throws {
        try refuse(json, .damagedStub, expected)
    }

    private func refuse(_ json: String, _ code: FlasherError.Code, _ expected: String) throws {
        do throws(FlasherError) {
            _ = try stub(json)
            Issue.record("accepted")
        } catch {
            #expect(error.code == code)
            #expect(error.description.hasPrefix("stub esp32.json: "))
            #expect(error.description.contains(expected), "\\(error)")
        }
    }

    /// A stub of the ESP32-C3, which has no RAM where the ESP32's is.
    @Test func aStubOfAnotherChipIsRefusedBeforeItIsLoaded() async throws {
        let json = #"{"entry": 1077411840, "text": "AAAAAA==", "text_start": 1077411840}"#
        for (name, expected) in [
            ("stub.json", "got one with 4 bytes at 0x40380000, where this chip has no RAM"),
            ("folder/esp32c3.json", "got one with 4 bytes at 0x40380000"),
        ] {
            let stub = try StubImage(json: Array(json.utf8), name: name)
            try stub.check(for: .esp32c3)
            let port = ScriptedPort(Scripts.connect + Scripts.identify())
            let flasher = Flasher(port: port, clock: port.clock)
            let error = await FlasherError.of {
                _ = try await flasher.open(SessionOptions { (_, _) throws(FlasherError) in stub })
            }
            #expect(error?.code == .wrongStub)
            #expect(error?.description.contains("expected one for the ESP32, \(expected)") == true)
            await port.finish()
        }
    }

    /// The same addresses are RAM of both chips: the file's name tells.
    @Test func aStubIsNotThatOfTheChipInItsName() throws {
        let json = #"{"entry": 1082130432, "text": "AAAAAA==", "text_start": 1082130432}"#
        let stub = try StubImage(json: Array(json.utf8), name: "/stubs/esp32c6.json")
        try stub.check(for: .esp32c6)
        #expect(throws: FlasherError.self) { try stub.check(for: .esp32c5) }
        try StubImage(json: Array(json.utf8), name: "own.json").check(for: .esp32c5)
    }

    @Test func filesHaveTheNamesOfEsptool() {
        #expect(StubImage.fileName(forChip: "ESP32-C3") == "esp32c3.json")
        #expect(StubImage.fileName(forChip: "ESP32") == "esp32.json")
    }
}
