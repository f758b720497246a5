import BoardParts
import Foundation
import MonotonicTime
import Testing
import YAMLReading

/// Files of parts: their meaning, and the faults in them.
struct RegisterPartFileTests {
    private static let tmp102 = """
        part: tmp102
        summary: temperature sensor
        source: Texas Instruments, SBOS397
        addresses: [0x48, 0x49]
        quantities:
          temperature: {unit: °C, range: -55...150, initial: 25}
        addressing: registers
        registers:
          TEMPERATURE: {address: 0, width: 2, signed: true, value: floor(temperature / 0.0625) << 4}
          CONFIG: {address: 1, width: 2, reset: 0x60A0, writable: 0x9FD0, bits: {OS: 15, POL: 10, SD: 8, AL: 5}}
          LOW: {address: 2, width: 2, signed: true, reset: 0x4B00}
          HIGH: {address: 3, width: 2, signed: true, reset: 0x5000}
        drives:
          alert: {when: TEMPERATURE >= HIGH, level: low, otherwise: high}
        """

    private func faults(_ text: String) -> [String] {
        do throws(DocumentError) {
            _ = try RegisterPartFile.kind(text, file: "x.yaml")
            return []
        } catch {
            return error.diagnostics.map(\.description)
        }
    }

    @Test func aSmallSensor() throws {
        let kind = try RegisterPartFile.kind(Self.tmp102, file: "tmp102.yaml")
        #expect(kind.name == "tmp102" && kind.addresses == [0x48, 0x49])
        #expect(kind.terminals.map(\.name) == ["alert"])
        let bus = try I2CMaster(kind, pins: ["alert": [4]])
        #expect(bus.read(0, 2) == [0x19, 0x00])
        #expect(bus.read(2) == [0x19, 0x00], "the pointer stays")
        try bus.set("temperature", -25)
        // SBOS397, table 8: -25 °C is 1110 0111 0000.
        #expect(bus.read(0, 2) == [0xE7, 0x00])
        #expect(bus.drives[0] == .high)
        try bus.set("temperature", 80)
        #expect(bus.drives[0] == .low)
        bus.write(3, 0x55, 0x00)
        #expect(bus.drives[0] == .high)
        bus.write(1, 0xFF, 0xFF)
        #expect(bus.read(1, 2) == [0xFF, 0xF0], "bits that cannot be written keep their value")
        bus.perform { bus.part.setPower(false, at: bus.now, &$0) }
        #expect(bus.read(0, 2) == nil)
        bus.perform { bus.part.setPower(true, at: bus.now, &$0) }
        #expect(bus.read(3, 2) == [0x50, 0x00])
    }

    @Test(arguments: [
        ("registers:", "regsters:", "x.yaml:8:1: unknown key 'regsters' in a part (did you mean 'registers'?)"),
        ("address: 2", "address: 1", "x.yaml:11:3: address 0x1 of 'LOW' belongs to 'CONFIG' already"),
        ("  LOW:", "  CONFIG:", "x.yaml:10:3: key given twice: CONFIG"),
        (
            "floor(temp", "floor(tmp",
            "x.yaml:9:66: unknown name 'tmperature' (did you mean 'TEMPERATURE'?), expected one"
        ),
        ("OS: 15", "OS: 16", "x.yaml:10:78: expected a bit or a range such as 3...0 within 0...15, got '16'"),
        ("reset: 0x4B00", "reset: 0x14B00", "x.yaml:11:52: expected a number of 16 bits, 0x0...0xFFFF, got '0x14B00'"),
        ("0x49", "0x80", "x.yaml:4:19: expected an I²C address of 7 bits, 0x8...0x77, got '0x80'"),
        ("level: low", "level: lo", "x.yaml:14:45: expected a level, one of: low, high, floating, got 'lo'"),
        ("initial: 25", "initial: 250", "x.yaml:6:54: expected a number in -55...150, got '250'"),
        ("-55...150", "150", "x.yaml:6:34: expected a range such as -40...125, got '150'"),
        ("/ 0.0625)", "/ )", "x.yaml:9:80: expected a number, a name or '(', got ')'"),
        ("TEMPERATURE >=", "TEMPERATURE.X >=", "unknown name 'TEMPERATURE.X'"),
        ("summary: temperature sensor\n", "", "x.yaml:1:1: a part lacks the key 'summary'"),
    ])
    func aFaultNamesItsPlace(_ old: String, _ new: String, _ expected: String) throws {
        let parts = Self.tmp102.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
        try #require(parts.count == 2)
        let faults = faults(parts[0] + new + parts[1])
        #expect(faults.contains { $0.contains(expected) }, "\(faults)")
    }

    @Test func registersOfBytesMustNotOverlap() {
        let text = Self.tmp102.split(separator: "addressing: registers\n", maxSplits: 1).joined()
        #expect(faults(text).first == "x.yaml:9:3: address 0x1 of 'CONFIG' belongs to 'TEMPERATURE' already")
    }

    @Test func computedRegistersMustNotGoRoundInCircles() {
        let text = """
            part: x
            summary: x
            source: x
            addresses: [0x10]
            names: {n: B + 1}
            registers:
              A: {address: 0, value: n}
              B: {address: 1, value: A}
            """
        #expect(
            faults(text) == [
                "x.yaml:7:26: register 'A' uses 'B', whose value is computed: expected a register above it"
            ])
    }

    @Test(arguments: [
        ("", "x.yaml:1:1: expected a part, got an empty file"), ("- a", "expected a part with keys"),
        ("part: [", "x.yaml:2:1: expected a value here"), ("registers: 5", "expected registers by name, got '5'"),
        ("registers: {A: 5}", "expected register 'A' with keys"),
    ])
    func otherTextIsAFault(_ text: String, _ expected: String) {
        #expect(faults(text).contains { $0.contains(expected) }, "\(faults(text))")
    }

    @Test(arguments: [
        ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("-7 % 5", 3), ("7 & 3 == 3", 1), ("1 << 4 | 1", 17), ("~0 & 0xFF", 255),
        ("not 1 == 2", 1), ("1 > 2 or 2 > 1 and 1", 1), ("1 > 2 ? 10 : 20", 20), ("bcd(59)", 0x59), ("unbcd(0x59)", 59),
        ("clamp(300, 0, 255)", 255), ("round(2.5)", 3), ("floor(-2.5) + 10", 7), ("select(1, 10, 20, 30)", 20),
        ("select(9, 10, 20, 30)", 30), ("min(3, 2, 4)", 2), ("1 / 0", 0), ("sqrt(49)", 7), ("round(exp(ln(50)))", 50),
        ("0b1_0000", 16), ("70000", 0xFFFF), ("-1", 0xFFFF), ("-40000", 0x8000),
    ])
    func expressions(_ expression: String, _ expected: Int) throws {
        let text = """
            part: x
            summary: x
            source: x
            addresses: [0x10]
            registers:
              A: {address: 0, width: 2, value: "\(expression)"}
            """
        let bus = try I2CMaster(try RegisterPartFile.kind(text, file: "x.yaml"))
        #expect(number(bus.read(0, 2)) == expected)
    }

    /// Every prefix and every file with one byte replaced is read or refused, without a trap.
    @Test func damagedFilesAreRefused() {
        let bytes = Array(Self.tmp102.utf8)
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] = UInt8(ascii: index % 2 == 0 ? "9" : "(")
            _ = faults(String(decoding: damaged, as: UTF8.self))
            _ = faults(String(decoding: bytes[..<index], as: UTF8.self))
        }
        #expect(!faults(String(repeating: "(", count: 3000)).isEmpty)
    }
}

/// The keys that no built-in part uses, and the example of the page for users.
struct RegisterPartTests {
    private static let head = "part: x\nsummary: x\nsource: x\naddresses: [0x10]\n"

    private func bus(_ text: String, pins: [String: [Int]] = [:]) throws -> I2CMaster {
        try I2CMaster(try RegisterPartFile.kind(Self.head + text, file: "x.yaml"), pins: pins)
    }

    @Test func theExampleOfThePage() throws {
        let page = URL(filePath: #filePath).appending(path: "../../../../Sources/Board/BoardParts/README.md")
            .standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let example = try #require(text.components(separatedBy: "```yaml\n").dropFirst().first)
        let kind = try RegisterPartFile.kind(example.components(separatedBy: "```")[0], file: "README.md")
        let bus = try I2CMaster(kind, pins: ["alert": [4]])
        #expect(bus.read(0, 2) == [0, 0])
        bus.wait(.milliseconds(28))
        #expect(bus.read(0, 2) == [0x14, 0x00])
        try bus.set("temperature", 80)
        bus.wait(.milliseconds(28))
        #expect(bus.drives[0] == .low)
        bus.write(1, 0x01)
        try bus.set("temperature", -0.0625)
        bus.wait(.seconds(1))
        #expect(bus.read(0, 2) == [0x50, 0x00])
        bus.write(1, 0x81)
        bus.wait(.milliseconds(29))
        #expect(bus.read(0, 2) == [0xFF, 0xF0])
        #expect(bus.read(1, 1) == [0x01])
        #expect(bus.drives[0] == .floating)
    }

    @Test func lowByteFirstIncrementAndMemory() throws {
        let bus = try bus(
            """
            last address: 0x21
            memory: [0x20...0x21]
            registers:
              A: {address: 0, width: 3, order: low first, reset: 0x010203}
              SECRET: {address: 3, access: write, reset: 9}
            readings: {secret: {value: SECRET, unit: V}, high: {value: A > 0xFFFF, words: [no, yes]}}
            """)
        #expect(bus.read(0, 5) == [3, 2, 1, 0, 0])
        bus.write(0x20, 7, 8)
        #expect(bus.read(0x20, 3) == [7, 8, 3])
        bus.write(2, 0, 5)
        #expect(bus.read(0, 3) == [3, 2, 0])
        #expect(try bus.reading() == .number(5))
        #expect(try bus.reading("high") == .word("no"))
        bus.write(0x40, 1)
        #expect(bus.faults == ["x: no register at 0x40 to write to"])
    }

    @Test func aBusyPartDoesNotAcknowledge() throws {
        let bus = try bus(
            """
            acknowledges: not BUSY
            increment: false
            registers:
              A: {address: 0, on write: {set: {BUSY: 1}, start: work}}
              BUSY: {}
            timers: {work: {time: 2 * 1.5 ms, at end: {set: {BUSY: 0}}}}
            """)
        bus.write(0, 4)
        #expect(bus.read(1) == nil)
        bus.wait(.milliseconds(3))
        #expect(bus.read(2) == [4, 4])
    }

    @Test func argumentsOfCommands() throws {
        let bus = try bus(
            """
            crc8: {polynomial: 0x31, start: 0xFF}
            registers: {OFFSET: {width: 2}}
            replies: {offset: {bytes: [OFFSET, crc8]}}
            commands:
              set offset: {code: 0x24, argument: 3, do: {set: {OFFSET: written >> 8}}}
              get offset: {code: 0x23, reply: offset}
            """)
        #expect(bus.read(3) == nil)
        #expect(bus.write(0x24, 0xBE, 0xEF, 0x92))
        bus.write(0x23)
        #expect(bus.read(4) == [0xBE, 0xEF, 0x92, 0xFF])
    }

    /// A file that is wrong in this way must not stop the bench.
    @Test func circlesOfActionsAreFaults() throws {
        let bus = try bus(
            """
            registers: {A: {address: 0, on write: {start: a}}}
            timers:
              a: {time: 1 ms, at start: {start: b}}
              b: {time: 1 ms, at start: {start: a}}
              c: {time: 1 us, runs: always, repeats: 1, counts all: true, at end: {set: {A: A + 1}}}
            """)
        bus.write(0, 1)
        #expect(bus.faults.first == "x: a reset or the start of a timer causes itself")
        bus.wait(.seconds(3))
        bus.faults = []
        _ = bus.read(0, 1)
        #expect(bus.faults == ["x: its timers ended 1000000 times at once, later ends are left out"])
    }

    @Test(arguments: [
        ("registers: {A: {address: 0}}\ntimers: {t: {time: 5}}", "x.yaml:6:20: expected a time with a unit"),
        ("registers: {A: {address: 0, on write: {start: x}}}", "x.yaml:5:47: expected a timer, there is none, got 'x'"),
        ("registers: {A: {}}\nreplies: {r: {bytes: [crc8]}}", "x.yaml:6:23: the part has no key 'crc8'"),
        ("registers: {A: {}}\nreplies: {r: {bytes: [B]}}", "x.yaml:6:23: expected a register or crc8, got 'B'"),
        (
            "registers: {A: {}}\ncommands: {a: {code: 1...3}, b: {code: 2}}",
            "x.yaml:6:40: code '2' of 'b' belongs to 'a' already"
        ),
        ("registers: {A: {}}\ncommands: {a: {code: 0x100}}", "expected a code of 1 byte or a range of them"),
        ("registers: {A: {address: 1}}\ncommands: {a: {code: 1}}", "has an address, but the part has commands"),
        ("registers: {A: {value: select(1, 2, 3)}}", "x.yaml:5:32: expected ')', got the end (within {…} or […], an"),
        ("registers: {A: {value: 1, reset: 1}}", "has both 'reset' and 'value'"),
        ("registers: {A: {address: 0xFF, width: 2}}", "x.yaml:5:13: register 'A' ends at 0x100, after 0xFF"),
        ("registers: {A: {value: 1}, B: {on read: {set: {A: 1}}}}", "'A' is computed, it cannot be set"),
        ("registers: {and: {}}", "expected a name of letters, digits and '_' for expressions, got 'and'"),
        ("registers: {A: {}}\nquantities: {A: {range: 0...1}}", "name 'A' given twice"),
    ])
    func moreFaults(_ text: String, _ expected: String) throws {
        do throws(DocumentError) {
            _ = try RegisterPartFile.kind(Self.head + text, file: "x.yaml")
            Issue.record("no fault")
        } catch {
            #expect(error.description.contains(expected), "\(error)")
        }
    }
}
