import Foundation
import Testing

/// Faults on the air, as suites plan them.
extension EndToEndTests {
    /// At the instant of power on the board has no controller yet, and both sides send one of these PDUs on each link.
    @Test("a fault planned before the board has booted counts the PDUs of its sender alone")
    func faultBeforeBoot() throws {
        let suite = """
            suite: Early fault
            sketch: Calculator
            uuids: {service: EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079}
            cases:
              - name: ends the second link at the second PDU of the {sender}
                before: []
                steps:
                  - fault: {cut: LL_VERSION_IND, from: {sender}, nth: 2, reason: 0x13}
                  - connect: {advertising: service, discover: false}
                  - expect: {nothing: 1 s, of: [disconnect]}
                  - disconnect: first
                  - connect: {advertising: service, discover: false}
                  - expect: {disconnect: 0x13}

            """
        try withTemporaryFolder { folder in
            for sender in ["central", "board"] {
                try write(suite.replacing("{sender}", with: sender), to: folder)
                let run = try tool(["test", "s.yaml"], folder).run()
                #expect(run.code == 0, "\(sender): \(run.errors)\(run.output)")
            }
        }
    }

    /// 20,000 bytes are forty times what one value may hold.
    @Test("a stream carries thousands of repeated bytes each way through a sketch")
    func longStreams() throws {
        try withTemporaryFolder { folder in
            let run = try tool(["test", "SerialBridge", "--case", "carries * equal bytes*"], folder).run()
            #expect(run.code == 0 && run.output.contains("2 passed"), "\(run.errors)\(run.output)")
        }
    }
}
