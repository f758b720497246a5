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
        ("{\"a\": \"b", "a text without an end"),
        ("{}", "expected \"entry\" and \"text\""),
        ("{\"entry\": 4096}", "expected \"entry\" and \"text\""),
        ("{\"entry\": -1, \"text\": \"AAAA\", \"text_start\": 0}", "an address of 32 bits"),
        ("{\"entry\": 4294967296, \"text\": \"AAAA\", \"text_start\": 0}", "an address of 32 bits"),
        ("{\"entry\": 4096, \"text\": \"A*==\", \"text_start\": 4096}", "to be Base64"),
        ("{\"entry\": 4096, \"text\": \"AAA\", \"text_start\": 4096}", "to be Base64"),
        ("{\"entry\": 4096, \"text\": 5, \"text_start\": 4096}", "to be Base64"),
        ("{\"entry\": 4096, \"text\": \"AAAA\"}", "expected \"text_start\""),
        ("{\"entry\": 4200, \"text\": \"AAAA\", \"text_start\": 4096}", "to be in its text"),
    ])
    func aFileThatIsNoStubIsRefused(json: String, expected: String) throws {
        do throws(FlasherError) {
            _ = try stub(json)
            Issue.record("accepted")
        } catch {
            #expect(error.code == .invalidStub)
            #expect(error.description.hasPrefix("stub esp32.json: "))
            #expect(error.description.contains(expected), "\\(error)")
        }
    }

    @Test func filesHaveTheNamesOfEsptool() {
        #expect(StubImage.fileName(forChip: "ESP32-C3") == "esp32c3.json")
        #expect(StubImage.fileName(forChip: "ESP32") == "esp32.json")
    }
}
