import BLECentral
import BLECentralHCI
import BLECore
import BenchExecutor
import FirmwareBuild
import Foundation
import Testing
import VirtualBoard

/// The classic faults of ESP32 peripherals, each with what the chip prints, the task in which it happens, and its line.
@Suite struct FaultTableTests {
    /// A fault of the sketch `Faults`.
    struct Fault: CustomTestStringConvertible, Sendable {
        enum Place: Sendable {
            /// By a line on the console, in the loop's task.
            case loop
            /// By a write, in the task of NimBLE's host.
            case callback
            /// By a line on the console, then the BOOT button.
            case interrupt
        }

        var command: String
        var place = Place.loop
        /// What the console shows, in this order.
        var texts: [String]
        /// The line of `FaultCases.cpp` with this mark is in the backtrace.
        var line: String?
        /// Whether the sketch ends, and boots again.
        var ends = true

        var testDescription: String { command }
    }

    static let panics = [
        Fault(
            command: "overrun",
            texts: [
                "CORRUPT HEAP: Bad tail at 0x3ff", "Expected 0xbaad5678 got 0x07070707\r\n",
                "assert failed: multi_heap_free multi_heap_poisoning.c:", "(head != NULL)\r\n", "Backtrace: 0x40",
                "rst:0xc (SW_CPU_RESET)", "reset reason 4",
            ], line: "overrun"),
        Fault(
            command: "double free",
            texts: ["assert failed: ", "Backtrace: 0x40", "reset reason 4"], line: "double free"),
        Fault(
            command: "new", texts: ["abort() was called at PC 0x40", "on core 1\r\n", "reset reason 4"], line: "new"),
        Fault(
            command: "big frame", place: .callback,
            texts: ["Core  0 panic'ed", "Stack canary watchpoint triggered (nimble_host)", "reset reason 4"],
            line: "big frame"),
        Fault(
            command: "recursion",
            texts: ["Core  1 panic'ed", "Stack canary watchpoint triggered (loopTask)", "reset reason 4"],
            line: "recursion"),
        Fault(command: "tiny stack", texts: ["Stack canary watchpoint triggered (tiny)", "reset reason 4"]),
        Fault(
            command: "mutex", place: .interrupt,
            texts: ["press", "assert failed: xQueueGiveFromISR queue.c:", "reset reason 4"]),
        Fault(
            command: "critical",
            texts: ["Core  1 panic'ed (Interrupt wdt timeout on CPU1)", "reset reason 5"], line: "critical"),
        Fault(
            command: "spin", place: .callback,
            texts: [
                "task_wdt: Task watchdog got triggered.", "- IDLE0 (CPU 0)", "CPU 0: nimble_host", "CPU 1: ",
                "reset reason 6",
            ], line: "spin"),
        Fault(
            command: "sleep", place: .callback, texts: ["rst:0x5 (DEEPSLEEP_RESET)", "reset reason 8"]),
    ]

    static let survivors = [
        Fault(command: "exhaust", texts: ["blocks of 64 KB", "done"], ends: false),
        Fault(command: "wrong delete", texts: ["deleted", "done"], ends: false),
        Fault(command: "tasks", texts: [" tasks\n", "done"], ends: false),
        Fault(command: "queue", texts: ["queue refused", "done"], ends: false),
        Fault(command: "packed", texts: ["5 bytes", "done"], ends: false),
        Fault(command: "long", texts: ["wrapped", "done"], ends: false),
    ]

    @Test(arguments: panics) func aFaultEndsAsOnTheChip(_ fault: Fault) async throws {
        let firmware = try await SketchBuilds.shared.build("Faults")
        let log = try await run(fault, firmware) { $0.console.components(separatedBy: "reset reason").count > 2 }
        #expect(log.console.firstMissing(of: fault.texts) == nil, "\(log.console)")
        if fault.place == .interrupt {
            // It was attached by the loop, whose core idles when the button is pressed.
            let context = try #require(log.ends.first?.context)
            #expect(context.isInInterrupt && context.core == 1 && context.task == "IDLE1", "\(context)")
        }
        if let line = fault.line {
            let lines = try firmware.decodedBacktrace(in: log.console)
            let number = try Self.number(of: line)
            #expect(lines.contains { $0.hasSuffix("/FaultCases.cpp:\(number)") }, "line \(number) not in \(lines)")
        }
    }

    @Test(arguments: survivors) func aFaultIsSeenAsOnTheChip(_ fault: Fault) async throws {
        let firmware = try await SketchBuilds.shared.build("Faults")
        let log = try await run(fault, firmware) { $0.console.hasSuffix("done\r\n") }
        #expect(log.ends == [])
        #expect(log.console.firstMissing(of: fault.texts) == nil, "\(log.console)")
    }

    /// The chip has about 180 KB for a sketch with NimBLE: 66 MB, or 100 tasks of 4 KB, are more than that.
    @Test(arguments: [("exhaust", " blocks of 64 KB", 4), ("tasks", " tasks\n", 70)])
    func theHeapIsTheChips(_ command: String, _ what: String, _ most: Int) async throws {
        let firmware = try await SketchBuilds.shared.build("Faults")
        let log = try await run(Fault(command: command, texts: []), firmware) { $0.console.hasSuffix("done\r\n") }
        let end = try #require(log.console.range(of: what)).lowerBound
        let count = try #require(Int(log.console[..<end].split(whereSeparator: \.isWhitespace).last ?? ""))
        #expect((1...most).contains(count), "\(log.console)")
    }

    @Test func aLoopThatPollsAVariableSeesTheCallback() async throws {
        let firmware = try await SketchBuilds.shared.build("Faults")
        let bench = try await BoardBench()
        let log = try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            try await bench.wait(for: "the sketch") { log.console.hasSuffix("ready\r\n") }
            await board.type(Array("await\n".utf8))
            try await bench.wait(for: "the loop") { log.console.hasSuffix("waiting\r\n") }
            let (central, _) = try await bench.central()
            _ = try await central.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
            try await bench.wait(for: "the end of the loop") { log.console.hasSuffix("connected\r\ndone\r\n") }
            try await board.powerOff()
            return log
        }
        #expect(log.ends == [])
    }

    @Test func aSpinningLoopIsEndedByNoWatchdog() async throws {
        let firmware = try await SketchBuilds.shared.build("Faults")
        let bench = try await BoardBench()
        let log = try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            try await bench.wait(for: "the sketch") { log.console.hasSuffix("ready\r\n") }
            await board.type(Array("spin\n".utf8))
            try await bench.sleep(.seconds(12))
            // NimBLE's host runs on the other core.
            let (central, _) = try await bench.central()
            _ = try await central.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
            try await board.powerOff()
            return log
        }
        #expect(log.ends == [])
        #expect(log.console.hasSuffix("ready\r\n"))
    }

    // MARK: Helpers

    /// Runs the sketch and causes the fault; ends when `isOver`.
    private func run(
        _ fault: Fault, _ firmware: BuiltFirmware, until isOver: @escaping @Sendable (BoardLog) -> Bool
    ) async throws -> BoardLog {
        let bench = try await BoardBench()
        return try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            try await bench.wait(for: "the sketch") { log.console.hasSuffix("ready\r\n") }
            switch fault.place {
            case .loop: await board.type(Array("\(fault.command)\n".utf8))
            case .interrupt:
                await board.type(Array("\(fault.command)\n".utf8))
                try await bench.wait(for: "the interrupt's attachment") { log.console.contains("press") }
                await board.pressButton()
            case .callback: try await write(fault.command, to: board, bench)
            }
            try await bench.wait(for: "the end") { isOver(log) }
            try await board.powerOff()
            return log
        }
    }

    /// Writes a command to the sketch, without a response.
    private func write(_ command: String, to board: VirtualBoard, _ bench: BoardBench) async throws {
        let (central, _) = try await bench.central()
        let connection = try await central.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
        let services = try await central.discoverServices(on: connection)
        let service = try #require(services.first { $0.uuid == BLEUUID(0xA000) })
        let characteristic = try #require(service.characteristics.first)
        // The firmware may end before it has answered.
        _ = try? await central.write(Array(command.utf8), to: characteristic.value, kind: .withResponse, on: connection)
    }

    /// The number of the sketch's line with this mark.
    private static func number(of mark: String) throws -> Int {
        let path = Repository.sketches + "/Faults/FaultCases.cpp"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        return try #require(lines.firstIndex { $0.hasSuffix("// line: \(mark)") }) + 1
    }
}
