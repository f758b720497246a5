import EspbenchCommands
import Foundation
import Testing

/// Boards that a suite finds by what they are, not by what they advertise.
extension EndToEndTests {
    @Test("a board on a resolvable private address is found as the board that it is")
    func resolvableAddress() throws {
        try expectFound("Pairing", before: ["expect: {console: ready}", "console: p", "expect: {console: /address/}"])
    }

    @Test(
        "a board on a static random or non-resolvable address is found as the board that it is",
        .enabled(if: library != nil, "needs the NimBLE-Arduino library: ESPBENCH_NIMBLE names its folder"),
        arguments: ["s", "n"])
    func randomAddress(kind: String) throws {
        let steps = ["expect: {console: ready}", "console: \(kind)", "expect: {console: advertises 1}"]
        try expectFound("RandomAddress", before: steps, library: true)
    }

    @Test(
        "a board with extended advertising is heard and connected to by board, name and service",
        .enabled(if: library != nil, "needs the NimBLE-Arduino library: ESPBENCH_NIMBLE names its folder"))
    func extendedAdvertising() throws {
        // It advertises once: NimBLE-Arduino does not start an extended advertisement again.
        let before = ["expect: {console: advertises 1}"]
        let report = try expectFound("ExtendedAdvertising", before: before, library: true)
        #expect(report.contains("'Extended' with services [A000]"), "\(report)")
        for condition in ["advertising: A000, name: Extended", "name: Extended", "advertising: A000"] {
            let steps = [
                "scan: {\(condition), within: 2 s}", "connect: {\(condition), within: 2 s}",
                "read: {from: A001, bytes: [0x2A, 0, 0, 0]}",
            ]
            let found = try run("ExtendedAdvertising", before + steps, library: true)
            #expect(found.code == 0, "\(found)")
        }
    }

    /// Expects that a board is heard and connected to as that board, and that a search for another one says what was
    /// heard; returns the report of the latter.
    @discardableResult
    private func expectFound(_ sketch: String, before: [String], library: Bool = false) throws -> String {
        let steps = ["scan: {board: server, within: 2 s}", "connect: {board: server, within: 2 s}"]
        let found = try run(sketch, before + steps, library: library)
        #expect(found.code == 0, "\(found)")
        let missed = try run(sketch, before + ["scan: {name: Nobody, within: 1 s}"], library: library)
        #expect(missed.code != 0 && missed.output.contains("heard only "), "\(missed)")
        return missed.output
    }

    private func run(
        _ sketch: String, _ steps: [String], library: Bool
    ) throws -> (code: Int32, output: String, errors: String) {
        try withTemporaryFolder { folder in
            let suite = """
                suite: S
                boards: {server: \(self.sketch(sketch))}
                cases:
                  - name: x
                    steps:
                \(steps.map { "      - \($0)\n" }.joined())
                """
            try write(suite, to: folder)
            let run = tool(["test", "s.yaml"] + (library ? ["--nimble", "library"] : []), folder)
            if library { run.process.environment?["ESPBENCH_NIMBLE"] = Self.library }
            return try run.run()
        }
    }
}
