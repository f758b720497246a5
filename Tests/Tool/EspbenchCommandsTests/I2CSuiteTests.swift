import Foundation
import Testing

/// Suites on the virtual bench with the firmware as an I²C slave, and as the receiver of pulses: green, and red when it
/// answers something else.
@Suite("A slave on the I²C bus", .ownThreads)
struct I2CSuiteTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    private func run(_ sketch: String, _ head: String, _ steps: [String]) throws -> (code: Int32, output: String) {
        try withTemporaryFolder { folder in
            let suite = """
                suite: S
                sketch: \(Self.root.appending(path: "Tests/Board/Sketches/\(sketch)").path)
                \(head)
                cases:
                  - name: x
                    steps:

                """ + steps.map { "      - \($0)\n" }.joined()
            try Data(suite.utf8).write(to: folder.appending(path: "s.yaml"))
            let result = try EspbenchProcess(
                ["test", "--project", Self.root.path, "s.yaml", "--nimble", "built-in"], folder: folder
            ).run()
            return (result.code, result.output + result.errors)
        }
    }

    private func slave(_ steps: String...) throws -> (code: Int32, output: String) {
        try run("Slave", "", ["expect: {console: ready}"] + steps)
    }

    @Test("is written to and read, by expressions, too")
    func passes() throws {
        let result = try slave(
            "i2c: {address: 0x28, write: [1, 0x55]}", "expect: {console: 'register 1, 2 bytes'}",
            "i2c: {address: 0x28, read: [0x55, 0x33, 0x44, 0x11]}", "i2c: {address: 0x28, write: [2]}",
            "i2c: {address: 0x28, write: [3], read: [0x33, 0x44], clock: 400000}",
            "i2c: {address: 0x28, read: 2, sda: 21}", "i2c: {address: 0x29, acknowledged: false}", "console: end",
            "expect: {console: done}", "i2c: {address: 0x28, acknowledged: false}")
        #expect(result.code == 0, "\(result.output)")
    }

    @Test("is red when a byte is wrong, missing, or not acknowledged")
    func fails() throws {
        let read = "i2c: {address: 0x28, read: [0x22, 0x33]}"
        let failing: [(steps: [String], text: String)] = [
            (
                ["console: spoil", "expect: {console: done}", "i2c: {address: 0x28, write: [1]}", read],
                "got       [0x22, 0x34] (34, 52)"
            ),
            (["i2c: {address: 0x28, read: [0xFF]}"], "got       no bytes, and the sketch had nothing else"),
            (
                [read],
                "got       no bytes, and the sketch had nothing else: Wire.slaveWrite() prepares what the next read gets"
            ),
            (
                ["i2c: {address: 0x29, write: [1]}"],
                "got       no acknowledgement: the sketch is a slave at 0x28 (SDA on pin 21)"
            ),
            (["i2c: {address: 0x28, acknowledged: false}"], "got       it was"),
            (
                ["console: second", "expect: {console: done}", "i2c: {address: 0x28}"],
                "got       the sketch is a slave at 0x28 on two buses, with SDA on pin 21 and 16: 'sda' tells which"
            ),
            (
                ["console: doze", "advance: 200 ms", "i2c: {address: 0x28}"],
                "got       no acknowledgement: the chip sleeps"
            ),
            (["power: off", "i2c: {address: 0x28}"], "got       no sketch runs"),
        ]
        for (steps, text) in failing {
            let result = try run("Slave", "", ["expect: {console: ready}"] + steps)
            #expect(result.code != 0 && result.output.contains(text), "\(steps): \(result.output)")
        }
        // It is no slave at all.
        let none = try run("Echo", "", ["advance: 1 s", "i2c: {address: 0x28, acknowledged: false}"])
        #expect(
            none.code != 0
                && none.output.contains("the sketch is no I²C slave: it has not called Wire.begin(0x28)"),
            "\(none.output)")
    }

    @Test("receives the echo of a part by the RMT peripheral")
    func echo() throws {
        let head = "parts: {range: {part: hc-sr04, trigger: 5, echo: 18}}"
        // 1 m there and back: 5831 us at 343 m/s.
        let right = try run(
            "Echo", head,
            ["set: {range.distance: 100}", #"expect: {console: "/^1 symbol, level 1 for 58[0-9][0-9] us$/"}"#])
        #expect(right.code == 0, "\(right.output)")
        let wrong = try run(
            "Echo", head,
            ["set: {range.distance: 90}", #"expect: {console: "/^1 symbol, level 1 for 58[0-9][0-9] us$/"}"#])
        #expect(wrong.code != 0 && wrong.output.contains("1 symbol, level 1 for 52"), "\(wrong.output)")
    }
}
