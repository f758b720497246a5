import Testing
import VirtualBoard

/// What the panic handler, the watchdogs and the sanitizers print, character by character (ESP-IDF v5.5.1, with the
/// configuration of arduino-esp32 for the ESP32).
@Suite struct PanicTextTests {
    private static let frames: [PanicContext.Frame] = [
        .init(pc: 0x400D_1234, sp: 0x3FFB_2000), .init(pc: 0x400D_5678, sp: 0x3FFB_2020),
    ]
    private static let hash: [UInt8] = [0xAB, 0xCD, 0xEF, 0x01, 0x23]

    /// The text from the backtrace on.
    private static let end = """
        \r
        \r
        Backtrace: 0x400d1234:0x3ffb2000 0x400d5678:0x3ffb2020\r
        \r
        \r
        \r
        \r
        ELF file SHA256: abcdef012\r
        \r
        Rebooting...\r

        """

    private func context(
        core: Int = 1, task: String = "loopTask", isInInterrupt: Bool = false
    ) -> PanicContext {
        PanicContext(
            core: core, task: task, isInInterrupt: isInInterrupt, backtrace: Self.frames, faultAddress: 0x10,
            elfHash: Self.hash)
    }

    /// The dump of the registers.
    private func dump(core: Int, cause: String, address: String = "00000010") -> String {
        let zeros = "0x00000000"
        return """
            Core  \(core) register dump:\r
            PC      : 0x400d1234  PS      : 0x00060730  A0      : 0x800d5678  A1      : 0x3ffb2000  \r
            A2      : \(zeros)  A3      : \(zeros)  A4      : \(zeros)  A5      : \(zeros)  \r
            A6      : \(zeros)  A7      : \(zeros)  A8      : \(zeros)  A9      : \(zeros)  \r
            A10     : \(zeros)  A11     : \(zeros)  A12     : \(zeros)  A13     : \(zeros)  \r
            A14     : \(zeros)  A15     : \(zeros)  SAR     : \(zeros)  EXCCAUSE: 0x\(cause)  \r
            EXCVADDR: 0x\(address)  LBEG    : \(zeros)  LEND    : \(zeros)  LCOUNT  : \(zeros)  \r

            """
    }

    @Test func exceptions() {
        let end = ApplicationEnd.exception(.loadProhibited, context(core: 0, task: "nimble_host"))
        #expect(
            end.text
                == "Guru Meditation Error: Core  0 panic'ed (LoadProhibited). Exception was unhandled.\r\n\r\n"
                + dump(core: 0, cause: "0000001c") + Self.end)
        #expect(end.summary == "Guru Meditation Error: Core  0 panic'ed (LoadProhibited). Exception was unhandled.")
        #expect(end.resetReason == .softwareCPU)
    }

    @Test func stackOverflows() {
        let end = ApplicationEnd.stackOverflow(context(core: 0, task: "nimble_host"))
        #expect(
            end.text
                == "Guru Meditation Error: Core  0 panic'ed (Unhandled debug exception). \r\n"
                + "Debug exception reason: Stack canary watchpoint triggered (nimble_host) \r\n"
                + dump(core: 0, cause: "00000001") + Self.end)
        #expect(
            end.summary
                == "Guru Meditation Error: Core  0 panic'ed (Unhandled debug exception). Debug exception reason: "
                + "Stack canary watchpoint triggered (nimble_host)")
    }

    @Test func aborts() {
        let end = ApplicationEnd.abort(reason: "", context())
        #expect(end.text == "\r\nabort() was called at PC 0x400d1234 on core 1\r\n" + Self.end)
        #expect(end.summary == "abort() was called at PC 0x400d1234 on core 1")
        let exception = ApplicationEnd.abort(reason: "uncaught std::bad_alloc: std::bad_alloc", context(core: 0))
        #expect(exception.text == "\r\nabort() was called at PC 0x400d1234 on core 0\r\n" + Self.end)
        #expect(
            exception.summary
                == "abort() was called at PC 0x400d1234 on core 0: uncaught std::bad_alloc: std::bad_alloc")
    }

    @Test func assertions() {
        let line = "assert failed: xQueueSemaphoreTake queue.c:1709 (( pxQueue ))"
        let end = ApplicationEnd.assertion(line, context())
        #expect(end.text == "\r\n\(line)\r\n" + Self.end)
        #expect(end.summary == line)
    }

    @Test func otherPanics() {
        let first = "CORRUPT HEAP: Bad tail at 0x3ffb8654. Expected 0xbaad5678 got 0x00000000"
        let end = ApplicationEnd.panic("\(first)\n\nassert failed: x y.c:1 (z)", context())
        #expect(end.text == "\(first)\r\n\r\nassert failed: x y.c:1 (z)\r\n" + Self.end)
        #expect(end.summary == first)
    }

    @Test func theTaskWatchdogOfTheIdleTask() {
        let report = TaskWatchdogReport(
            late: ["IDLE0 (CPU 0)"], running: ["nimble_host", "loopTask"], milliseconds: 5123)
        let end = ApplicationEnd.taskWatchdog(report, context(core: 0, task: "nimble_host"))
        #expect(
            end.text
                == """
                E (5123) task_wdt: Task watchdog got triggered. The following tasks/users did not reset the watchdog in time:\r
                E (5123) task_wdt:  - IDLE0 (CPU 0)\r
                E (5123) task_wdt: Tasks currently running:\r
                E (5123) task_wdt: CPU 0: nimble_host\r
                E (5123) task_wdt: CPU 1: loopTask\r
                E (5123) task_wdt: Aborting.\r
                E (5123) task_wdt: Print CPU 0 (current core) backtrace\r
                \r
                \r

                """ + Self.end)
        #expect(end.summary.hasSuffix("did not reset the watchdog in time: IDLE0 (CPU 0)"))
        #expect(end.resetReason == .softwareCPU)
    }

    @Test func theTaskWatchdogOfTheLoop() {
        let report = TaskWatchdogReport(
            late: ["loopTask (CPU 1)"], running: ["IDLE0", "loopTask"], milliseconds: 7)
        let text = ApplicationEnd.taskWatchdog(report, context()).text
        #expect(text.contains("E (7) task_wdt: CPU 1: loopTask\r\nE (7) task_wdt: Aborting.\r\n"))
        #expect(text.contains("E (7) task_wdt: Print CPU 1 backtrace\r\n"))
    }

    @Test(arguments: [(0, "00000005"), (1, "00000006")])
    func theInterruptWatchdog(core: Int, cause: String) {
        let end = ApplicationEnd.interruptWatchdog(context(core: core))
        #expect(
            end.text
                == "Guru Meditation Error: Core  \(core) panic'ed (Interrupt wdt timeout on CPU\(core)). \r\n\r\n"
                + dump(core: core, cause: cause) + Self.end)
        #expect(end.resetReason == .softwareCPU)
    }

    @Test func theInterruptWatchdogInAnInterrupt() {
        let text = ApplicationEnd.interruptWatchdog(context(isInInterrupt: true)).text
        #expect(
            text.contains(
                "LCOUNT  : 0x00000000  \r\nCore  1 was running in ISR context:\r\n"
                    + "EPC1    : 0x400d5678  EPC2    : 0x00000000  EPC3    : 0x00000000  EPC4    : 0x00000000\r\n\r\n\r\n"
                    + "Backtrace:"))
    }

    @Test func sanitizersAreQuotedWithoutTheProcess() {
        let report = """
            =================================================================
            ==4711==ERROR: AddressSanitizer: heap-buffer-overflow on address 0xf5e007b4
            WRITE of size 1 at 0xf5e007b4 thread T0
            """
        let end = ApplicationEnd.sanitizer(report, context())
        #expect(end.summary == "ERROR: AddressSanitizer: heap-buffer-overflow on address 0xf5e007b4")
        #expect(end.text.hasPrefix(String(repeating: "=", count: 65) + "\r\nERROR: AddressSanitizer"))
        #expect(end.text.hasSuffix(Self.end))
        let undefined = ApplicationEnd.sanitizer("Lamp.ino:7:12: runtime error: signed integer overflow", context())
        #expect(undefined.summary == "Lamp.ino:7:12: runtime error: signed integer overflow")
    }

    @Test func hangsAreTheBenchsFinding() {
        let end = ApplicationEnd.hang("it hangs", context())
        #expect(
            end.text
                == "\r\nespbench: it hangs\r\n\r\n\r\n"
                + "Backtrace: 0x400d1234:0x3ffb2000 0x400d5678:0x3ffb2020\r\n\r\n")
        #expect(end.resetReason == nil)
    }
}
