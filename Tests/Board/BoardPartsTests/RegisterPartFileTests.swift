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

    private func faults(_ text: String, file: String = "tmp102.yaml") -> [String] {
        do throws(DocumentError) {
            _ = try RegisterPartFile.kind(text, file: file)
            return []
        } catch {
            return error.diagnostics.map(\.description)
        }
    }

    @Test func aSmallSensor() throws {
        let kind = try RegisterPartFile.kind(Self.tmp102, file: "parts/tmp102.yaml")
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
        ("registers:", "regsters:", "tmp102.yaml:8:1: unknown key 'regsters' in a part (did you mean 'registers'?)"),
        ("address: 2", "address: 1", "tmp102.yaml:11:3: address 0x1 of 'LOW' belongs to 'CONFIG' of line 10 already"),
        ("  LOW:", "  CONFIG:", "tmp102.yaml:10:3: key given twice: CONFIG"),
        (
            "floor(temp", "floor(tmp",
            "tmp102.yaml:9:66: unknown name 'tmperature' (did you mean 'TEMPERATURE'?), expected one"
        ),
        ("OS: 15", "OS: 16", "tmp102.yaml:10:78: expected a bit or a range such as 3...0 within 0...15, got '16'"),
        (
            "reset: 0x4B00", "reset: 0x14B00",
            "tmp102.yaml:11:52: expected a number of 16 bits, 0x0...0xFFFF, got '0x14B00'"
        ),
        ("0x49", "0x80", "tmp102.yaml:4:19: expected an I²C address of 7 bits, 0x8...0x77, got '0x80'"),
        ("level: low", "level: lo", "tmp102.yaml:14:45: expected a level, one of: low, high, floating, got 'lo'"),
        ("initial: 25", "initial: 250", "tmp102.yaml:6:54: expected a number in -55...150, got '250'"),
        ("-55...150", "150", "tmp102.yaml:6:34: expected a range such as -40...125, got '150'"),
        ("/ 0.0625)", "/ )", "tmp102.yaml:9:80: expected a number, a name or '(', got ')'"),
        ("TEMPERATURE >=", "TEMPERATURE.X >=", "unknown name 'TEMPERATURE.X'"),
        ("TEMPERATURE >=", "TEMPERATURE =", "unexpected '=' (did you mean '=='?)"),
        (
            "-55...150", "150...-55",
            "tmp102.yaml:6:34: expected a range with its lower end first, -55...150, got '150...-55'"
        ),
        (
            "part: tmp102", "part: tmp103",
            "tmp102.yaml:1:7: expected the name of the file, 'tmp102', by which suites name the part, got 'tmp103'"
        ),
        ("summary: temperature sensor\n", "", "tmp102.yaml:1:1: a part lacks the key 'summary'"),
    ])
    func aFaultNamesItsPlace(_ old: String, _ new: String, _ expected: String) throws {
        let parts = Self.tmp102.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
        try #require(parts.count == 2)
        let faults = faults(parts[0] + new + parts[1])
        #expect(faults.contains { $0.contains(expected) }, "\(faults)")
    }

    @Test func registersOfBytesMustNotOverlap() {
        let text = Self.tmp102.split(separator: "addressing: registers\n", maxSplits: 1).joined()
        #expect(
            faults(text).first
                == "tmp102.yaml:9:3: address 0x1 of 'CONFIG' belongs to 'TEMPERATURE' of line 8 already "
                + "('TEMPERATURE' has 2 bytes: 'addressing: registers' gives each register one address)")
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
            faults(text, file: "x.yaml") == [
                "x.yaml:7:26: register 'A' uses 'B', whose value is computed: expected a register above it"
            ])
    }

    @Test(arguments: [
        ("", "tmp102.yaml:1:1: expected a part, got an empty file"), ("- a", "expected a part with keys"),
        ("part: [", "tmp102.yaml:2:1: expected a value here"), ("registers: 5", "expected registers by name, got '5'"),
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
        // Aliases of aliases, a billion in all.
        let lists = (1...9).map { "- &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 10).joined(separator: ", "))]" }
        #expect(!faults("- &a0 [x]\n" + lists.joined(separator: "\n")).isEmpty)
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
        let kind = try RegisterPartFile.kind(example.components(separatedBy: "```")[0], file: "tx75.yaml")
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

    /// The actions at the end of a timer apply to its repetition already: its time, and whether there is one.
    @Test func aRepetitionIsEvaluatedAfterTheEnd() throws {
        let bus = try bus(
            """
            registers:
              COUNT: {address: 0}
              STEP: {reset: 1}
            timers:
              work:
                runs: always
                time: STEP * 10 ms
                repeats: COUNT < 3
                at end: {set: {COUNT: COUNT + 1, STEP: STEP * 2}}
            """)
        let counts = try [10, 29, 30, 69, 70, 1000].map { milliseconds in
            bus.wait(.milliseconds(milliseconds) - .nanoseconds(bus.now.nanoseconds))
            return try #require(bus.read(0, 1)?.first)
        }
        #expect(counts == [1, 1, 2, 2, 3, 3])
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

    @Test func aWidthForAllRegistersOfAFile() throws {
        let bus = try bus(
            """
            addressing: registers
            width: 2
            memory: [4...5]
            registers:
              A: {address: 0, reset: 0x0102, bits: {HIGH: 15...8, TOP: 15, ALL: 0...15}}
              B: {address: 1, width: 1, reset: 7}
            """)
        #expect(bus.read(0, 2) == [1, 2])
        #expect(bus.read(1, 2) == [7, 7])
        bus.write(4, 0xAB, 0xCD)
        #expect(bus.read(4, 2) == [0xAB, 0xCD] && bus.read(5, 2) == [0, 0] && bus.faults.isEmpty)
        let bytes = try self.bus("width: 2\nmemory: [4...5]\nregisters: {A: {address: 0}}")
        bytes.write(4, 1, 2)
        #expect(bytes.read(0, 6) == [0, 0, 0, 0, 1, 2], "memory is of bytes")
    }

    /// A mistake causes one message, also if it has several effects in YAML or at the users of a name.
    @Test(arguments: [
        (
            "registers: {A: {}}\nreadings:\n  r:\n    value: !A",
            "x.yaml:8:12: a text that begins with '!' needs quotes, and 'not' needs none: expected an expression, "
                + "got '!A'"
        ),
        (
            "registers: {A: {}}\nreadings: {r: {value: !A or A}}",
            "x.yaml:6:23: a text that begins with '!' needs quotes, and 'not' needs none: expected an expression, "
                + "got '!A or A'"
        ),
        (
            "registers: {A: {}}\nreadings: {r: {value: &A}}",
            "x.yaml:6:23: expected an expression, got nothing (a text that begins with '&' needs quotes)"
        ),
        (
            "registers: {A: {}}\ntimers: {t: {time: 1 s, at end: {set: {A: select(A, max(1, 2), 3)}}}}",
            "x.yaml:6:43: an expression with a comma needs quotes within {…}: \"select(A, max(1, 2), 3)\""
        ),
        (
            "registers: {A: {bits: {X: 0}}}\ntimers: {t: {time: 1 s, at end: {set: {A: min(A + 1, 4) << 1, A.X: 1}}}}",
            "x.yaml:6:43: an expression with a comma needs quotes within {…}: \"min(A + 1, 4) << 1\""
        ),
        (
            "registers: {A: {address: 0, reset: 0x1234, bits: {TOP: 15}}}\nreadings: {r: {value: A.TOP}}",
            """
            x.yaml:5:36: expected a number of 8 bits, 0x0...0xFF, got '0x1234' ('A' has 1 byte, \
            as it has no 'width' of its own: 'width: 2' gives it 2)
            x.yaml:5:56: expected a bit or a range such as 3...0 within 0...7, got '15' ('A' has 1 byte, \
            as it has no 'width' of its own: 'width: 2' gives it 2)
            """
        ),
        (
            "registers: {A: {width: 2, bits: {TOP: 16}}}\nreadings: {r: {value: A.TOP}}",
            "x.yaml:5:39: expected a bit or a range such as 3...0 within 0...15, got '16' (the 'width' of 'A' is 2)"
        ),
        (
            "quantities: {q: 5}\nregisters: {A: 5, B: {value: q + A}}",
            """
            x.yaml:5:17: expected quantity 'q' with keys (unit, range, initial, summary, words), got '5'
            x.yaml:6:16: expected register 'A' with keys (address, width, order, signed, access, reset, writable, \
            clear only, value, bits, on write, on read), got '5'
            """
        ),
        (
            "registers: {A: {on write: {set: {B: 1}}}}",
            "x.yaml:5:34: expected a register or bits of one, such as A, got 'B'"
        ),
        (
            "registers: {A: {bits: {ON: 0}, on write: {set: {B: 1}}}}",
            "x.yaml:5:49: expected a register or bits of one, such as A.ON, got 'B'"
        ),
    ])
    func oneMessageForOneMistake(_ text: String, _ expected: String) {
        let error = #expect(throws: DocumentError.self) {
            try RegisterPartFile.kind(Self.head + text, file: "x.yaml")
        }
        #expect(error?.description == expected, "\(error?.description ?? "")")
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
        ("registers: {A: {value: (1}}", "x.yaml:5:26: expected ')', got the end"),
        (
            "registers: {A: {value: select(A, 1, 1, 2)}, B: {}}",
            "key given twice: 1 (within {…}, a text with a comma needs"
        ),
        ("registers: {A: {value: 1, reset: 1}}", "has both 'reset' and 'value'"),
        ("registers: {A: {address: 0xFF, width: 2}}", "x.yaml:5:13: register 'A' ends at 0x100, after 0xFF"),
        ("registers: {A: {value: 1}, B: {on read: {set: {A: 1}}}}", "'A' is computed, it cannot be set"),
        (
            "registers: {A: {address: 0}, B: {address: 1, width: 2}, C: {address: 2}}",
            "x.yaml:5:57: address 0x2 of 'C' belongs to 'B' of line 5 already ('B' has 2 bytes: 'addressing: registers'"
        ),
        (
            "registers: {A: {address: 1}, B: {address: 0, width: 2}}",
            "x.yaml:5:30: address 0x1 of 'B' belongs to 'A' of line 5 already ('B' has 2 bytes: 'addressing: registers'"
        ),
        (
            "addressing: registers\nmemory: [1...5]\nregisters: {A: {address: 0, width: 2}}",
            "x.yaml:6:9: 'memory' of whole registers needs the number of their bytes: expected 'width: 2' at the top"
        ),
        (
            "registers: {A: {bits: {HIGH: 7...4, MIDDLE: 5...2}}}",
            "x.yaml:5:45: bits '5...2' of 'MIDDLE' and those of 'HIGH' overlap in part"
        ),
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
