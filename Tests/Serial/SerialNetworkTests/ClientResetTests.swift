import SerialNetwork
import SerialPort
import Testing

/// The resets that clients of `rfc2217://` ask for, as the port behind the server sees them. The clients are pyserial's,
/// with the steps of esptool, esp-idf-monitor and terminals; the pauses are theirs.
@Suite(.enabled(if: Python.isInstalled, "needs .venv with pyserial: Scripts/test makes it"), .timeLimit(.minutes(10)))
struct ClientResetTests {
    private static let prelude = """
        import serial, sys, time
        from esp_pylib.serial_reset import classic_bootloader_reset, hard_reset, usb_jtag_bootloader_reset
        url = sys.argv[1]
        def opened(dtr, rts):
            port = serial.serial_for_url(url, do_not_open=True)
            port.dtr, port.rts = dtr, rts
            port.open()
            port.write(b"x")
            return port

        """

    /// The lines that the port was given after the client had opened it and sent a byte.
    private func steps(
        dtr: Bool, rts: Bool, interface: PortTraits.Interface = .uart, _ script: String
    ) async throws -> [String] {
        let fake = FakePort(interface: interface)
        let text = Self.prelude + "port = opened(\(dtr ? "True" : "False"), \(rts ? "True" : "False"))\n" + script
        let output = try await withServer(.rfc2217, open: { fake }) { server in
            await (try Python.Script(text + "\nport.write(b'y')\nassert port.read(2) == b'xy'", [server.address.text]))
                .rest()
        }
        #expect(output.isEmpty, "\(output)")
        let lines = await fake.history.filter { $0.hasPrefix("dtr") || $0.hasPrefix("pause") }
        // Opening asserts one line after the other.
        return Array(lines.dropFirst(dtr && rts ? 2 : 0))
    }

    private static let intoLoader = ["dtr 0 rts 1", "pause 100", "dtr 1 rts 0", "pause 50"]
    private static let hard = ["dtr 0 rts 1", "pause 100", "dtr 0 rts 0"]

    @Test("esptool's classic reset enters the loader", arguments: [true, false])
    func classic(asserted: Bool) async throws {
        let steps = try await steps(dtr: asserted, rts: asserted, "classic_bootloader_reset(port)")
        #expect(steps == Self.intoLoader + ["dtr 0 rts 0"])
    }

    @Test("esptool's hard reset restarts the board")
    func hardReset() async throws {
        let steps = try await steps(dtr: false, rts: false, "hard_reset(port)")
        #expect(steps == Self.hard)
    }

    @Test("dropping DTR, then RTS 100 ms later, restarts the board")
    func hardResetFromBoth() async throws {
        let steps = try await steps(
            dtr: true, rts: true, "port.dtr = False\nport.rts = True\ntime.sleep(0.1)\nport.rts = False")
        #expect(steps == Self.hard)
    }

    @Test("esptool's reset of a USB-Serial-JTAG controller is performed as that controller expects it")
    func usb() async throws {
        let steps = try await steps(
            dtr: false, rts: false, interface: .usbSerialJTAG, "classic_bootloader_reset(port)")
        #expect(
            steps == [
                "dtr 0 rts 0", "pause 100", "dtr 1 rts 0", "pause 100", "dtr 1 rts 1", "dtr 0 rts 1", "pause 100",
                "dtr 0 rts 0", "dtr 0 rts 0",
            ])
    }

    @Test("a reset beside the board follows the interface of the port")
    func sequences() async throws {
        func steps(_ interface: PortTraits.Interface, intoLoader: Bool) async throws -> [String] {
            let fake = FakePort(interface: interface)
            try await ResetSequence.reset(fake, intoLoader: intoLoader)
            return await fake.history
        }
        let hardUSB = ["dtr 0 rts 1", "pause 200", "dtr 0 rts 0", "pause 200"]
        #expect(try await steps(.uart, intoLoader: false) == Self.hard)
        #expect(try await steps(.usbSerialJTAG, intoLoader: false) == hardUSB)
        #expect(try await steps(.usbOTG, intoLoader: false) == hardUSB)
        #expect(try await steps(.uart, intoLoader: true) == Self.intoLoader + ["dtr 0 rts 0"])
        #expect(try await steps(.usbOTG, intoLoader: true) == Self.intoLoader + ["dtr 0 rts 0"])
        #expect(
            try await steps(.usbSerialJTAG, intoLoader: true) == [
                "dtr 0 rts 0", "pause 100", "dtr 1 rts 0", "pause 100", "dtr 1 rts 1", "dtr 0 rts 1", "pause 100",
                "dtr 0 rts 0",
            ])
    }

    @Test("our client, which sets both lines in one step, controls each step itself")
    func atomic() async throws {
        let fake = FakePort()
        try await withServer(.rfc2217, open: { fake }) { server in
            let port = try await NetworkPort.open(server.address)
            for lines in [(false, true), (true, false), (false, false)] {
                try await port.setModemLines(ModemLines(dtr: lines.0, rts: lines.1))
            }
            await port.close()
        }
        #expect(await fake.history == ["baud 115200", "dtr 0 rts 1", "dtr 1 rts 0", "dtr 0 rts 0", "close"])
    }
}

/// The same on the state machine, at exact times.
@Suite struct ResetRecognizerTests {
    private static let start = ContinuousClock.now
    private static let (none, enableLow, bootLow, both) = (
        ModemLines(dtr: false, rts: false), ModemLines(dtr: false, rts: true), ModemLines(dtr: true, rts: false),
        ModemLines(dtr: true, rts: true)
    )

    /// The actions after single changes, each so many milliseconds after the start.
    private func actions(_ changes: [(time: Int, lines: ModemLines)]) -> [ResetRecognizer.Action] {
        var recognizer = ResetRecognizer()
        return changes.flatMap { change in
            let now = Self.start.advanced(by: .milliseconds(change.time))
            var actions: [ResetRecognizer.Action] = []
            if let deadline = recognizer.deadline, deadline <= now { actions = recognizer.settle() }
            return actions + recognizer.change(to: change.lines, isBoth: false, at: now)
        }
    }

    @Test("a terminal that asserts both lines, in either order, does not reset the board")
    func terminalOpens() {
        #expect(actions([(0, Self.bootLow), (50, Self.both)]) == [.lines(Self.bootLow), .lines(Self.both)])
        #expect(actions([(0, Self.enableLow), (50, Self.both), (600, Self.both)]) == [.lines(Self.both)])
    }

    @Test("a terminal that drops both lines, in either order, does not reset the board")
    func terminalCloses() {
        let opened: [(Int, ModemLines)] = [(0, Self.bootLow), (50, Self.both)]
        let before: [ResetRecognizer.Action] = [.lines(Self.bootLow), .lines(Self.both)]
        #expect(actions(opened + [(1000, Self.enableLow), (1089, Self.none)]) == before + [.lines(Self.none)])
        #expect(actions(opened + [(1000, Self.enableLow), (1090, Self.none)]) == before + [.hardReset])
        #expect(
            actions(opened + [(1000, Self.bootLow), (1050, Self.none)])
                == before + [.lines(Self.bootLow), .lines(Self.none)])
    }

    @Test("RTS alone is a reset when it ends, and holds the board after a second")
    func held() {
        #expect(actions([(0, Self.enableLow), (1, Self.none)]) == [.hardReset])
        #expect(
            actions([(0, Self.enableLow), (1000, Self.none)]) == [.lines(Self.enableLow), .lines(Self.none)])
        // From there, too, a board enters its loader with both lines in between.
        #expect(
            actions([(0, Self.enableLow), (1000, Self.enableLow), (1001, Self.both), (1100, Self.bootLow)])
                == [.lines(Self.enableLow), .resetIntoLoader])
    }

    @Test("both lines after RTS alone are a step of a reset for half a second")
    func released() {
        let steps = [(0, Self.enableLow), (200, Self.both)]
        #expect(actions(steps + [(699, Self.bootLow)]) == [.resetIntoLoader])
        #expect(actions(steps + [(700, Self.bootLow)]) == [.lines(Self.both), .lines(Self.bootLow)])
    }

    @Test("data and changes of both lines at once end what was held back")
    func settled() {
        var recognizer = ResetRecognizer()
        #expect(recognizer.settle() == [])
        #expect(recognizer.change(to: Self.enableLow, isBoth: false, at: Self.start) == [])
        #expect(recognizer.settle() == [.lines(Self.enableLow)])
        #expect(recognizer.deadline == nil)
        #expect(recognizer.change(to: Self.none, isBoth: true, at: Self.start) == [.lines(Self.none)])
        #expect(recognizer.change(to: Self.enableLow, isBoth: true, at: Self.start) == [.lines(Self.enableLow)])
        #expect(recognizer.deadline == nil)
    }
}
