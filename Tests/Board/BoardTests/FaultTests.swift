import ESPChips
import BLECentral
import BLECentralHCI
import BLECore
import CFirmwareChannel
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
        #expect(console.firstMissing(of: texts) == nil, "\(console)")
        #expect(
            try firmware.decodedBacktrace(in: console).first?.hasSuffix("/CrashInSetup.ino:6") == true)
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
        let lines = try firmware.decodedBacktrace(in: log.console)
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
            "reset reason 1\nready\r\n", "abort() was called at PC 0x400", " on core 0\r\n",
            "Rebooting...",
            "rst:0xc (SW_CPU_RESET)", "reset reason 4",
        ]
        #expect(log.console.firstMissing(of: texts) == nil, "\(log.console)")
        let lines = try firmware.decodedBacktrace(in: log.console)
        #expect(lines.contains { $0.hasSuffix("/AbortInCallback.ino:5") }, "\(lines)")
    }

    @Test func anEndlessCallbackTriggersTheTaskWatchdog() async throws {
        let firmware = try await SketchBuilds.shared.build("HangInCallback")
        let log = try await run(firmware.layout) { bench, board, log in
            try await writeTo(board, bench)
            try await bench.wait(for: "the next boot") { log.console.hasSuffix("reset reason 6\nready\r\n") }
            try await board.powerOff()
        }
        guard case .taskWatchdog(_, let context) = log.ends.first, log.ends.count == 1 else {
            Issue.record("expected the task watchdog, got \(log.ends)")
            return
        }
        #expect(context.task == "nimble_host")
        #expect(context.core == 0)
        let texts = [
            "reset reason 1\n", "task_wdt: Task watchdog got triggered.", "task_wdt:  - IDLE0 (CPU 0)\r\n",
            "task_wdt: CPU 0: nimble_host\r\n", "task_wdt: CPU 1: ",
            "task_wdt: Aborting.\r\n", "task_wdt: Print CPU 0 (current core) backtrace\r\n", "Backtrace: 0x400",
            "Rebooting...", "rst:0xc (SW_CPU_RESET)", "reset reason 6\n",
        ]
        #expect(log.console.firstMissing(of: texts) == nil, "\(log.console)")
        let lines = try firmware.decodedBacktrace(in: log.console)
        #expect(lines.contains { $0.hasSuffix("/HangInCallback.ino:8") }, "\(lines)")
    }

    @Test func aHangThatNoWatchdogSeesIsTheBenchsFinding() async throws {
        let firmware = try await SketchBuilds.shared.build("HangsUncounted")
        let log = try await run(firmware.layout) { bench, board, log in
            try await bench.wait(for: "the end") { !log.ends.isEmpty }
            try await bench.sleep(.seconds(20))
            try await board.powerOff()
        }
        guard case .hang(let text, let context) = log.ends.first, log.ends.count == 1 else {
            Issue.record("expected a hang, got \(log.ends)")
            return
        }
        #expect(text.hasPrefix("the firmware used 2 s of processor time without an end"))
        #expect(context.core == 1)
        #expect(log.console.contains("\r\nespbench: \(text)\r\n"), "\(log.console)")
        #expect(log.events.contains(.chip(.halted(text))))
        #expect(!log.console.contains("Rebooting"), "the chip would hang for ever")
        let lines = try firmware.decodedBacktrace(in: log.console)
        #expect(lines.contains { $0.hasSuffix("/HangsUncounted.ino:6") }, "\(lines)")
    }

    @Test(
        "a sketch that passes the host core by is the bench's finding, with the place",
        arguments: [
            ("stand", "giveTurn(0, 0)", standing), ("call again", "sendMessage(64", standing),
            ("type", "sendMessage(500", nonsense + "there is no message of type 500"),
            ("short", "sendMessage(97", nonsense + "a message of type 97 has 8 bytes, expected at least 24"),
            ("cut", "sendMessage(66, 2000", nonsense + "a message at byte 0 of 16 is not whole"),
            ("late", "sendMessage(102, 8, 1)", nonsense + "a message is of "),
            ("ahead", "giveTurn(0, 0);\n  }", nonsense + "a turn from "),
            ("long", "giveTurn(0, 300000", nonsense + "300000 bytes of messages, expected at most 262144"),
            ("status", "giveTurn(77", nonsense + "a turn that ends with status 77"),
            ("call", "giveTurn(1", nonsense + "the firmware waits for a reply, and its last message is no call"),
            ("fault", nil, nonsense + "a fault of kind 0"),
            ("pause", "pauseForEver", "the firmware called pause() (system call"),
            ("exit", "exitByCall(3)", "the firmware called exit(3) (system call"),
            ("leave", nil, "the firmware's process ended itself with status 3"),
            ("unheard", nil, "the sandbox ended the firmware's process for a system call of this machine"),
        ])
    func passingBy(_ how: String, _ call: String?, _ finding: String) async throws {
        let firmware = try await SketchBuilds.shared.build("Unruly")
        let log = try await run(firmware.layout) { bench, board, log in
            try await bench.wait(for: "the sketch") { log.console.hasSuffix("ready\r\n") }
            await board.type(Array("\(how)\n".utf8))
            try await bench.wait(for: "the end") { !log.ends.isEmpty }
            try await board.powerOff()
        }
        guard case .hang(let text, _) = log.ends.first, log.ends.count == 1 else {
            Issue.record("expected a hang, got \(log.ends)")
            return
        }
        #expect(text.hasPrefix(finding), "\(text)")
        guard let call else { return }
        let lines = try firmware.decodedBacktrace(in: log.console)
        let source = try String(contentsOfFile: Repository.sketches + "/Unruly/Unruly.ino", encoding: .utf8)
        let loop = try #require(source.range(of: "void loop()")).lowerBound
        let place = try #require(source.range(of: call, range: loop..<source.endIndex)).lowerBound
        let number = source[..<place].count { $0 == "\n" } + 1
        #expect(lines.contains { $0.hasSuffix("/Unruly.ino:\(number)") }, "line \(number) not in \(lines)")
    }

    private static let standing = "the firmware takes its turns again and again at one instant and lets no time pass"
    private static let nonsense =
        "the firmware has written invalid data into the memory that it shares with the board: "

    @Test("what ends a program ends it as on the chip", arguments: [("_exit", true), ("kill", false)])
    func ending(_ how: String, _ isAbort: Bool) async throws {
        let firmware = try await SketchBuilds.shared.build("Unruly")
        let log = try await run(firmware.layout) { bench, board, log in
            try await bench.wait(for: "the sketch") { log.console.hasSuffix("ready\r\n") }
            await board.type(Array("\(how)\n".utf8))
            try await bench.wait(for: "the next boot") { log.console.components(separatedBy: "ready").count == 3 }
            try await board.powerOff()
        }
        switch log.ends.first {
        case .abort(let reason, _): #expect(isAbort && reason == "_exit() was called")
        case .exception(let cause, _): #expect(!isAbort && cause == .storeProhibited)
        default: Issue.record("expected an abort or an exception, got \(log.ends)")
        }
    }

    @Test func aBrownoutIsTheResetsReason() async throws {
        let firmware = try await SketchBuilds.shared.build("Console")
        let log = try await run(firmware.layout) { bench, board, log in
            try await bench.wait(for: "the sketch") { log.console.hasSuffix("reset reason 1\n") }
            await board.brownOut()
            try await bench.wait(for: "the next boot") { log.console.hasSuffix("reset reason 9\n") }
            try await board.powerOff()
        }
        #expect(log.ends == [], "a brownout is no crash")
        let texts = ["E BOD: Brownout detector was triggered\r\n", "rst:0x3 (SW_RESET)"]
        #expect(log.console.firstMissing(of: texts) == nil)
    }

    @Test func aStackOverflowIsNamed() async throws {
        let firmware = try await SketchBuilds.shared.build("Recurses")
        let log = try await run(firmware.layout) { bench, board, log in
            try await bench.wait(for: "the next boot") { log.console.contains("rst:0xc (SW_CPU_RESET)") }
            try await board.powerOff()
        }
        guard case .stackOverflow(let context) = log.ends.first else {
            Issue.record("expected a stack overflow, got \(log.ends)")
            return
        }
        #expect(context.task == "loopTask")
        #expect(
            log.console.contains("Debug exception reason: Stack canary watchpoint triggered (loopTask) \r\n"),
            "\(log.console)")
        let lines = try firmware.decodedBacktrace(in: log.console)
        #expect(lines.contains { $0.hasSuffix("/Recurses.ino:8") }, "\(lines)")
    }

    @Test func aFailedAssertionHasItsText() async throws {
        let firmware = try await SketchBuilds.shared.build("FailsAssertion")
        let log = try await run(firmware.layout) { bench, board, log in
            try await bench.wait(for: "the next boot") { log.console.contains("rst:0xc (SW_CPU_RESET)") }
            try await board.powerOff()
        }
        #expect(log.console.contains("assert failed: void loop() FailsAssertion.ino:8 (lamps == 4)\r\n"))
        let lines = try firmware.decodedBacktrace(in: log.console)
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
            log.console.firstMissing(of: ["reset reason 1", "rst:0xc (SW_CPU_RESET)", "reset reason 3"])
                == nil)
    }

    @Test func anotherUsersImageIsNotExecuted() async throws {
        let own = try await SketchBuilds.shared.build("Console")
        let key = try #require(HostProgramKey([UInt8](repeating: 8, count: HostProgramKey.length)))
        let description = AppDescription(
            version: "1", projectName: "Console", time: "", date: "", idfVersion: "v5.5", elfHash: [])
        let program = HostProgram(
            abi: HostProgram.nativeABI, layoutVersion: UInt32(CFC_LAYOUT_VERSION),
            program: Array(try Data(contentsOf: URL(filePath: own.compiled.program)))[...])
        var image = ImageBuilder(for: .esp32)
        image.addMapped(description.bytes[...])
        image.addMapped(program.seal(key: key, description: description)[...])
        let foreign = try FlashLayout(
            chip: .esp32, bootloader: own.layout.regions[0].bytes, table: .arduino4MB, app: try image.build(),
            flashSize: 4 << 20)
        let log = try await run(foreign) { bench, board, log in
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
}
