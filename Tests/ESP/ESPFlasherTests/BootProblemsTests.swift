import ESPFlasher
import Testing

@Suite struct BootProblemsTests {
    private func problems(_ log: String) -> [String] { BootProblems.lines(in: Array(log.utf8)) }

    @Test func aNormalBootHasNone() {
        let log = """
            ets Jul 29 2019 12:21:46\r
            \r
            rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r
            configsip: 0, SPIWP:0xee\r
            mode:DIO, clock div:1\r
            load:0x3fff0030,len:1344\r
            entry 0x400805f0\r
            I (31) boot: ESP-IDF v5.1 2nd stage bootloader\r
            \u{1B}[0;32mI (57) boot: Loaded app from partition at offset 0x10000\u{1B}[0m\r
            E (412) wifi: my own error\r
            E (500 boot: not a line of the log\r
            boot: nor this\r

            """
        #expect(problems(log).isEmpty)
        #expect(problems("").isEmpty)
    }

    @Test(arguments: [
        "E (40) espbench: image at 0x10000 carries native code that this user's espbench did not build: not executed",
        "E (104) esp_image: image at 0x10000 has invalid magic byte (nothing flashed here?)",
        "E (111) boot: No bootable app partitions in the partition table",
        "E (7) flash_parts: partition 0 invalid magic",
        "invalid header: 0xffffffff", "csum err:0x12!=0x34", "waiting for download", "wrong chip id 0x0005",
        "Invalid image block count: 17 (max 16)", "Checksum failure. Calculated 0x1f stored 0x4a",
        "Invalid chip id. Expected 5 read 0. Bootloader for wrong chip?", "SHA-256 comparison failed:",
        "Guru Meditation Error: Core  1 panic'ed (LoadProhibited). Exception was unhandled.",
    ])
    func aRefusedImageIsReported(line: String) {
        #expect(problems("ets Jul 29 2019 12:21:46\r\n\(line)\r\nrst:0x3\r\n") == [line])
        #expect(problems("\u{1B}[0;31m\(line)\u{1B}[0m\n") == [line])
    }

    @Test func repeatedResetsAreReportedOnce() {
        let log = String(repeating: "invalid header: 0xffffffff\r\n", count: 8)
        #expect(problems(log) == ["invalid header: 0xffffffff"])
        let many = (0..<100).map { "E (\($0)) boot: fault\n" }.joined()
        #expect(problems(many).count == 10)
    }

    @Test func terminalControlSequencesAreRemoved() {
        #expect(problems("E (1) boot: \u{7}\u{1B}]0;x\u{9C}\n") == ["E (1) boot: ??]0;x??"])
    }
}
