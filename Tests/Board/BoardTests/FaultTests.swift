import ESPChips
import BLECentral
import BLECentralHCI
import BLECore
import ESPImage
import FirmwareBuild
import Foundation
import MonotonicTime
import BenchExecutor
import Testing
import VirtualBoard

/// Sketches that crash, hang or restart, and the effects on board, console and client.
@Suite struct FaultTests {
    @Test func aCrashInSetupPanicsAndReboots() async throws {
        let firmware = try await SketchBuilds.shared.build("CrashInSetup")
        let log = try await run(firmware.layout) { bench, board, log in
            try await bench.wait(for: "the second crash") { log.ends.count == 2 }
            try await board.powerOff()
        }
        guard case .exception(let cause, let context) = log.ends.first else {
            Issue.record("expected an exception, got \(log.ends)")
            return
        }
        #expect(cause == .storeProhibited)
        #expect(context.faultAddress == 0)
        let console = log.console
        let texts = [
            "rst:0x1 (POWERON_RESET)", "about to crash\r\n",
            "Guru Meditation Error: Core  1 panic'ed (StoreProhibited). Exception was unhandled.\r\n",
            "EXCVADDR: 0x00000000", "Backtrace: 0x400", "Rebooting...\r\n", "rst:0xc (SW_CPU_RESET)",
            "about to crash",
        ]
        #expect(missing(texts, in: console) == nil, "\(console)")
        #expect(
            try decodedBacktrace(in: console, firmware).first?.hasSuffix("/CrashInSetup.ino:6") == true)
    }

    @Test func aLoadFromNullIsProhibitedByTheChipsName() async throws {
        let firmware = try await SketchBuilds.shared.build("LoadsNull")
        let log = try await run(firmware.layout) { bench, board, log in
            try await bench.wait(for: "the next boot") { log.console.contains("rst:0xc (SW_CPU_RESET)") }
            try await board.powerOff()
        }
        #if arch(x86_64)
            #expect(log.console.contains("panic'ed (LoadProhibited). Exception was unhandled.\r\n"), "\(log.console)")
        #else
            // The machine does not tell a load from a store.
            #expect(log.console.contains("panic'ed (StoreProhibited). Exception was unhandled.\r\n"), "\(log.console)")
        #endif
        let lines = try decodedBacktrace(in: log.console, firmware)
        #expect(lines.first?.hasSuffix("/LoadsNull.ino:5") == true, "\(lines)")
    }

    @Test func anAbortInACallbackEndsTheLink() async throws {
        let firmware = try await SketchBuilds.shared.build("AbortInCallback")
        let log = try await run(firmware.layout) { bench, board, log in
            try await writeTo(board, bench)
            try await bench.wait(for: "the next boot") {
                log.console.hasSuffix("reset reason 4\nready\r\n")
            }
            // It serves again.
            let (central, _) = try await bench.central(2)
            _ = try await central.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
            try await board.powerOff()
        }
        guard case .abort = log.ends.first, log.ends.count == 1 else {
            Issue.record("expected one abort, got \(log.ends)")
            return
        }
        let texts = [
            "reset reason 1\nready\r\n", "abort() was called at PC 0x400", " on core 1\r\n",
            "Rebooting...",
            "rst:0xc (SW_CPU_RESET)", "reset reason 4",
        ]
        #expect(missing(texts, in: log.console) == nil, "\(log.console)")
        let lines = try decodedBacktrace(in: log.console, firmware)
        #expect(lines.contains { $0.hasSuffix("/AbortInCallback.ino:5") }, "\(lines)")
    }

    @Test func anEndlessLoopTriggersTheWatchdog() async throws {
        let firmware = try await SketchBuilds.shared.build("LoopsForever")
        let log = try await run(firmware.layout) { bench, board, log in
            try await bench.wait(for: "the next boot") { log.console.hasSuffix("reset reason 6\n") }
            try await board.powerOff()
        }
        try expectWatchdog(log)
        let lines = try decodedBacktrace(in: log.console, firmware)
        #expect(lines.contains { $0.hasSuffix("/LoopsForever.ino:14") }, "\(lines)")
    }

    @Test func anEndlessCallbackTriggersTheWatchdog() async throws {
        let firmware = try await SketchBuilds.shared.build("HangInCallback")
        let log = try await run(firmware.layout) { bench, board, log in
            try await writeTo(board, bench)
            try await bench.wait(for: "the next boot") {
                log.console.hasSuffix("reset reason 6\nready\r\n")
            }
            try await board.powerOff()
        }
        try expectWatchdog(log, "CPU 0: nimble_host")
        let lines = try decodedBacktrace(in: log.console, firmware)
        #expect(lines.contains { $0.hasSuffix("/HangInCallback.ino:8") }, "\(lines)")
    }

    @Test func aStackOverflowIsNamed() async throws {
        let firmware = try await SketchBuilds.shared.build("Recurses")
        let log = try await run(firmware.layout) { bench, board, log in
            try await bench.wait(for: "the next boot") { log.console.contains("rst:0xc (SW_CPU_RESET)") }
            try await board.powerOff()
        }
        guard case .stackOverflow("loopTask", _) = log.ends.first else {
            Issue.record("expected a stack overflow, got \(log.ends)")
            return
        }
        #expect(log.console.contains("***ERROR*** A stack overflow in task loopTask has been detected.\r\n"))
        let lines = try decodedBacktrace(in: log.console, firmware)
        #expect(lines.contains { $0.hasSuffix("/Recurses.ino:8") }, "\(lines)")
    }

    @Test func aFailedAssertionHasItsText() async throws {
        let firmware = try await SketchBuilds.shared.build("FailsAssertion")
        let log = try await run(firmware.layout) { bench, board, log in
            try await bench.wait(for: "the next boot") { log.console.contains("rst:0xc (SW_CPU_RESET)") }
            try await board.powerOff()
        }
        #expect(log.console.contains("assert failed: void loop() FailsAssertion.ino:8 (lamps == 4)\r\n"))
        let lines = try decodedBacktrace(in: log.console, firmware)
        #expect(lines.first?.hasSuffix("/FailsAssertion.ino:8") == true, "\(lines)")
    }

    @Test func aRestartIsNotAFault() async throws {
        let firmware = try await SketchBuilds.shared.build("Console")
        let log = try await run(firmware.layout) { bench, board, log in
            try await bench.wait(for: "the sketch") { log.console.hasSuffix("reset reason 1\n") }
            await board.type(Array("r".utf8))
            try await bench.wait(for: "the next boot") { log.console.hasSuffix("reset reason 3\n") }
            try await board.powerOff()
        }
        #expect(log.ends == [])
        #expect(
            missing(["reset reason 1", "rst:0xc (SW_CPU_RESET)", "reset reason 3"], in: log.console)
                == nil)
    }

    @Test func anotherUsersImageIsNotExecuted() async throws {
        let folder = try TestFolder()
        let key = try SealingKey.load(path: folder.path + "/key")
        let own = try await SketchBuilds.shared.build("Console")
        let foreign = try await SketchBuilds.shared.build("Console", sealedWith: key)
        #expect(own.compiled.program == foreign.compiled.program)
        let log = try await run(foreign.layout) { bench, board, log in
            try await bench.sleep(.seconds(10))
            try await board.powerOff()
        }
        #expect(log.starts == 0)
        #expect(!log.console.contains("reset reason"))
        #expect(
            log.console.hasSuffix(
                "espbench: image at 0x10000 carries native code that this user's espbench did not build: "
                    + "not executed\r\n"),
            "\(log.console)")
    }

    @Test func anImageForAnotherChannelVersionIsNotExecuted() async throws {
        let description = AppDescription(
            version: "1", projectName: "Old", time: "", date: "", idfVersion: "v5.5", elfHash: [])
        let program = HostProgram(abi: HostProgram.nativeABI, layoutVersion: 0, program: [1, 2, 3])
        var image = ImageBuilder(for: .esp32)
        image.addMapped(description.bytes[...])
        image.addMapped(program.seal(key: try await SketchBuilds.shared.key(), description: description)[...])
        let own = try await SketchBuilds.shared.build("Console").layout
        let layout = try FlashLayout(
            chip: .esp32, bootloader: own.regions[0].bytes, table: .arduino4MB, app: try image.build(),
            flashSize: 4 << 20)
        let log = try await run(layout) { bench, board, log in
            try await bench.sleep(.seconds(3))
            try await board.powerOff()
        }
        #expect(log.console.contains("espbench: the image is for "), "\(log.console)")
        #expect(log.console.hasSuffix("build and flash the sketch again\r\n"), "\(log.console)")
        #expect(log.ends.isEmpty)
    }

    @Test func anErasedFlashStartsNoSketch() async throws {
        let log = try await run(nil) { bench, board, log in
            try await bench.sleep(.seconds(3))
            try await board.powerOff()
        }
        #expect(log.starts == 0)
        #expect(log.console.contains("invalid header: 0xffffffff\r\n"), "\(log.console)")
    }

    @Test func aCompilerErrorNamesTheSketchsLine() async throws {
        let error = await #expect(throws: FirmwareBuildError.self) {
            try await SketchBuilds.shared.build("DoesNotCompile")
        }
        #expect(error?.code == .compilationFailed)
        #expect(
            error?.compilerOutput.contains("/DoesNotCompile.ino:5:") == true,
            "\(String(describing: error))")
        #expect(error?.compilerOutput.contains("undeclared") == true)
    }

    // MARK: Helpers

    /// Powers a board with `layout` and runs `body` with it.
    private func run(
        _ layout: FlashLayout?,
        _ body: @escaping @Sendable (BoardBench, VirtualBoard, BoardLog) async throws -> Void
    ) async throws -> BoardLog {
        let bench = try await BoardBench()
        return try bench.executor.run {
            let (board, log) = try await bench.board(layout)
            await board.powerOn()
            try await body(bench, board, log)
            return log
        }
    }

    /// Writes to the sketch's only characteristic, and expects the supervision time-out.
    private func writeTo(_ board: VirtualBoard, _ bench: BoardBench) async throws {
        let (central, log) = try await bench.central()
        let connection = try await central.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
        let services = try await central.discoverServices(on: connection)
        let service = try #require(services.first { $0.uuid == BLEUUID(0xA000) })
        let characteristic = try #require(service.characteristics.first)
        let error = await #expect(throws: CentralError.self) {
            try await central.write([1], to: characteristic.value, kind: .withResponse, on: connection)
        }
        #expect(error?.code == .disconnected(reason: 0x08), "\(String(describing: error))")
        #expect(log.events.last == .disconnected(connection, reason: 0x08))
    }

    private func expectWatchdog(_ log: BoardLog, _ running: String = "CPU 1: loopTask") throws {
        guard case .taskWatchdog = log.ends.first, log.ends.count == 1 else {
            Issue.record("expected the task watchdog, got \(log.ends)")
            return
        }
        let texts = [
            "reset reason 1\n", "task_wdt: Task watchdog got triggered.",
            "task_wdt: \(running)\r\n",
            "Backtrace: 0x400", "Rebooting...", "rst:0xc (SW_CPU_RESET)", "reset reason 6\n",
        ]
        #expect(missing(texts, in: log.console) == nil, "\(log.console)")
    }

    /// The first of `texts` that is not after the one before it in `console`.
    private func missing(_ texts: [String], in console: String) -> String? {
        var rest = console[...]
        for text in texts {
            guard let found = rest.range(of: text) else { return text }
            rest = rest[found.upperBound...]
        }
        return nil
    }

    /// The source lines of the first backtrace in `console`, as addr2line finds them.
    private func decodedBacktrace(in console: String, _ firmware: BuiltFirmware) throws -> [String] {
        let line = try #require(
            console.split(separator: "\r\n").first { $0.hasPrefix("Backtrace:") })
        let addresses = try line.split(separator: " ").dropFirst().map { frame in
            let text = try #require(frame.split(separator: ":").first)
            // The board prints addresses in the ESP32's code range.
            return "0x"
                + String(try #require(UInt32(text.dropFirst(2), radix: 16)) - 0x400D_0000, radix: 16)
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["addr2line", "-e", firmware.compiled.symbols] + addresses
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map {
            String($0.split(separator: " ").first ?? "")
        }
    }
}
