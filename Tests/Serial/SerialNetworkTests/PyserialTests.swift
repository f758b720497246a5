import Foundation
import SerialNetwork
import SerialPort
import Testing

/// Interoperability with pyserial, as client and as server.
@Suite(.enabled(if: Python.isInstalled, "needs .venv with pyserial: Scripts/test makes it"), .timeLimit(.minutes(10)))
struct PyserialTests {
    private static let client = """
        import serial, sys
        port = serial.serial_for_url(sys.argv[1], baudrate=115200, timeout=20)
        data = bytes(range(256)) * 4
        port.write(data)
        print("echo", port.read(len(data)) == data)
        if sys.argv[1].startswith("rfc2217"):
            port.dtr = False
            port.rts = True
            port.dtr = True
            port.rts = False
            port.baudrate = 460800
            port.reset_input_buffer()
            print("cts", port.cts)
        port.close()
        """

    @Test func pyserialsSocketClientIsServed() async throws {
        let fake = FakePort()
        let output = try await withServer(.socket, open: { fake }) { server in
            await (try Python.Script(Self.client, [server.address.description])).rest()
        }
        #expect(output == "echo True\n")
    }

    @Test func pyserialsRFC2217ClientIsServed() async throws {
        let fake = FakePort()
        let output = try await withServer(.rfc2217, open: { fake }) { server in
            await (try Python.Script(Self.client, [server.address.description])).rest()
        }
        #expect(output.hasSuffix("echo True\ncts False\n"))
        #expect(
            await fake.history == [
                "baud 115200", "dtr 1 rts 0", "dtr 1 rts 1", "discard", "dtr 0 rts 1", "pause 100", "dtr 1 rts 0",
                "pause 50", "baud 460800", "discard", "close",
            ])
    }

    private static let settings = """
        import serial, sys
        port = serial.serial_for_url(sys.argv[1], baudrate=115200, timeout=20)
        for name, value in [
            ("xonxoff", True), ("xonxoff", False), ("rtscts", True), ("rtscts", False), ("bytesize", 7),
            ("bytesize", 5), ("parity", "E"), ("parity", "S"), ("stopbits", 2), ("stopbits", 1.5),
            ("break_condition", True), ("break_condition", False),
        ]:
            try:
                setattr(port, name, value)
                print(name, value)
            except Exception as error:
                print(name, value, repr(error))
        data = bytes(range(256))
        port.write(data)
        print("echo", port.read(256) == data)
        port.close()
        """

    /// pyserial throws when the answer differs from the value it sent: "remote rejected value for option 'control'".
    @Test func pyserialsRFC2217ClientCanSetAllSettings() async throws {
        let output = try await withServer(.rfc2217, open: { FakePort() }) { server in
            await (try Python.Script(Self.settings, [server.address.description])).rest()
        }
        #expect(
            output == """
                xonxoff True
                xonxoff False
                rtscts True
                rtscts False
                bytesize 7
                bytesize 5
                parity E
                parity S
                stopbits 2
                stopbits 1.5
                break_condition True
                break_condition False
                echo True

                """)
    }

    private static let server = """
        import socket, serial.rfc2217, sys, types
        class Port:
            cts = dsr = ri = cd = False
            baudrate, bytesize, parity, stopbits = 9600, 7, "E", 2
            xonxoff = True
            rtscts = False
            def __init__(self): object.__setattr__(self, "log", [])
            def __setattr__(self, name, value):
                self.log.append(f"{name} {value}")
                object.__setattr__(self, name, value)
            def reset_input_buffer(self): self.log.append("purge")
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        connection, _ = listener.accept()
        port = Port()
        if len(sys.argv) > 1:
            # Answers all commands but those that set DTR and RTS, and hears none of them.
            set_control = serial.rfc2217.SET_CONTROL
            class Manager(serial.rfc2217.PortManager):
                def _telnet_process_subnegotiation(self, suboption):
                    if suboption[1:2] != set_control or suboption[2:3] not in (b"\\x08", b"\\x09", b"\\x0b", b"\\x0c"):
                        super()._telnet_process_subnegotiation(suboption)
            serial.rfc2217.PortManager = Manager
        manager = serial.rfc2217.PortManager(port, types.SimpleNamespace(write=connection.sendall))
        while data := connection.recv(4096):
            plain = b"".join(manager.filter(data))
            if plain: connection.sendall(b"".join(manager.escape(plain)))
        print(", ".join(port.log))
        """

    @Test func pyserialsRFC2217ServerServesOurClient() async throws {
        let script = try Python.Script(Self.server)
        let number = await script.next().trimmingCharacters(in: .whitespacesAndNewlines)
        let tcpPort = try #require(UInt16(number))
        try await onOwnThread {
            let port = try await NetworkPort.open(.rfc2217(host: "127.0.0.1", port: tcpPort))
            let bytes = (0..<1024).map { UInt8(truncatingIfNeeded: $0) }
            try await port.write(bytes)
            #expect(try await read(bytes.count, from: port) == bytes)
            try await port.setModemLines(ModemLines(dtr: false, rts: true))
            try await port.configure(SerialSettings(baudRate: 921_600))
            try await port.discardInput()
            await port.close()
        }
        // The number's newline may arrive separately.
        let log = await script.rest().trimmingCharacters(in: .newlines)
        #expect(
            log == """
                baudrate 115200, bytesize 8, parity N, stopbits 1, xonxoff False, rtscts False, dtr False, rts True, \
                baudrate 921600, bytesize 8, parity N, stopbits 1, xonxoff False, rtscts False, purge
                """)
    }

    /// esptool ends with "timeout while waiting for option 'control'".
    @Test func aServerThatDoesNotAnswerForDTRAndRTSHasNoModemLines() async throws {
        let script = try Python.Script(Self.server, ["mute"])
        let number = await script.next().trimmingCharacters(in: .whitespacesAndNewlines)
        let tcpPort = try #require(UInt16(number))
        try await onOwnThread {
            let port = try await NetworkPort.open(.rfc2217(host: "127.0.0.1", port: tcpPort))
            let error = await #expect(throws: SerialPortError.self) {
                try await port.setModemLines(ModemLines(dtr: false, rts: true))
            }
            #expect(error?.code == .noModemLines)
            #expect(
                error?.detail
                    == "expected the server's answer to SET-CONTROL of DTR and RTS within 3.0 seconds, got none")
            // The rest works.
            try await port.configure(SerialSettings(baudRate: 921_600))
            try await port.write([1, 2, 3])
            #expect(try await read(3, from: port) == [1, 2, 3])
            await port.close()
        }
        #expect(await script.rest().contains("baudrate 921600"))
    }
}
