import Bench
import BenchModel
import BenchSuites
import Testing

@Suite("Prompts")
struct PromptTests {
    /// A shell: it echoes a line and prints its prompt.
    private static let shell: WriteBehaviour = { bench, write in
        bench.printText("esp", after: .milliseconds(5))
        bench.printText("32> ", after: .milliseconds(10))
        if write.value == [2] { bench.printText("ls\r\nfile\r\n", after: .milliseconds(20)) }
        return .acknowledge(after: .zero)
    }

    private func run(_ steps: String) throws -> FakeRun {
        try runFake("  - name: x\n    each: {n: 32...32}\n    steps:\n" + steps, onWrite: Self.shell)
    }

    @Test("match an incomplete line, with parameters, as long as it is incomplete")
    func prompt() throws {
        let run = try run(
            """
                  - write: {to: input, bytes: [1]}
                  - expect: {prompt: "esp{n}> "}
                  - advance: 1 s
                  - expect: {prompt: "esp{n}> ", within: 1 ms}
            """)
        #expect(run.failure == nil)
        // The last chunk completes the prompt; no line has ended.
        #expect(!run.timeline.contains("esp32> \"}"))
    }

    @Test("match the whole incomplete line only")
    func mismatches() throws {
        let write = "      - write: {to: input, bytes: [1]}\n      - advance: 20 ms\n"
        for prompt in ["esp", "32> ", "esp32>", "esp32> x"] {
            let failure = try run(write + "      - expect: {prompt: '\(prompt)', within: 50 ms}").failure
            #expect(failure?.expected == "the prompt '\(prompt)' on the console within 50 ms")
            #expect(failure?.cause == .timedOut)
            #expect(failure?.got == "the prompt 'esp32> '")
        }
        let gone = """
                  - write: {to: input, bytes: [2]}
                  - expect: {console: file}
                  - expect: {prompt: 'esp32> ', within: 50 ms}
            """
        #expect(try run(gone).failure?.position.line == 12)
    }

    @Test("do not match after a power-off")
    func power() throws {
        let run = try run(
            """
                  - write: {to: input, bytes: [1]}
                  - expect: {prompt: 'esp32> '}
                  - power: cycle
                  - expect: {prompt: 'esp32> ', within: 1 ms}
            """)
        #expect(run.failure?.position.line == 13)
    }
}
