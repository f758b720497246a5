import Console
import Foundation
import Testing

@Suite("Filters of logs")
struct LogFilterTests {
    @Test(
        "reads level and tag of ESP-IDF's and Arduino's logs",
        arguments: [
            ("I (1234) wifi: text", LogLevel.info, "wifi"), ("E (12:34:56.789) a b: x", .error, "a b"),
            ("\u{1B}[0;31mE (1) boot: x\u{1B}[0m", .error, "boot"), ("V (0) t: ", .verbose, "t"),
            ("[  1234][E][WiFiSTA.cpp:232] begin(): x", .error, "WiFiSTA.cpp"),
            ("[9][D][a.cpp:1] f(): x", .debug, "a.cpp"),
        ] as [(String, LogLevel, String)])
    func heads(line: String, level: LogLevel, tag: String) {
        #expect(LogLine(Array(line.utf8)) == LogLine(level: level, tag: tag))
    }

    @Test(
        "takes no other line for one of a log",
        arguments: [
            "", "I", "I (", "I () a: b", "I (1)", "I (1) a", "I (1) a:b", "I (1) : b", "X (1) a: b", "I(1) a: b", "[",
            "[1]",
            "[1][E]", "[1][E][a]", "[1][X][a:1] b", "[a][E][a:1] b", "[ ][E][a:1] b", "\u{1B}[31", "Info (1) a: b",
        ])
    func others(line: String) {
        #expect(LogLine(Array(line.utf8)) == nil)
    }

    @Test(
        "says what is wrong with a filter",
        arguments: [
            (":I", "filter ':I': expected TAG or TAG:LEVEL, e.g. wifi:W"),
            ("a:b:c", "filter 'a:b:c': expected TAG or TAG:LEVEL, e.g. wifi:W"),
            ("wifi:X", "filter 'wifi:X': expected a level of N (nothing), E, W, I, D, V or *, got 'X'"),
        ])
    func faults(text: String, message: String) {
        let fault = #expect(throws: LogFilter.Fault.self) { try LogFilter(text) }
        #expect(fault?.description == message)
    }

    @Test("knows an Arduino file by its name without extension")
    func arduinoTags() throws {
        let filter = try LogFilter("WiFiSTA:W *:N")
        #expect(filter.shows(LogLine(level: .warning, tag: "WiFiSTA.cpp")))
        #expect(!filter.shows(LogLine(level: .info, tag: "WiFiSTA.cpp")))
        #expect(!filter.shows(LogLine(level: .error, tag: "Other.cpp")))
    }

    static let python = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../.venv/bin/python").standardized

    @Test("shows the lines that esp-idf-monitor shows")
    func idfMonitor() throws {
        let filters = [
            "", "*:V", "*:N", "*:I", "wifi", "wifi:W", "wifi:W *:I", "wifi:*", "wifi: boot:E", "wifi:n *", "a:E b:v",
        ]
        let lines = [
            "", "plain", "I (1) wifi: x", "W (1) wifi: x", "E (1) boot: x", "D (1) boot: x", "V (9) a: x", "E (9) a: x",
            "V (9) b: x",
            "\u{1B}[0;32mI (3) wifi: x\u{1B}[0m", "\u{1B}[0;31mE (3) boot: x", "I (00:01:02.003) wifi: x",
            "I (1) wifi:x", "I (1) two words: x",
            "X (1) wifi: x", " I (1) wifi: x",
        ]
        let process = Process()
        process.executableURL = Self.python
        process.arguments = [
            "-c",
            """
            import json, sys
            from esp_idf_monitor.base.line_matcher import LineMatcher
            filters, lines = json.loads(sys.argv[1])
            print(json.dumps([[LineMatcher(f).match(l) for l in lines] for f in filters]))
            """, String(decoding: try JSONEncoder().encode([filters, lines]), as: UTF8.self),
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let expected = try JSONDecoder().decode([[Bool]].self, from: answer)
        for (text, row) in zip(filters, expected) {
            let filter = try LogFilter(text)
            #expect(row.count == lines.count)
            for (line, isShown) in zip(lines, row) {
                #expect(filter.shows(LogLine(Array(line.utf8))) == isShown, "filter '\(text)', line '\(line)'")
            }
        }
        #expect(expected.count == filters.count)
    }
}
