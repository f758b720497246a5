import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// Runs again after changes.
extension EndToEndTests {
    @Test("--watch takes over the benches of espbench.yaml, and leaves suites without a selected case alone")
    func watch() throws {
        try withTemporaryFolder { folder in
            func write(_ text: String, _ path: String) throws {
                let file = folder.appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                // In one step, as editors do: a half-written file would be a change of its own.
                try Data(text.utf8).write(to: file, options: .atomic)
            }
            func benches(seed: Int) throws {
                try write("sketches: [Blink]\nbenches: {default: {kind: virtual, seed: \(seed)}}\n", "espbench.yaml")
            }
            try write("void setup() {}\nvoid loop() { delay(10); }\n", "Blink/Blink.ino")
            try write("suite: A\ncases: [{name: a, steps: [advance: 1 s]}]\n", "Blink/Suites/a.yaml")
            try write("suite: B\ncases: [{name: b, steps: [advance: 1 s]}]\n", "Blink/Suites/b.yaml")
            try benches(seed: 7)
            let run = tool(["test", "--watch", "--json", "--case", "a"], folder, inProject: false)
            try run.process.run()
            defer { run.process.terminate() }
            #expect(run.waitForData(lines: 1).contains(#""seed":"7""#))
            _ = run.waitForNote("watching 2 suites")
            try benches(seed: 9)
            #expect(run.waitForData(lines: 1).contains(#""seed":"9""#))
            _ = run.waitForNote("watching 2 suites")
            try write("suite: B\ncases: [{name: b, steps: [advance: 2 s]}]\n", "Blink/Suites/b.yaml")
            let notes = run.waitForNote("watching 2 suites")
            #expect(notes.contains("no selected case is concerned") && !notes.contains("error: "), "\(notes)")
            kill(run.process.processIdentifier, SIGINT)
            run.process.waitUntilExit()
            #expect(run.process.terminationStatus == ExitReason.interrupted.rawValue)
        }
    }
}
