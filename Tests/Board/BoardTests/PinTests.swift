import FirmwareBuild
import SerialPort
import BenchExecutor
import Testing
import VirtualBoard

/// Buttons and servos of a board.
@Suite struct PinTests {
    @Test func aServoFollowsAButton() async throws {
        let firmware = try await SketchBuilds.shared.build("Panel")
        let bench = try await BoardBench()
        let log = try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            try await bench.wait(for: "the start") { log.console.hasSuffix("boot 1 button 1\n") }
            for _ in 0..<3 {
                await board.pressButton(pin: 4)
                await board.pressButton(pin: 4)
                await board.releaseButton(pin: 4)
            }
            await board.pressButton()
            try await bench.wait(for: "the press") { log.console.hasSuffix("boot 0 edges 3\n") }
            await board.releaseButton()
            try await bench.wait(for: "the release") { log.console.hasSuffix("boot 1 edges 3\n") }
            return log
        }
        let servos = log.events.compactMap { event in
            if case .servo(let signal) = event { signal } else { nil }
        }
        #expect(servos.map(\.pin) == [13, 13, 13, 13])
        #expect(servos.map(\.isAttached) == [true, true, true, false])
        #expect(servos.map(\.pulseMicroseconds) == [nil, 1484, 488, nil])
        // 90° and 0°, in steps of 1.8°.
        #expect(servos.map { $0.angle.map { Int($0) } } == [nil, 88, 0, nil])
        #expect(log.events.filter { $0 == .button(pin: 4, isPressed: true) }.count == 3)
        #expect(log.events.contains(.button(pin: 0, isPressed: true)))
    }

    @Test func pinsDoOnlyWhatTheChipsCan() async throws {
        let firmware = try await SketchBuilds.shared.build("WrongPins")
        let bench = try await BoardBench()
        let log = try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            // Before a program runs, nobody knows what it will read.
            for pin in [4, 5, 15] { #expect(await board.pressButton(pin: pin) == nil) }
            #expect(await board.releaseButton(pin: 4)?.hasPrefix("no sketch ran while the button was pressed") == true)
            try await bench.wait(for: "the start") { log.console.hasSuffix("ready\r\n") }
            #expect(
                await board.releaseButton(pin: 5)
                    == "pin 5 is not an input: the sketch has not called pinMode(5, INPUT_PULLUP)")
            #expect(await board.releaseButton(pin: 15) == nil)
            #expect(await board.pressButton(pin: 45) == "the ESP32 has no pin 45")
            #expect(await board.pressButton(pin: 7) == "pin 7 is connected to the flash")
            #expect(
                await board.pressButton(pin: 2)
                    == "pin 2 is an output of the sketch, which the button would connect to ground")
            for pin in [0, 5, 34] {
                #expect(await board.pressButton(pin: pin) == nil)
                try await bench.sleep(.milliseconds(20))
                #expect(
                    await board.releaseButton(pin: pin)
                        == "pin \(pin) is not an input: the sketch has not called pinMode(\(pin), INPUT_PULLUP)")
            }
            #expect(await board.pressButton(pin: 36) == nil)
            #expect(await board.releaseButton(pin: 36)?.hasPrefix("pin 36 has no pull-up, and reads LOW") == true)
            #expect(await board.pressButton(pin: 15) == nil)
            #expect(await board.releaseButton(pin: 15) == nil)
            // Held at a reset, BOOT asks for download mode.
            #expect(await board.pressButton() == nil)
            await board.reset()
            try await bench.sleep(.seconds(1))
            #expect(await board.releaseButton() == nil)
            await board.reset()
            try await bench.wait(for: "the second start") { log.starts == 2 && log.console.hasSuffix("ready\r\n") }
            await board.type(Array("f".utf8))
            try await bench.wait(for: "the end") { log.starts == 3 }
            return log
        }
        #expect(log.console.contains(") gpio: GPIO can only be used as input mode"))
        #expect(log.console.contains("Guru Meditation Error: Core  1 panic'ed (Interrupt wdt timeout on CPU1)"))
        #expect(log.events.contains(.pin(2, isHigh: true)))
        #expect(!log.events.contains(.pin(34, isHigh: true)) && !log.events.contains(.pin(13, isHigh: true)))
        #expect(log.events.contains(.pinIgnored(34, "it can only be an input")))
        #expect(log.events.contains(.pinIgnored(13, "digitalWrite() before pinMode() has no effect")))
    }

    @Test func staticDataTakeTheirPartOfTheHeap() async throws {
        let firmware = try await SketchBuilds.shared.build("StaticData")
        let bench = try await BoardBench()
        try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            // 260,000 less 80,000; without them four blocks.
            try await bench.wait(for: "the sizes") { log.console.hasSuffix("heap 180000, blocks 2\n") }
        }
    }

    /// The auto-reset circuit: DTR alone pulls IO0 low, RTS alone EN, both neither.
    @Test func modemLinesPressBoot() async throws {
        let firmware = try await SketchBuilds.shared.build("BootButton")
        let bench = try await BoardBench()
        try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            let port = try await board.line.open()
            await board.powerOn()
            try await bench.wait(for: "the start") { log.console.hasSuffix("boot 1 edges 0\n") }
            try await port.setModemLines(ModemLines(dtr: true, rts: false))
            try await bench.wait(for: "the press") { log.console.hasSuffix("boot 0 edges 1\n") }
            // Pressing the button as well changes nothing.
            await board.pressButton()
            await board.releaseButton()
            try await bench.sleep(.milliseconds(100))
            #expect(log.console.hasSuffix("boot 0 edges 1\n"))
            try await port.setModemLines(ModemLines(dtr: true, rts: true))
            try await bench.wait(for: "the release") { log.console.hasSuffix("boot 1 edges 2\n") }
            try await port.setModemLines(ModemLines(dtr: true, rts: false))
            try await bench.wait(for: "the second press") { log.console.hasSuffix("boot 0 edges 3\n") }
            // A closed port deasserts its lines.
            await port.close()
            try await bench.wait(for: "the second release") { log.console.hasSuffix("boot 1 edges 4\n") }
            #expect(log.starts == 1)
        }
    }

    @Test func aSketchThatStartsWithDTRAssertedSeesBOOTPressed() async throws {
        let firmware = try await SketchBuilds.shared.build("BootButton")
        let bench = try await BoardBench()
        try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            let port = try await board.line.open()
            await board.powerOn()
            // EN is high, and IO0 was sampled, long before the sketch runs.
            try await bench.sleep(.milliseconds(50))
            try await port.setModemLines(ModemLines(dtr: true, rts: false))
            try await bench.wait(for: "the start") { log.console.contains("boot 0 edges 0\n") }
            #expect(log.starts == 1)
        }
    }

    /// The reset button does not change DTR and RTS.
    @Test func aResetWithDTRAssertedSelectsDownloadMode() async throws {
        let firmware = try await SketchBuilds.shared.build("BootButton")
        let bench = try await BoardBench()
        try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            let port = try await board.line.open()
            await board.powerOn()
            try await bench.wait(for: "the start") { log.starts == 1 }
            try await port.setModemLines(ModemLines(dtr: true, rts: false))
            await board.reset()
            try await bench.wait(for: "the loader") { log.events.contains(.chip(.loaderReady)) }
            try await port.setModemLines(ModemLines(dtr: false, rts: false))
            await board.reset()
            try await bench.wait(for: "the second start") { log.starts == 2 }
        }
    }

    @Test func aButtonHeldBeforeTheBootIsSeenBySetup() async throws {
        let firmware = try await SketchBuilds.shared.build("Panel")
        let bench = try await BoardBench()
        try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.pressButton(pin: 4)
            await board.powerOn()
            try await bench.wait(for: "the start") { log.console.hasSuffix("boot 1 button 0\n") }
        }
    }

    @Test func bootHeldAtResetSelectsDownloadMode() async throws {
        let firmware = try await SketchBuilds.shared.build("Panel")
        let bench = try await BoardBench()
        try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            try await bench.wait(for: "the start") { log.starts == 1 }
            await board.pressButton()
            await board.reset()
            try await bench.wait(for: "the loader") { log.events.contains(.chip(.loaderReady)) }
            await board.releaseButton()
            await board.reset()
            try await bench.wait(for: "the start") { log.starts == 2 }
        }
    }
}
