import CommandSupport
import Foundation
import Testing

/// Time-outs on the virtual bench name the reason in the sketch.
@Suite("A time-out", .ownThreads)
struct StallTests {
    /// Each case by its name: its steps, and a text of its failure.
    private static let cases: [(name: String, steps: String, reason: String)] = [
        (
            "setup", "reset, button: {hold: b * 5}, expect: {console: ready, within: 1 s}",
            "; task 'loopTask' runs in waitForPin() at Stalls.ino:14, called from setup() at Stalls.ino:27"
        ),
        (
            "silence", "reset, button: {hold: b * 5}, connect: {advertising: 180F, within: 1 s}",
            "is 'begun'; task 'loopTask' runs in waitForPin() at Stalls.ino:14, called from setup() at Stalls.ino:27"
        ),
        (
            "console", "reset, button: {hold: 15}, expect: {console: ready, within: 1 s}",
            "; the sketch has printed 14 bytes while Serial was not begun; they are lost: expected Serial.begin() before; "
                + "task 'blink' waits without a time limit in blink(void*) at Stalls.ino:19"
        ),
        (
            "callback", "connect: {advertising: 180F}, write: {to: 2A19, bytes: [b], within: 1 s}",
            "task 'nimble_host' waits in Callbacks::onWrite(NimBLECharacteristic*, NimBLEConnInfo&) at Stalls.ino:8, for "
                + "another 2.006 s"
        ),
        (
            "download", "reset, button: {press: 500 ms}, expect: {console: ready, within: 1 s}",
            "; the board waits for a download, as BOOT was held (pin 0 low) when its chip left reset: let the chip start "
                + "before the button is pressed"
        ),
        (
            "crash", "connect: {advertising: 180F}, write: {to: 2A19, bytes: [b + 8]}",
            "(task nimble_host, core 0), in Callbacks::onWrite(NimBLECharacteristic*, NimBLEConnInfo&) at Stalls.ino:7\n"
        ),
    ]

    /// Runs cases on the sketch `Stalls`: their names, and their steps, separated by commas.
    private static func run(_ cases: [(name: String, steps: String)], _ folder: URL) throws -> (
        code: Int32, output: String, errors: String
    ) {
        let cases = cases.map {
            let steps = $0.steps.split(separator: ", ").joined(separator: "\n      - ")
                .replacing("\n      - within", with: ", within").replacing("\n      - bytes", with: ", bytes")
                .replacing("\n      - pin", with: ", pin")
            return "  - name: \($0.name)\n    each: {b: 1}\n    steps:\n      - \(steps)\n"
        }
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let sketch = root.appending(path: "Tests/Board/Sketches/Stalls").path
        try Data("suite: Stalls\nsketch: \(sketch)\ncases:\n\(cases.joined())".utf8)
            .write(to: folder.appending(path: "s.yaml"))
        return try EspbenchProcess(
            ["test", "--project", root.path, "s.yaml", "--nimble", "built-in"], folder: folder
        ).run()
    }

    @Test("says where the sketch is, and a crash where in the sketch's own files")
    func reasons() throws {
        try withTemporaryFolder { folder in
            let result = try Self.run(Self.cases.map { ($0.name, $0.steps) }, folder)
            #expect(result.code == ExitReason.panic.rawValue, "\(result.errors)\(result.output)")
            for (name, _, reason) in Self.cases {
                #expect(result.output.contains(reason), "\(name): \(result.output)")
            }
            // After setup() no hint is about its end.
            #expect(!result.output.contains("a setup() that does not end"))
        }
    }

    @Test("is not needed for a button that the sketch cannot notice, also where it is the last step")
    func buttons() throws {
        try withTemporaryFolder { folder in
            let noticed = try Self.run(
                [
                    ("pressed", "expect: {console: ready}, button: {press: 100 ms, pin: 15}"),
                    ("held", "expect: {console: ready}, button: {hold: 15}"),
                ], folder)
            #expect(noticed.code == 0, "\(noticed.errors)\(noticed.output)")
            for (steps, reason) in [
                ("reset, button: {press: 500 ms, pin: 27}", "to notice the button on pin 27"),
                ("expect: {console: ready}, button: {hold: 27}", "to notice the button held on pin 27"),
            ] {
                let result = try Self.run([("button", steps)], folder)
                #expect(result.code == ExitReason.testsFailed.rawValue, "\(result.errors)\(result.output)")
                #expect(result.output.contains(reason), "\(result.output)")
            }
        }
    }
}
