import YAMLReading
import Bench
import BenchModel
import BenchSuites
import Testing

@Suite("Reading suites")
struct SuiteReaderTests {
    static let head = """
        suite: Calculator
        sketch: Calculator
        uuids: {service: EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079, input: C1AB, output: "6439"}

        """

    @Test("accepts every kind of step")
    func everyStep() throws {
        let suite = try Suite(
            yaml: Self.head + """
                defaults: {within: 250 ms, connect: 1.5 s, response: false}
                before:
                  - connect: {advertising: service, name: Test Peripheral}
                  - subscribe: output
                after:
                  - advance: 1 min
                cases:
                  - name: "{a} times {b}"
                    each: {a: 0...255, b: [0, 1, 9, 200...203]}
                    steps:
                      - write: {to: input, bytes: [a, b, 2, {repeat: b, times: a % 3}]}
                      - expect: {notification: output, bytes: [a * b & 0xff]}
                      - expect: {console: "Sending response:   {a * b & 0xff:02x}", within: 20 us}
                  - name: the rest
                    each: [{a: 1, b: 0x10}, {a: 2, b: 0b11}]
                    before: []
                    steps:
                      - power: cycle
                      - reset
                      - scan: {name: X, absent: 2 s}
                      - connect: {name: X, as: second, within: 3 s}
                      - mtu: {offer: 185, effective: 185, on: second}
                      - discover:
                          on: second
                          service: {input: [write, write without response], output: [read, notify]}
                      - subscribe: {to: output, kind: indications, on: second}
                      - unsubscribe: {from: output, on: second}
                      - write: {to: 2A00, text: "n {a}", response: true, on: second}
                      - expect: {error: 0x03}
                      - read: {from: output, bytes: [], on: second}
                      - expect: {indication: output, on: second}
                      - expect: {console: /^BLE/}
                      - expect: {nothing: 500 ms, of: [notification, console]}
                      - console: "hello {b}"
                      - disconnect: second
                      - expect: {disconnect: 0x16, on: second}
                """, file: "c.yaml")
        #expect(suite.name == "Calculator")
        #expect(suite.centrals.map(\.name) == ["first", "second"])
        #expect(suite.uuids.map(\.name) == ["service", "input", "output", "2A00"])
        #expect(suite.instanceCount == 256 * 7 + 2)
        #expect(suite.cases[0].matrix.names == ["a", "b"])
        #expect(suite.cases[1].before?.count == 0)
        // `expect: {error: …}` applies to the preceding write.
        #expect(suite.cases[1].steps.count == 16)
        let write = try #require(suite.cases[1].steps[8].action(as: WriteStep.self))
        guard case .code(let code)? = write.expectedError else {
            Issue.record("not a code")
            return
        }
        #expect(code.constant == 3)
        #expect(suite.cases[1].steps[0].source == "power: cycle")
        #expect(suite.cases[1].steps[0].position == SourcePosition(line: 21, column: 9))
        let value = try #require(suite.cases[0].steps[1].action(as: ExpectStep.self))
        #expect(value.expectation(as: ValueExpectation.self) != nil)
        #expect(value.timeout == .milliseconds(250))
        let connect = try #require(suite.before[0].action(as: ConnectStep.self))
        #expect(connect.timeout == .milliseconds(1500))
    }

    @Test("iterates parameters in order, the last fastest")
    func matrix() throws {
        let suite = try Suite(
            yaml: Self.head + """
                cases:
                  - {name: "{a}", each: {a: 1...2, b: [5, 7...8]}, steps: [reset]}
                """, file: "c.yaml")
        var parameters: [Int64] = []
        let rows = (0..<6).map { index in
            suite.cases[0].matrix.fill(&parameters, at: index)
            return parameters
        }
        #expect(rows == [[1, 5], [1, 7], [1, 8], [2, 5], [2, 7], [2, 8]])
    }

    @Test("evaluates values, and reports run-time errors with their position")
    func values() throws {
        let suite = try Suite(
            yaml: Self.head + """
                before:
                  - connect: {advertising: service}
                cases:
                  - name: x
                    each: {n: 0...3}
                    steps:
                      - write: {to: input, bytes: [{repeat: 'n + 1', times: n}, 9 / n]}
                """, file: "c.yaml")
        let write = try #require(suite.cases[0].steps[0].action(as: WriteStep.self))
        var context = EvaluationContext(parameters: [3])
        var bytes: [UInt8] = []
        try write.value.evaluate(&context, into: &bytes)
        #expect(bytes == [4, 4, 4, 3])
        context.parameters = [0]
        let error = #expect(throws: EvaluationError.self) { try write.value.evaluate(&context, into: &bytes) }
        #expect(error?.description == "line 10, column 67: division by zero: 9 / 0")
        context.parameters = [300]
        let range = #expect(throws: EvaluationError.self) { try write.value.evaluate(&context, into: &bytes) }
        #expect(
            range?.message == "expected a byte 0...255 from 'n + 1', got 301 ('& 0xff' takes the low 8 bits)")
    }

    @Test("has values as long as a stream, and no longer")
    func streams() throws {
        func bytes(_ elements: String) throws -> [UInt8] {
            let suite = try Suite(
                yaml: Self.head + """
                    before: [connect: {advertising: service}]
                    cases: [{name: x, steps: [write: {to: input, bytes: [\(elements)], rate: 9600, response: false}]}]
                    """, file: "c.yaml")
            let write = try #require(suite.cases[0].steps[0].action(as: WriteStep.self))
            var context = EvaluationContext(parameters: [])
            var bytes: [UInt8] = []
            try write.value.evaluate(&context, into: &bytes)
            return bytes
        }
        #expect(try bytes("{repeat: 0xA5, times: 4096}") == Array(repeating: 0xA5, count: 4096))
        for one in ["{repeat: 1, times: 500001}", "{random: 500001, seed: 1}"] {
            let error = #expect(throws: EvaluationError.self) { try bytes("\(one), \(one)") }
            #expect(error?.message == "expected at most 1000000 bytes together, got 1000002")
        }
    }

    @Test("reports each error with line, column, what was expected and what was found", arguments: MalformedSuite.all)
    func malformed(example: MalformedSuite) {
        do {
            _ = try Suite(yaml: example.yaml, file: "c.yaml")
            Issue.record("accepted: \(example.yaml)")
        } catch {
            #expect(error.description == example.diagnostics)
        }
    }

    @Test("reads files with any ends of lines", arguments: ["\r\n", "\r"])
    func lineEnds(end: String) throws {
        let suite = try Suite(yaml: MalformedSuite.sound.replacing("\n", with: end), file: "c.yaml")
        let step = try #require(suite.cases[0].steps.last)
        #expect(step.source == #"expect: {console: "x {a:02x}", within: 1 s}"#)
        #expect(step.position.line == 11)
    }

    @Test("refuses more steps than memory has room for, which aliases of aliases are")
    func aliases() {
        var yaml = "suite: S\nsketch: S\ncases:\n  - {name: level 0, steps: &s0 [advance: 1 ms]}\n"
        for level in 1...12 {
            yaml += "  - name: level \(level)\n    steps: &s\(level)\n"
            yaml += String(repeating: "      - repeat: {times: 1, steps: *s\(level - 1)}\n", count: 10)
        }
        let error = #expect(throws: SuiteError.self) { try Suite(yaml: yaml, file: "c.yaml") }
        #expect(
            error?.diagnostics.map(\.message) == ["expected at most 50000 steps in a suite, got more"],
            "\(String(describing: error))")
    }

    @Test("offers the described name that lacks its service")
    func describedNames() throws {
        let yaml = """
            suite: Room
            sketch: Room
            description: room.yaml
            cases:
              - name: x
                steps:
                  - connect: {advertising: environment}
                  - subscribe: environment.temperature
                  - subscribe: temperature

            """
        let description = """
            name: room
            services:
              environment:
                uuid: 181A
                characteristics:
                  temperature: {uuid: 2A6E, properties: [read, notify], type: i16}
            """
        let error = #expect(throws: DocumentError.self) {
            try Suite(yaml: yaml, file: "c.yaml") { _ in description }
        }
        #expect(
            error?.description == """
                c.yaml:9:20: unknown name 'temperature' for a characteristic (did you mean 'environment.temperature'?), \
                expected one under 'uuids', a name of the suite's description (environment, environment.temperature) or a \
                UUID
                """)
    }

    @Test("from random bytes gives a suite or diagnostics")
    func mutated() throws {
        let text = Array(MalformedSuite.sound.utf8)
        for offset in text.indices {
            for byte in [0x00, 0x09, 0x0A, 0x20, 0x27, 0x3A, 0x5B, 0x7B, 0x7D, 0xFF] as [UInt8] {
                var changed = text
                changed[offset] = byte
                do {
                    _ = try Suite(yaml: String(decoding: changed, as: UTF8.self), file: "c.yaml")
                } catch {
                    #expect(!error.diagnostics.isEmpty)
                }
            }
            do {
                _ = try Suite(yaml: String(decoding: text[..<offset], as: UTF8.self), file: "c.yaml")
            } catch {
                #expect(!error.diagnostics.isEmpty)
            }
        }
    }
}
