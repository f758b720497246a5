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

    /// The ESP32's ROM runs what is in the flash when its loader ends, without a reset: esptool's soft reset relies on it.
    @Test func theEndOfTheLoaderInROMStartsTheApplication() throws {
        let board = PlayedBoard(try FlashContents.bootable())
        board.play { $0.setBootPressed(true, at: $1) }
        board.play { $0.powerOn(at: $1) }
        board.pass(.seconds(1))
        #expect(board.applications.isEmpty)
        _ = board.drainSent()
        let end = LoaderRequest(FlashEnd(reboots: false)).frame
        board.play { $0.receive(end, hasModemLines: true, at: $1) }
        board.pass(.seconds(1))
        #expect(board.console.contains("configsip: 0x00000000, SPIWP:0xee\r\n"), "\(board.console)")
        #expect(!board.console.contains("rst:"))
        #expect(board.applications.map(\.1) == [.powerOn])
    }

    @Test func aRestartIsASoftwareReset() throws {
        let board = try runningBoard()
        board.play { $0.applicationEnded(.restart, at: $1) }
        board.pass(.seconds(1))
        #expect(board.console.hasPrefix("ets Jul 29 2019 12:21:46\r\n\r\nrst:0xc (SW_CPU_RESET),boot:0x13"))
        #expect(board.applications.map(\.1) == [.powerOn, .softwareCPU])
        #expect(board.stops == 0)
    }

    @Test func aPanicIsPrintedBeforeTheReset() throws {
        let board = try runningBoard()
        let context = PanicContext(
            backtrace: [.init(pc: 0x400D_1234, sp: 0x3FFB_2000), .init(pc: 0x400D_5678, sp: 0x3FFB_2020)],
            faultAddress: 0, elfHash: FlashContents.description.elfHash)
        let end = ApplicationEnd.exception(.loadProhibited, context)
        board.play { $0.applicationEnded(end, at: $1) }
        #expect(String(decoding: board.drainSent(), as: UTF8.self) == end.text)
        #expect(board.chipEvents.count == 2, "the text takes its time on the line")
        board.pass(.seconds(1))
        #expect(board.console.contains("rst:0xc (SW_CPU_RESET)"))
    }

    @Test func aHangEndsInSilenceUntilTheNextReset() throws {
        let board = try runningBoard()
        board.play { $0.applicationEnded(.hang("it hangs", PanicContext(backtrace: [])), at: $1) }
        _ = board.drainSent()
        board.pass(.seconds(100))
        #expect(board.console == "")
        #expect(board.chipEvents.last == .halted("it hangs"))
        board.play { $0.pressReset(at: $1) }
        board.pass(.seconds(1))
        #expect(board.applications.map(\.1) == [.powerOn, .powerOn])
    }

    @Test func deepSleepLastsUntilItsTimer() throws {
        let board = try runningBoard()
        board.play { $0.applicationEnded(.deepSleep, wakeUp: $1.advanced(by: .seconds(10)), at: $1) }
        board.pass(.seconds(9))
        #expect(board.console == "")
        #expect(board.chipEvents.last == .asleep)
        board.pass(.seconds(2))
        #expect(
            board.console.hasPrefix("ets Jul 29 2019 12:21:46\r\n\r\nrst:0x5 (DEEPSLEEP_RESET),boot:0x13"),
            "\(board.console)")
        #expect(board.applications.map(\.1) == [.powerOn, .deepSleep])
    }

    @Test func deepSleepWithoutATimerEndsByAReset() throws {
        let board = try runningBoard()
        board.play { $0.applicationEnded(.deepSleep, at: $1) }
        board.pass(.seconds(1000))
        #expect(board.console == "")
        board.play { $0.pressReset(at: $1) }
        board.pass(.seconds(1))
        #expect(board.applications.map(\.1) == [.powerOn, .powerOn])
    }

    @Test func aBrownoutIsASystemReset() throws {
        let board = try runningBoard()
        board.play { $0.applicationEnded(.brownout, at: $1) }
        board.pass(.seconds(1))
        #expect(
            board.console.hasPrefix(
                "E BOD: Brownout detector was triggered\r\n\r\n\r\nets Jul 29 2019 12:21:46\r\n\r\nrst:0x3 (SW_RESET)"),
            "\(board.console)")
        #expect(board.applications.map(\.1) == [.powerOn, .software])
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
