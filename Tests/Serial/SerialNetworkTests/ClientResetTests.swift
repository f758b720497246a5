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

    @Test("a terminal that asserts both lines, in either order, does not reset the board")
    func terminalOpens() async throws {
        #expect(try await steps(dtr: false, rts: false, "port.dtr = True\nport.rts = True").last == "dtr 1 rts 1")
        let steps = try await steps(dtr: false, rts: false, "port.rts = True\nport.dtr = True\ntime.sleep(0.8)")
        #expect(steps == ["dtr 1 rts 1"])
    }

    @Test("a terminal that drops both lines, in either order, does not reset the board")
    func terminalCloses() async throws {
        #expect(try await steps(dtr: true, rts: true, "port.dtr = False\nport.rts = False") == ["dtr 0 rts 0"])
        #expect(
            try await steps(dtr: true, rts: true, "port.rts = False\nport.dtr = False")
                == ["dtr 1 rts 0", "dtr 0 rts 0"])
    }

    @Test("RTS alone for a second holds the board in reset")
    func held() async throws {
        let steps = try await steps(dtr: false, rts: false, "port.rts = True\ntime.sleep(1.3)\nport.rts = False")
        #expect(steps == ["dtr 0 rts 1", "dtr 0 rts 0"])
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
