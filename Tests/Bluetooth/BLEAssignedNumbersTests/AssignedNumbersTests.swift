import BLEAssignedNumbers
import BLECore
import Testing

@Suite("Names of assigned numbers") struct AssignedNumbersTests {
    @Test("are found by number")
    func numbers() {
        #expect(AssignedNumbers.service(BLEUUID(0x180F)) == "Battery")
        #expect(AssignedNumbers.service(BLEUUID(0x1800)) == "Generic Access")
        #expect(AssignedNumbers.characteristic(BLEUUID(0x2A19)) == "Battery Level")
        #expect(AssignedNumbers.descriptor(BLEUUID(0x2902)) == "Client Characteristic Configuration")
        #expect(AssignedNumbers.company(0x02E5) == "Espressif Systems (Shanghai) Co., Ltd.")
        #expect(AssignedNumbers.company(0xFFFF) != nil && AssignedNumbers.company(0xF000) == nil)
        #expect(
            AssignedNumbers.service(BLEUUID(0x2A19)) == nil && AssignedNumbers.characteristic(BLEUUID(0x180F)) == nil)
    }

    @Test("are found for vendors' UUIDs of 128 bits, too")
    func vendors() throws {
        let uart = try #require(BLEUUID("6E400001-B5A3-F393-E0A9-E50E24DCCA9E"))
        #expect(AssignedNumbers.service(uart)?.contains("UART") == true)
        #expect(AssignedNumbers.service(try #require(BLEUUID("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"))) == nil)
    }

    @Test("of appearances have category and subcategory")
    func appearances() {
        #expect(AssignedNumbers.appearance(0) == "Unknown")
        #expect(AssignedNumbers.appearance(64) == "Phone")
        #expect(AssignedNumbers.appearance(0x0083) == "Computer: Laptop")
        #expect(AssignedNumbers.appearance(0x00BF) == "Computer")
        #expect(AssignedNumbers.appearance(0xFFFF) == nil)
    }

    @Test(
        "lead to UUIDs, without regard to case, spaces and punctuation",
        arguments: ["Battery Level", "battery level", "battery-level", "BatteryLevel", "battery_level"])
    func names(name: String) {
        #expect(AssignedNumbers.characteristics(named: name) == [BLEUUID(0x2A19)])
    }

    @Test("are none for other texts")
    func otherTexts() {
        #expect(AssignedNumbers.characteristics(named: "battery").isEmpty)
        #expect(AssignedNumbers.services(named: "").isEmpty)
        #expect(AssignedNumbers.services(named: "Battery") == [BLEUUID(0x180F)])
        #expect(AssignedNumbers.descriptors(named: "Report Reference") == [BLEUUID(0x2908)])
    }
}
