import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// A crash of a sketch, from the board to the lines of a monitor.
@Suite("A monitored crash", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct MonitoredCrashTests {
    @Test("is shown with function, file and line")
    func crashOfASketch() throws {
        try withTemporaryFolder { folder in
            let served = try ServedSketch("CrashInSetup", [["--socket", "0"]], folder: folder)
            defer { served.end() }
            let result = try EspbenchProcess(
                [
                    "monitor", "--port", served.addresses[0], "--timestamps", "none", "--until", "^Rebooting",
                    "--timeout", "20s",
                ], folder: folder, input: .nullDevice
            ).run()
            #expect(result.code == 0, "\(result.errors)")
            let lines = result.output.split(separator: "\n")
            let start = try #require(lines.firstIndex(of: "about to crash"))
            let crash = lines[start...]
            #expect(
                crash.contains("Guru Meditation Error: Core  1 panic'ed (StoreProhibited). Exception was unhandled."))
            let places = crash.filter { $0.hasPrefix("--- 0x") }
            let place = try #require(places.first, "\(crash.joined(separator: "\n"))")
            #expect(place.hasSuffix(": setup() at CrashInSetup.ino:6"))
            // It is the address of the backtrace, and of the line in the sketch that writes through the null pointer.
            let backtrace = try #require(crash.first { $0.hasPrefix("Backtrace: ") })
            #expect(backtrace.dropFirst("Backtrace: ".count).hasPrefix(place.dropFirst(4).prefix { $0 != ":" }))
            #expect(places.contains { $0.contains("::loopTask(void*) at Main.cpp:") }, "\(places)")

            let failed = try EspbenchProcess(
                ["monitor", "--port", served.addresses[0], "--fail-on", "Guru Meditation", "--timeout", "20s"],
                folder: folder, input: .nullDevice
            ).run()
            #expect(failed.code == ExitReason.failOn.rawValue, "\(failed.errors)")
        }
    }

    /// A program of an ESP32-C3's instruction set with two functions, and their addresses.
    private func program(_ folder: URL) throws -> (file: String, inner: UInt32, main: UInt32) {
        let (source, file) = (folder.appending(path: "app.c"), folder.appending(path: "app.elf").path)
        try Data(
            """
            int inner(int x) { return x / 3; }

            int app_main(int x) { return inner(x) + 1; }
            void _start(void) { app_main(4); }

            """.utf8
        ).write(to: source)
        let compiler = "/usr/bin/riscv64-unknown-elf-"
        let compiled = try ForeignProgram(
            compiler + "gcc",
            [
                "-march=rv32imc", "-mabi=ilp32", "-g", "-nostdlib", "-Wl,-Ttext=0x42000000", source.path, "-o", file,
            ], folder: folder
        ).run()
        try #require(compiled.code == 0, "\(compiled.errors)")
        let names = try ForeignProgram(compiler + "nm", [file], folder: folder).run().output
        func address(_ name: String) throws -> UInt32 {
            let line = try #require(names.split(separator: "\n").first { $0.hasSuffix(" T \(name)") }, "\(names)")
            return try #require(UInt32(line.prefix(8), radix: 16))
        }
        return (file, try address("inner"), try address("app_main"))
    }

    @Test("is decoded at the same places as by esp-idf-monitor, which is a client of the served port")
    func sameAsESPIDFMonitor() throws {
        try withTemporaryFolder { folder in
            let (file, inner, main) = try program(folder)
            func hexadecimal(_ address: UInt32) -> String { "0x" + String(address, radix: 16) }
            let crash = """
                Guru Meditation Error: Core  0 panic'ed (Load access fault). Exception was unhandled.
                MEPC    : \(hexadecimal(inner + 4))  RA      : \(hexadecimal(main + 8))
                done
                """.replacing("\n", with: "\r\n") + "\r\n"

            let board = try PseudoTerminal()
            defer { board.closeBoth() }
            let served = EspbenchProcess(
                ["serve", "--port", board.path, "--socket", "0"], folder: folder, input: .nullDevice)
            try served.process.run()
            defer {
                served.process.terminate()
                served.process.waitUntilExit()
            }
            let port = String(served.waitForData(lines: 1).prefix { $0 != " " })

            /// The places in `output`: address, function, and file with line.
            func places(_ output: String) -> [String] {
                output.matches(of: #/(0x42[0-9a-f]{6}): (\w+) at (\S*/)?(\w+\.c:\d+)/#).map {
                    "\($0.1) \($0.2) \($0.4)"
                }
            }
            let keyboard = try PseudoTerminal()
            defer { keyboard.closeBoth() }
            let theirs = ForeignProgram(
                module: "esp_idf_monitor",
                [
                    "--port", port, "--toolchain-prefix", "riscv64-unknown-elf-", "--target", "esp32c3",
                    "--disable-auto-color", file,
                ], folder: folder, input: FileHandle(fileDescriptor: keyboard.terminal))
            try theirs.start()
            defer { theirs.end() }
            var shown = theirs.waitForOutput("ready") { board.type(Array("ready\r\n".utf8)) }
            board.type(Array(crash.utf8))
            shown += theirs.waitForOutput("done")
            let expected = ["\(hexadecimal(inner + 4)) inner app.c:1", "\(hexadecimal(main + 8)) app_main app.c:3"]
            #expect(places(shown) == expected, "\(shown)")
            theirs.end()

            let ours = EspbenchProcess(
                ["monitor", "--port", port, "--elf", file, "--until", "^done", "--timeout", "20s"], folder: folder,
                input: .nullDevice)
            try ours.process.run()
            _ = served.waitForNote(" connected\n")
            _ = served.waitForNote(" connected\n")
            board.type(Array(crash.utf8))
            let printed = ours.waitForOutput("\u{0}")
            ours.process.waitUntilExit()
            #expect(places(printed) == expected, "\(printed)")
        }
    }
}
