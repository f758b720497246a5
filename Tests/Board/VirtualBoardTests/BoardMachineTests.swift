import ESPImage
import ESPProtocol
import MonotonicTime
import SerialPort
import Testing
import VirtualBoard

@Suite struct BoardMachineTests {
    private func runningBoard() throws -> PlayedBoard {
        let board = PlayedBoard(try FlashContents.bootable())
        board.play { $0.powerOn(at: $1) }
        board.pass(.seconds(1))
        #expect(board.applications.count == 1)
        _ = board.drainSent()
        return board
    }

    @Test func bytesAreTransferredInBothDirectionsWhileTheApplicationRuns() throws {
        let board = try runningBoard()
        board.play { $0.applicationWrote([1, 2], at: $1) }
        board.play { $0.receive([3, 4], hasModemLines: true, at: $1) }
        #expect(board.drainSent() == [1, 2])
        #expect(board.delivered == [3, 4])
    }

    @Test func aRestartIsASoftwareReset() throws {
        let board = try runningBoard()
        board.play { $0.applicationEnded(.restart, at: $1) }
        board.pass(.seconds(1))
        #expect(board.console.hasPrefix("ets Jun  8 2016 00:22:57\r\n\r\nrst:0xc (SW_CPU_RESET),boot:0x13"))
        #expect(board.applications.map(\.1) == [.powerOn, .softwareCPU])
        #expect(board.stops == 0)
    }

    @Test func aPanicIsPrintedBeforeTheReset() throws {
        let board = try runningBoard()
        let context = PanicContext(
            backtrace: [.init(pc: 0x400D_1234, sp: 0x3FFB_2000), .init(pc: 0x400D_5678, sp: 0x3FFB_2020)],
            faultAddress: 0, elfHash: FlashContents.description.elfHash)
        board.play { $0.applicationEnded(.exception(.loadProhibited, context), at: $1) }
        let text = String(decoding: board.drainSent(), as: UTF8.self)
        #expect(
            text.hasPrefix(
                """
                \r
                Guru Meditation Error: Core  1 panic'ed (LoadProhibited). Exception was unhandled.\r
                \r
                Core  1 register dump:\r
                PC      : 0x400d1234  PS      : 0x00060730  A0      : 0x800d5678  A1      : 0x3ffb2000  \r

                """))
        #expect(text.contains("EXCCAUSE: 0x0000001c  \r\nEXCVADDR: 0x00000000  "))
        #expect(text.contains("\r\nBacktrace: 0x400d1234:0x3ffb2000 0x400d5678:0x3ffb2020\r\n"))
        #expect(text.hasSuffix("\r\nELF file SHA256: abcdef012\r\n\r\nRebooting...\r\n"))
        #expect(board.chipEvents.count == 2, "the text takes its time on the line")
        board.pass(.seconds(1))
        #expect(board.console.contains("rst:0xc (SW_CPU_RESET)"))
    }

    @Test func watchdogAndAbortTexts() {
        let context = PanicContext(backtrace: [.init(pc: 0x400D_0001, sp: 0x3FFB_0000)])
        let watchdog = ApplicationEnd.taskWatchdog(task: "loopTask", milliseconds: 5123, context)
        #expect(
            watchdog.text.hasPrefix(
                """
                E (5123) task_wdt: Task watchdog got triggered. The following tasks/users did not reset the watchdog in time:\r
                E (5123) task_wdt:  - loopTask (CPU 1)\r
                E (5123) task_wdt: Tasks currently running:\r
                E (5123) task_wdt: CPU 0: IDLE0\r
                E (5123) task_wdt: CPU 1: loopTask\r
                E (5123) task_wdt: Aborting.\r

                """))
        #expect(
            ApplicationEnd.abort(context).text.hasPrefix("\r\nabort() was called at PC 0x400d0001 on core 1\r\n"))
        #expect(
            ApplicationEnd.interruptWatchdog(context).text.contains(
                "Core  1 panic'ed (Interrupt wdt timeout on CPU1). "))
        #expect(ApplicationEnd.interruptWatchdog(context).resetReason == .timerGroup1Watchdog)
    }

    @Test func resetsAndPowerStopTheApplication() throws {
        let board = try runningBoard()
        board.play { $0.setModemLines(ModemLines(dtr: false, rts: true), at: $1) }
        #expect(board.stops == 1)
        board.play { $0.applicationWrote([9], at: $1) }
        #expect(board.drainSent().isEmpty)
        board.play { $0.setModemLines(ModemLines(dtr: false, rts: false), at: $1) }
        board.pass(.seconds(1))
        #expect(board.applications.count == 2)
        try board.play { try $0.powerOff(at: $1) }
        #expect(board.stops == 2)
        board.pass(.seconds(5))
        #expect(board.applications.count == 2)
        board.play { $0.powerOn(at: $1) }
        board.pass(.seconds(1))
        #expect(board.applications.count == 3)
    }

    @Test func aClientWithoutModemLinesEntersTheLoaderBySync() throws {
        let board = try runningBoard()
        let sync = LoaderRequest(Sync()).frame
        board.play { $0.receive(Array(sync.prefix(10)), hasModemLines: false, at: $1) }
        board.play { $0.receive(Array(sync.dropFirst(10)), hasModemLines: false, at: $1) }
        board.pass(.milliseconds(100))
        #expect(board.console.hasSuffix("UART1/SDIO_REI_REO_V2))\r\nwaiting for download\r\n"))
        _ = board.drainSent()
        board.play { $0.receive(sync, hasModemLines: false, at: $1) }
        #expect(!board.drainSent().isEmpty)
        board.play { $0.clientClosed(hasModemLines: false, at: $1) }
        board.pass(.seconds(1))
        #expect(board.applications.count == 2)
    }

    @Test func closingThePortReleasesTheReset() throws {
        let board = try runningBoard()
        board.play { $0.setModemLines(ModemLines(dtr: false, rts: true), at: $1) }
        board.pass(.seconds(1))
        #expect(board.applications.count == 1)
        board.play { $0.clientClosed(hasModemLines: true, at: $1) }
        board.pass(.seconds(1))
        #expect(board.applications.count == 2)
    }

    @Test func theBootLogIsComputedWithoutABoot() throws {
        let good = PlayedBoard(try FlashContents.bootable())
        #expect(String(decoding: good.machine.bootLog, as: UTF8.self).hasSuffix("entry 0x00000000\r\n"))
        #expect(good.applications.isEmpty && good.drainSent().isEmpty)
    }

    @Test func aClientWithModemLinesMustUseThem() throws {
        let board = try runningBoard()
        let sync = LoaderRequest(Sync()).frame
        board.play { $0.receive(sync, hasModemLines: true, at: $1) }
        board.pass(.seconds(1))
        #expect(board.drainSent().isEmpty)
        #expect(board.delivered == sync)
    }

    /// A power loss during a write; the next boot reports the fault, and flashing again repairs it.
    @Test func aPowerLossWhileFlashingIsReportedAndRepaired() throws {
        let app = try FlashContents.app()
        let board = PlayedBoard(try FlashContents.bootable())
        board.play { $0.setModemLines(ModemLines(dtr: true, rts: false), at: $1) }
        board.play { $0.powerOn(at: $1) }
        board.pass(.milliseconds(100))
        func send<Command: LoaderCommand>(_ command: Command, wait: Duration) {
            board.play { $0.receive(LoaderRequest(command).frame, hasModemLines: true, at: $1) }
            board.pass(wait)
        }
        func write(lossOfPower: Bool) throws {
            send(AttachFlash(dialect: .rom), wait: .zero)
            let region = FlashWriteRegion(
                eraseSize: UInt32(app.count), blockCount: UInt32((app.count + 1023) / 1024), blockSize: 1024,
                offset: 0x10000)
            send(FlashBegin(region), wait: .milliseconds(lossOfPower ? 20 : 100))
            if lossOfPower {
                try board.play { try $0.powerOff(at: $1) }
                return
            }
            for (index, start) in stride(from: 0, to: app.count, by: 1024).enumerated() {
                let block = app[start..<min(start + 1024, app.count)]
                let padded = block + repeatElement(0xFF, count: 1024 - block.count)
                send(FlashData(DataBlock(sequence: UInt32(index), payload: padded)), wait: .milliseconds(5))
            }
            try board.play { try $0.powerOff(at: $1) }
        }
        try write(lossOfPower: true)
        board.play { $0.setModemLines(ModemLines(dtr: false, rts: false), at: $1) }
        board.play { $0.powerOn(at: $1) }
        board.pass(.milliseconds(400))
        #expect(board.console.contains(") boot: OTA app partition slot 0 is not bootable\r\n"))
        #expect(board.applications.isEmpty)
        try board.play { try $0.powerOff(at: $1) }
        board.play { $0.setModemLines(ModemLines(dtr: true, rts: false), at: $1) }
        board.play { $0.powerOn(at: $1) }
        board.pass(.milliseconds(100))
        try write(lossOfPower: false)
        board.play { $0.setModemLines(ModemLines(dtr: false, rts: false), at: $1) }
        board.play { $0.powerOn(at: $1) }
        board.pass(.seconds(1))
        #expect(board.applications.count == 1)
    }
}
