import Console
import Testing

@Suite("Crashes on the console")
struct CrashDetectorTests {
    private func crash(_ lines: String...) -> CrashDetector.Crash? {
        var detector = CrashDetector()
        for line in lines {
            if let crash = detector.receive(line) { return crash }
        }
        return nil
    }

    @Test(
        "are detected in the output of ESP-IDF's panic handler",
        arguments: [
            "Guru Meditation Error: Core  1 panic'ed (LoadProhibited). Exception was unhandled.",
            "abort() was called at PC 0x400d1234 on core 1",
            "assert failed: xQueueSemaphoreTake queue.c:1554 (( pxQueue ))",
            "***ERROR*** A stack overflow in task loopTask has been detected.",
            "Stack smashing protect failure!",
            "Brownout detector was triggered",
            "E (512) BOD: Brownout detector was triggered",
            "E BOD: Brownout detector was triggered",
        ])
    func panics(line: String) {
        #expect(crash("boot", line) == .panic(line))
    }

    @Test("have the reason of a debug exception, which is on the next line")
    func debugException() {
        let line = "Guru Meditation Error: Core  0 panic'ed (Unhandled debug exception). "
        let reason = "Debug exception reason: Stack canary watchpoint triggered (nimble_host) "
        let name = "Guru Meditation Error: Core  0 panic'ed (Unhandled debug exception)."
        #expect(crash(line) == nil)
        #expect(
            crash(line, reason)
                == .panic("\(name) Debug exception reason: Stack canary watchpoint triggered (nimble_host)"))
        #expect(crash(line, "Core  0 register dump:") == .panic(name))
    }

    @Test(
        "are distinguished from watchdog resets",
        arguments: [
            "Guru Meditation Error: Core  0 panic'ed (Interrupt wdt timeout on CPU0). ",
            "rst:0x8 (TG1WDT_SYS_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)",
            "rst:0x10 (RTCWDT_RTC_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)",
        ])
    func watchdogs(line: String) {
        #expect(crash(line) == .watchdog(line))
    }

    @Test("are not reported for a task watchdog's warning without an abort")
    func taskWatchdog() {
        let warning =
            "E (5316) task_wdt: Task watchdog got triggered. The following tasks/users did not reset the watchdog in time:"
        let rest = ["E (5316) task_wdt:  - loopTask (CPU 1)", "E (5316) task_wdt: Tasks currently running:"]
        #expect(crash(warning, rest[0], rest[1]) == nil)
        #expect(crash(warning, rest[0], rest[1], "E (5316) task_wdt: Aborting.") == .watchdog(warning))
        #expect(crash("E (5316) task_wdt: Aborting.") == nil)
    }

    @Test(
        "are none",
        arguments: [
            "", "   ", "rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)",
            "rst:0xc (SW_CPU_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)", "Adding:   0f", "abort the order?",
            "E (12) gpio: gpio_set_level(226): GPIO output gpio_num error", "Backtrace: 0x400d1234:0x3ffb2710",
            "Guru said: all is well",
        ])
    func none(line: String) {
        #expect(crash(line) == nil)
    }
}
