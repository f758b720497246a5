import Bench
import BenchModel
import BenchSuites
import Testing
import YAMLReading

/// Steps of a master on the I²C bus.
@Suite("A transaction on the I²C bus")
struct I2CStepTests {
    private func run(_ steps: String..., each: String = "{a: [1]}", lacking: Set<BenchAbility> = []) throws -> FakeRun {
        let steps = steps.map { "      - \($0)\n" }.joined()
        return try runFake("  - name: x\n    each: \(each)\n    steps:\n\(steps)", lacking: lacking)
    }

    @Test("has the bytes, clock and pin of the step")
    func request() throws {
        let result = try run(
            "i2c: {address: 0x27 + a, write: [a, {repeat: 7, times: 2}], read: [a + 2, 16], sda: 16}",
            "i2c: {address: 0x28, read: 2 * a, clock: 400000}", "i2c: {address: 0x28}",
            "i2c: {address: 0x2A, acknowledged: false}")
        #expect(result.failure == nil, "\(result.failure.map { "\($0)" } ?? "")")
        #expect(
            result.calls.filter { $0.hasPrefix("i2c") } == [
                "i2c 40 [1, 7, 7] 2 at 100000", "i2c 40 [] 2 at 400000", "i2c 40 [] 0 at 100000",
                "i2c 42 [] 0 at 100000",
            ])
    }

    @Test("is red without the acknowledgements and bytes")
    func failures() throws {
        let failing: [(step: String, expected: String, got: String)] = [
            (
                "i2c: {address: 0x2A, write: [1]}", "the firmware to acknowledge I²C address 0x2a",
                "no acknowledgement: the sketch is a slave at 0x28"
            ),
            (
                "i2c: {address: 0x28, acknowledged: false}", "I²C address 0x28 of the board not to be acknowledged",
                "it was"
            ),
            (
                "i2c: {address: 0x29, acknowledged: false}", "I²C address 0x29 of the board not to be acknowledged",
                "the sketch is no I²C slave"
            ),
            (
                "i2c: {address: 0x28, write: [1], read: [1, 22]}", "[0x01, 0x16] (1, 22) from I²C address 0x28",
                "[0x01, 0x15] (1, 21)"
            ),
            (
                "i2c: {address: 0x28, write: [1], read: [1, 21, 255]}",
                "[0x01, 0x15, 0xff] (1, 21, 255) from I²C address 0x28",
                "[0x01, 0x15] (1, 21), and the sketch had nothing else: Wire.slaveWrite() prepares what the next read gets, and so does "
                    + "onRequest(), which an ESP32 calls after a read"
            ),
            (
                "i2c: {address: 0x28, write: [{repeat: 1, times: 9}]}",
                "the firmware to take part in the whole transaction",
                "it ended after 8 of 9 bytes written, and 0 of 0 read"
            ),
        ]
        for (step, expected, got) in failing {
            let failure = try run(step).failure
            #expect(
                failure?.cause == .assertion && failure?.expected == expected && failure?.got == got,
                "\(step): \(failure.map { "\($0)" } ?? "passed")")
        }
        let outside = try run("i2c: {address: 0x7F + a}")
        #expect(outside.failure?.cause == .suite && outside.failure?.got == "128")
        let skipped = try run("i2c: {address: 0x28}", lacking: [.i2cMaster])
        #expect(skipped.result.counts.skipped == 1)
    }

    @Test("is refused where it cannot be meant")
    func mistakes() throws {
        let mistakes = [
            ("i2c: {write: [1]}", "'i2c' lacks the key 'address'"),
            ("i2c: {address: 0x28, read: []}", "'read' of no bytes proves nothing, expected at least one"),
            ("i2c: {address: 0x28, read: 0}", "expected 'read' of 1...1024, got 0"),
            ("i2c: {address: 0x28, write: 1}", "expected 'write' to be a list such as [a, b, 2], got '1'"),
            ("i2c: {address: 0x28, clock: 4}", "expected 'clock' of 1000...1000000, got 4"),
            (
                "i2c: {address: 0x28, read: 1, acknowledged: false}",
                "an address that is not acknowledged takes and gives no bytes"
            ),
        ]
        for (step, message) in mistakes {
            let error = #expect(throws: SuiteError.self, "\(step)") {
                try Suite(yaml: suiteHead + "  - {name: x, steps: [\(step)]}", file: "s.yaml")
            }
            #expect(error?.diagnostics.first?.message == message, "\(step): \(error.map { "\($0)" } ?? "")")
        }
    }
}
