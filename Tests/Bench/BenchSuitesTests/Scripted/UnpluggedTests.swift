import BenchModel
import BenchSuites
import Testing

/// What is unplugged in the middle of a run fails what uses it, in real time and over real threads.
@Suite("A part of a bench that is unplugged", .timeLimit(.minutes(10)))
struct UnpluggedTests {
    @Test("the adapter: the link is lost at once, later cases fail at once, and cases without it pass")
    func adapter() async throws {
        let result = try await runScripted(
            """
              - {name: before, steps: [read: {from: output, bytes: [0]}]}
              - name: unplugged
                steps:
                  - console: unplug the adapter
                  - expect: {notification: output, within: 30 s}
              - name: "later {n}"
                each: {n: 1...3}
                steps: [read: output]
              - {name: console, before: [], steps: [expect: {console: BLE Service is advertising}]}
              - {name: listens, before: [], steps: [scan: {advertising: service, within: 30 s}]}
            """)
        #expect(result.cases.map(\.counts.failed) == [0, 1, 1, 0, 1], "\(result.failures)")
        #expect(result.cases[2].counts.skipped == 2 && result.cases[2].skipReason == "its 'before' failed")
        let failures = result.failures.map(\.failure)
        #expect(failures[0].cause == .linkLost && failures[0].got == "the link ended")
        #expect(failures[1].cause == .benchFault && failures[1].got == "hci0: the adapter is gone")
        #expect(failures[1].expected.hasPrefix("a connection to an advertisement with 'service'"))
        #expect(failures[2].cause == .benchFault && failures[2].got == "hci0: the adapter is gone")
    }

    @Test("the adapter: another one works with new stacks from the next case on")
    func anotherAdapter() async throws {
        let result = try await runScripted(
            """
              - name: unplugged
                steps:
                  - console: unplug the adapter
                  - scan: {advertising: service}
              - {name: plugged in, before: [], steps: [console: plug an adapter in]}
              - name: used
                steps:
                  - write: {to: input, bytes: [9, 6, 2]}
                  - expect: {notification: output, bytes: [0x36]}
            """)
        #expect(result.cases.map(\.counts.failed) == [1, 0, 0], "\(result.failures)")
        let failure = try #require(result.failures.first?.failure)
        #expect(failure.cause == .benchFault && failure.got == "hci0: the adapter is gone")
    }

    @Test("the board: what waits fails at once, and so does every later case")
    func board() async throws {
        let result = try await runScripted(
            """
              - name: unplugged
                steps:
                  - console: unplug the board
                  - expect: {console: "never", within: 30 s}
              - {name: later, steps: [read: output]}
              - {name: console, before: [], steps: [expect: {console: BLE Service is advertising}]}
            """)
        #expect(result.cases.map(\.counts.failed) == [1, 1, 1], "\(result.failures)")
        let gone = "/dev/ttyUSB0: no such device: it was unplugged"
        for failure in result.failures.map(\.failure) {
            #expect(failure.cause == .benchFault && failure.got == gone, "\(failure)")
        }
        #expect(result.failures[1].failure.expected == "the board's power to be switched")
    }
}
