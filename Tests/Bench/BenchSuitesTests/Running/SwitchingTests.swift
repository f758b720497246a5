import Bench
import BenchModel
import BenchSuites
import Testing

@Suite("Boards that are switched or reset while something is in progress")
struct SwitchingTests {
    private static let slow: WriteBehaviour = { bench, write in
        bench.switchingTime = .seconds(1)
        bench.print("former boot", after: .milliseconds(100))
        return .acknowledge(after: .zero)
    }

    @Test("keep the end of a link that comes while the supply is switched")
    func disconnection() throws {
        let run = try runFake(
            """
              - name: x
                steps:
                  - write: {to: input, bytes: [1]}
                  - power: off
                  - expect: {disconnect: 0x08, within: 1 ms}
            """, onWrite: Self.slow)
        #expect(run.failure == nil)
    }

    @Test("forget what else comes before the supply is off")
    func line() throws {
        let run = try runFake(
            """
              - name: x
                steps:
                  - write: {to: input, bytes: [1]}
                  - power: cycle
                  - expect: {console: former boot, within: 1 ms}
            """, onWrite: Self.slow)
        #expect(run.timeline.contains("former boot"))
        #expect(run.failure?.position.line == 11 && run.failure?.cause == .timedOut)
    }

    @Test("begin a new line after a reset")
    func partialLine() throws {
        let prompt: WriteBehaviour = { bench, write in
            bench.printText("esp32> ", after: .milliseconds(1))
            return .acknowledge(after: .milliseconds(2))
        }
        let run = try runFake(
            """
              - name: x
                steps:
                  - write: {to: input, bytes: [1]}
                  - expect: {prompt: "esp32> "}
                  - reset
                  - expect: {console: BLE Service is advertising, within: 1 s}
            """, onWrite: prompt)
        #expect(run.failure == nil)
    }
}
