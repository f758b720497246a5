import CommandSupport
import Foundation
import Testing

/// The ends of commands by signals and closed pipes.
extension BluetoothCommandTests {
    @Test("end a scan and a subscription at Ctrl-C, and disconnect")
    func interruption() throws {
        try withAir("Calculator") { air in
            let scan = air.tool(["scan", "--timeout", "0s"])
            try scan.process.run()
            _ = scan.waitForOutput("Test Peripheral")
            scan.process.interrupt()
            scan.process.waitUntilExit()
            #expect(scan.process.terminationReason == .exit && scan.process.terminationStatus == 0)

            for (count, status) in [([], ExitReason.passed), (["--count", "2"], .interrupted)] {
                let notify = air.tool(["notify", "Test Peripheral", "643954A4", "--write", "C1AB2C55=030502"] + count)
                try notify.process.run()
                _ = notify.waitForOutput("0f")
                notify.process.interrupt()
                notify.process.waitUntilExit()
                #expect(notify.process.terminationReason == .exit)
                #expect(notify.process.terminationStatus == status.rawValue, "\(count)")
            }
            #expect(air.server.waitForOutput("Client Disconnected").contains("Client Disconnected"))
        }
        try withAir { air in
            for arguments in [["gatt", "Nobody"], ["notify", "Nobody", "643954A4"]] {
                let search = air.tool(arguments + ["--timeout", "5min"])
                try search.process.run()
                _ = air.server.waitForNote("connected: controller")
                search.process.interrupt()
                search.process.waitUntilExit()
                #expect(search.process.terminationReason == .exit)
                #expect(search.process.terminationStatus == ExitReason.interrupted.rawValue, "\(arguments)")
            }
        }
    }

    @Test("take up the peer of a command that nobody has ended on purpose")
    func restoringAfterSignals() throws {
        try withAir("Calculator") { air in
            let arguments = ["notify", "Test Peripheral", "643954A4", "--restore", "sums", "--timeout", "20s"]
            let writes = (0..<10).flatMap { _ in ["--write", "C1AB2C55=030502"] }
            for (number, signal) in [SIGTERM, SIGHUP].enumerated() {
                let ended = air.tool(arguments + ["--log", "sums.log"] + writes.prefix(2))
                try ended.process.run()
                _ = ended.waitForOutput("0f")
                kill(ended.process.processIdentifier, signal)
                ended.process.waitUntilExit()
                #expect(ended.process.terminationReason == .exit && ended.process.terminationStatus == 0)
                #expect(ended.waitForNote("\u{0}").hasPrefix("took up Test Peripheral\n") == (number > 0))
            }
            let log = try String(contentsOf: air.folder.appending(path: "sums.log"), encoding: .utf8)
            #expect(log.contains(" sums: connected to Test Peripheral ("), "\(log)")
            #expect(log.contains(" sums: took up Test Peripheral ("), "\(log)")
            // A reader that is gone.
            let closed = try EspbenchProcess(
                arguments + writes + ["--for", "20s", "--central", air.central], folder: air.folder, input: .nullDevice,
                shell: #"{ "$@"; echo "exit $?" >&2; } | head -1"#
            ).run()
            #expect(closed.output.hasPrefix("0f") && closed.output.split(separator: "\n").count == 1)
            #expect(closed.errors == "took up Test Peripheral\nexit 141\n")
            let last = try air.tool(arguments + ["--for", "10ms"]).run()
            #expect(last.code == 0 && last.errors == "took up Test Peripheral\n")
            let file = air.folder.appending(path: ".local/state/espbench/restoring/sums.central").path
            try FileManager.default.removeItem(atPath: file)
            try #require(mkfifo(file, 0o600) == 0)
            let pipe = try air.tool(arguments).run()
            #expect(pipe.code == ExitReason.benchFault.rawValue)
            #expect(
                pipe.errors.contains("sums.central: opening what a central keeps failed: expected a file"), "\(pipe)")
        }
    }
}
