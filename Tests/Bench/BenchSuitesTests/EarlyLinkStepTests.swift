import BLECentral
import BLEPackets
import Bench
import BenchModel
import BenchSuites
import Testing

@Suite("Reading steps about links that end early, and repeated steps")
struct EarlyLinkStepTests {
    private func suite(_ steps: String) throws -> Suite {
        try Suite(
            yaml: SuiteReaderTests.head + """
                centrals: {stranger: {address: new}}
                cases:
                  - name: x
                    each: {n: 1...3}
                    steps:
                \(steps)
                """, file: "c.yaml")
    }

    @Test("accepts a connection without discovery, and a central with a new address at each connection")
    func connections() throws {
        let suite = try suite(
            """
                  - connect: {advertising: service, as: stranger, discover: false}
                  - connect: {advertising: service, discover: true}
            """)
        let connections = suite.cases[0].steps.compactMap { $0.action(as: ConnectStep.self) }
        #expect(connections.map(\.discovers) == [false, true])
        #expect(suite.centrals[connections[0].central.index].address == .new)
        #expect(suite.centrals[connections[1].central.index].address == .own)
    }

    @Test("accepts link layer PDUs, and faults that affect every one")
    func linkControl() throws {
        let suite = try suite(
            """
                  - fault: {drop: LL_VERSION_IND, from: central, every: true}
                  - fault: {cut: LL control PDU}
                  - fault: {cut: LL_FEATURE_RSP, reason: 0x13, nth: 2}
            """)
        let faults = suite.cases[0].steps.compactMap { $0.action(as: FaultStep.self)?.fault }
        #expect(faults.map(\.pattern.kind.opcodes) == [[0x0C], [], [0x09]])
        #expect(faults.allSatisfy { $0.pattern.kind.isLinkControl })
        #expect(faults.map(\.isRepeated) == [true, false, false])
    }

    @Test("accepts repeated steps, and errors of the steps inside")
    func repetition() throws {
        let suite = try suite(
            """
                  - repeat:
                      times: n + 14
                      steps:
                        - connect: {advertising: service, as: stranger}
                        - subscribe: {to: output, on: stranger}
                        - expect: {error: 5}
                        - disconnect: stranger
                  - repeat: {times: 2, steps: [{pair: {on: stranger, passkey: overheard}}]}
                  - repeat: {times: 2, steps: [{advance: 1 s}]}
            """)
        let steps = suite.cases[0].steps
        let block = try #require(steps[0].action(as: RepeatStep.self))
        let subscribe = try #require(block.steps[1].action(as: SubscribeStep.self))
        #expect(block.steps.count == 3 && block.steps[2].position.line == 15)
        #expect(subscribe.expectedError != nil)
        #expect(steps.map(\.changesState) == [true, true, false])
        #expect(
            suite.needs == [
                .central(.pairing), .central(.pairingControl), .central(.attErrors), .eavesdropping, .centralAddresses,
            ])
    }

    @Test(
        "reports errors in them",
        arguments: [
            (
                "connect: {advertising: service, discover: later}",
                "c.yaml:9:51: expected true or false for 'discover', got 'later'"
            ),
            ("fault: {cut: LL_VERSION_IND, every: true}", "c.yaml:9:45: 'every' belongs to 'drop'"),
            ("fault: {drop: LL_VERSION_IND, every: 3}", "c.yaml:9:46"),
            ("power: {cut: {pdu: LL_VERSION_IND}}", "c.yaml:9:28: unknown PDU 'LL_VERSION_IND', expected"),
            ("repeat: {times: 0, steps: [reset]}", "c.yaml:9:25: expected 'times' of 1...10000, got 0"),
            ("repeat: {steps: [reset]}", "c.yaml:9:17: 'repeat' lacks the key 'times'"),
            ("repeat: {times: 1}", "c.yaml:9:17: 'repeat' lacks the key 'steps'"),
            ("repeat: {times: 1, steps: [jump]}", "c.yaml:9:36: unknown step 'jump'"),
            ("repeat: 3", "c.yaml:9:17: expected 'repeat' with keys (times, steps), got '3'"),
        ])
    func faults(step: String, diagnostic: String) throws {
        let error = try #require(throws: SuiteError.self) { try suite("      - " + step) }
        #expect("\(error)".contains(diagnostic), "\(error)")
    }
}
