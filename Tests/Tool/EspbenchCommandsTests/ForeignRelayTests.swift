import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// ser2net and socat, unmodified, between a served board and its clients.
@Suite("ser2net and socat", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct ForeignRelayTests {
    private static let data = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 11 &+ $0 >> 8) })

    private func espbench(_ arguments: [String], _ folder: URL) throws -> (code: Int32, output: String, errors: String)
    {
        try EspbenchProcess(arguments, folder: folder, input: .nullDevice).run()
    }

    /// Writes and reads the flash, and reads the chip's facts and the console.
    private func useBoard(_ port: String, _ folder: URL) throws {
        try Self.data.write(to: folder.appending(path: "data.bin"))
        let written = try espbench(["flash", "0x300000=data.bin", "--port", port], folder)
        #expect(written.code == 0, "\(written.errors)")
        // ser2net holds answers of the ROM's loader back for up to 20 ms: this reads one piece of 64 bytes after the other.
        let read = try espbench(["read", "0x300000", "500", "-o", "back.bin", "--port", port], folder)
        #expect(read.code == 0, "\(read.errors)")
        #expect(try Data(contentsOf: folder.appending(path: "back.bin")) == Self.data.prefix(500))
        let info = try espbench(["info", "--port", port], folder)
        #expect(info.output.contains("02:eb:00:00:00:01\n"), "\(info.errors)")
        // What comes before the sketch has started is lost: it is sent until the board answers.
        let keyboard = Pipe()
        let finger = Thread {
            while !Thread.current.isCancelled {
                try? keyboard.fileHandleForWriting.write(contentsOf: Data("x\n".utf8))
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
        finger.start()
        defer { finger.cancel() }
        let console = try EspbenchProcess(
            ["monitor", "--port", port, "--until", "^heard x$", "--timeout", "20s"], folder: folder,
            input: keyboard.fileHandleForReading
        ).run()
        #expect(console.code == 0, "\(console.errors)")
        // The next one finds nothing of it.
        let erased = try espbench(["erase", "0x300000", "0x5000", "--port", port], folder)
        #expect(erased.code == 0, "\(erased.errors)")
    }

    @Test("ser2net serves the pseudo-terminal, over RFC 2217 with the news that it has no modem lines")
    func ser2netOnTerminal() throws {
        try withTemporaryFolder { folder in
            let link = folder.appending(path: "board").path
            let served = try ServedSketch("Console", [["--pty-link", link]], folder: folder)
            defer { served.end() }
            let connector = "serialdev,\(link),115200n81,local"
            let (program, ports) = try ForeignProgram.ser2net(
                [("tcp,PORT", connector), ("telnet(rfc2217),tcp,PORT", connector)], folder: folder)
            defer { program.end() }
            for port in ["socket://127.0.0.1:\(ports[0])", "rfc2217://127.0.0.1:\(ports[1])"] {
                try useBoard(port, folder)
                let reset = try espbench(["monitor", "--port", port, "--reset", "--timeout", "20s"], folder)
                #expect(reset.code == ExitReason.portFailed.rawValue)
                #expect(
                    reset.errors.contains(
                        "error: \(port): it has no DTR and RTS: the board cannot be reset through it\nhint: Ttys, usb:"
                    ), "\(reset.errors)")
            }
        }
    }

    @Test("ser2net is a client of both served ports, and resets the board for its own clients")
    func ser2netAsClient() throws {
        try withTemporaryFolder { folder in
            let served = try ServedSketch("Console", [["--socket", "0"], ["--rfc2217", "0"]], folder: folder)
            defer { served.end() }
            let (program, ports) = try ForeignProgram.ser2net(
                [
                    ("tcp,PORT", "tcp,127.0.0.1,\(try served.tcpPort(0))"),
                    ("telnet(rfc2217),tcp,PORT", "telnet(rfc2217),tcp,127.0.0.1,\(try served.tcpPort(1))"),
                ], folder: folder)
            defer { program.end() }
            try useBoard("socket://127.0.0.1:\(ports[0])", folder)
            let port = "rfc2217://127.0.0.1:\(ports[1])"
            let info = try espbench(["info", "--port", port], folder)
            #expect(info.output.contains("02:eb:00:00:00:01\n"), "\(info.errors)")
            let reset = try espbench(
                ["monitor", "--port", port, "--reset", "--until", "^reset reason", "--timeout", "20s"], folder)
            #expect(reset.code == 0, "\(reset.errors)")
            #expect(reset.output.contains("boot:0x13 (SPI_FAST_FLASH_BOOT)\n"), "\(reset.output)")
        }
    }

    @Test("socat makes a TCP port of the pseudo-terminal, and the other way round; esptool agrees")
    func socat() throws {
        try withTemporaryFolder { folder in
            let link = folder.appending(path: "board").path
            let served = try ServedSketch("Console", [["--socket", "0"], ["--pty-link", link]], folder: folder)
            defer { served.end() }
            let listener = "TCP-LISTEN:PORT,bind=127.0.0.1,reuseaddr,accept-timeout=60"
            // It ends with its client.
            let (first, port) = try ForeignProgram.socat(listener, "FILE:\(link),raw,echo=0", folder: folder)
            try Self.data.write(to: folder.appending(path: "data.bin"))
            let written = try espbench(
                ["flash", "0x300000=data.bin", "--port", "socket://127.0.0.1:\(port)"], folder)
            #expect(written.code == 0, "\(written.errors)")
            first.waitForEnd()
            let (second, again) = try ForeignProgram.socat(listener, "FILE:\(link),raw,echo=0", folder: folder)
            try expectData("socket://127.0.0.1:\(again)", folder)
            second.waitForEnd()

            let terminal = folder.appending(path: "socat").path
            let (third, _) = try ForeignProgram.socat(
                "PTY,link=\(terminal),raw,echo=0", "TCP:127.0.0.1:\(try served.tcpPort(0))", folder: folder)
            defer { third.end() }
            while !FileManager.default.fileExists(atPath: terminal) { Thread.sleep(forTimeInterval: 0.02) }
            try expectData(terminal, folder)
            try useBoard(terminal, folder)
        }
    }

    /// Has esptool read the flash.
    private func expectData(_ port: String, _ folder: URL) throws {
        let read = try ForeignProgram(
            module: "esptool", ["--port", port, "read-flash", "0x300000", "\(Self.data.count)", "read.bin"],
            folder: folder
        ).run()
        #expect(read.code == 0, "\(read.output)\(read.errors)")
        #expect(try Data(contentsOf: folder.appending(path: "read.bin")) == Self.data)
    }
}
