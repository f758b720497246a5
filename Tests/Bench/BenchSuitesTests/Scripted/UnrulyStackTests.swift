import Bench
import BenchExecutor
import BenchModel
import BenchSuites
import Testing

/// A central's stack that breaks timing on purpose, from the stack's thread to the expectation of a suite.
@Suite("A suite on a stack that breaks timing", .timeLimit(.minutes(10)))
struct UnrulyStackTests {
    @Test("hears what a peer notified before the connection was made and its attributes were known")
    func early() async throws {
        try await expectToPass(
            """
            - expect: {notification: output, bytes: [0x77], within: 10 s}
            - write: {to: input, bytes: [9, 6, 2]}
            - expect: {notification: output, bytes: [0x36], within: 10 s}
            """, .notifiesEarly)
    }

    @Test("hears a disconnection once, and nothing of the link after it")
    func late() async throws {
        try await expectToPass(
            """
            - reset
            - expect: {disconnect: 0x08, within: 10 s}
            - expect: {nothing: 50 ms, of: [disconnect, notification]}
            - connect: {advertising: service}
            - expect: {nothing: 50 ms, of: [disconnect, notification]}
            - read: {from: output, bytes: [0]}
            """, .outlivesLinks)
    }

    @Test("hears each notification that three threads post at once")
    func threads() async throws {
        try await expectToPass(
            """
            - write: {to: input, bytes: [9, 6, 2]}
            - repeat:
                times: \(3 * ScriptedCentral.notificationsPerThread)
                steps:
                  - expect: {notification: output, bytes: [0x36], within: 10 s}
            - expect: {nothing: 50 ms, of: [notification]}
            """, .usesThreeThreads)
    }

    private func expectToPass(_ steps: String, _ misbehaviour: ScriptedCentral.Misbehaviour) async throws {
        let result = try await runScripted(
            """
              - name: unruly
                steps:
            \(steps.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n"))
            """, misbehaviour)
        #expect(result.counts.passed == 1, "\(result.failures)")
    }
}
