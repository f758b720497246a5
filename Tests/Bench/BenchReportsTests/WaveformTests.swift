import BenchModel
import BenchReports
import Foundation
import MonotonicTime
import Testing

/// VCD files, read by pyvcd from PyPI.
@Suite struct WaveformTests {
    private static let python = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../.venv/bin/python").standardized

    /// Prints the variables, then each change as time, name and value.
    private static let script = """
        import sys
        from vcd.reader import TokenKind, tokenize
        names, scope, time = {}, [], 0
        for token in tokenize(open(sys.argv[1], "rb")):
            if token.kind is TokenKind.SCOPE: scope.append(token.scope.ident)
            elif token.kind is TokenKind.UPSCOPE: scope.pop()
            elif token.kind is TokenKind.TIMESCALE: print(int(token.timescale.magnitude), token.timescale.unit.value)
            elif token.kind is TokenKind.VAR:
                names[token.var.id_code] = ".".join(scope + [token.var.reference])
                print(token.var.type_.value, token.var.size, names[token.var.id_code])
            elif token.kind is TokenKind.CHANGE_TIME: time = token.time_change
            elif token.kind is TokenKind.CHANGE_SCALAR: print(time, names[token.scalar_change.id_code], token.scalar_change.value)
            elif token.kind is TokenKind.CHANGE_REAL: print(time, names[token.real_change.id_code], token.real_change.value)
            elif token.kind is TokenKind.CHANGE_STRING: print(time, names[token.string_change.id_code], token.string_change.value)
        """

    private func event(_ microseconds: Int64, _ source: String, _ payload: any EventPayload) -> BenchEvent {
        BenchEvent(time: .zero.advanced(by: .microseconds(microseconds)), source: source, payload: payload)
    }

    @Test func pyvcdReadsTheSignals() throws {
        var waveform = Waveform()
        let events: [BenchEvent] = [
            event(1, "board", PinChanged(pin: 26, isHigh: true)),
            event(1, "board", PWMChanged(pin: 5, signal: PWMChanged.Signal(millihertz: 5_000_000, duty: 250_000))),
            event(3, "console", ConsoleLineReceived("a b\\")),
            event(3, "board", PinChanged(pin: 26, isHigh: false, isDriven: false)),
            event(
                4, "board", I2CTransferred(address: 0x76, part: "climate", written: [0xD0], read: [0x60], status: 0)),
            event(5, "board", PartChanged(part: "lock", reading: "angle", value: "90 °", thousandths: 90_000)),
            event(6, "other", UARTBytesReceived(port: 1, bytes: [0x41, 0x0A])),
            event(7, "first", MTUChanged(185)),
        ]
        for event in events { waveform.append(event) }
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).vcd")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(waveform.file).write(to: file)
        let process = Process()
        let output = Pipe()
        process.executableURL = Self.python
        process.arguments = ["-c", Self.script, file.path]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(
            String(decoding: data, as: UTF8.self) == """
                1 ns
                wire 1 board.pin26
                real 64 board.pin5_duty
                real 64 board.pin5_frequency
                string 1 board.console
                string 1 board.i2c
                real 64 board.lock.angle
                string 1 other.uart1_tx
                1000 board.pin26 1
                1000 board.pin5_duty 25.0
                1000 board.pin5_frequency 5000.0
                3000 board.console a\\x20b\\x5c
                3000 board.pin26 z
                4000 board.i2c I\\xc2\\xb2C\\x20climate:\\x20wrote\\x20d0,\\x20read\\x2060
                5000 board.lock.angle 90.0
                6000 other.uart1_tx A\\x0a

                """)
    }

    /// The decoder of sigrok reads each kind of transaction.
    @Test func sigrokDecodesTheBus() throws {
        func transfer(
            _ time: Int64, _ written: [UInt8], _ read: [UInt8], status: Int = 0, hertz: Int = 100_000,
            nanoseconds: Int64 = 0
        ) -> BenchEvent {
            event(
                time, "board",
                I2CTransferred(
                    address: 0x76, part: nil, written: written, read: read, status: status,
                    signal: I2CTransferred.Signal(data: 21, clock: 22, hertz: hertz, nanoseconds: nanoseconds)))
        }
        var waveform = Waveform()
        waveform.append(transfer(1000, [0xD0], [0x60, 0xA5], nanoseconds: 2_000_000))
        // In the middle of the transaction.
        waveform.append(event(1100, "board", PinChanged(pin: 26, isHigh: true)))
        waveform.append(transfer(5000, [0xF2, 0x01], [], status: 3, hertz: 1_000_000))
        waveform.append(transfer(6000, [], [], status: 2))
        waveform.append(transfer(7000, [], [0x80], hertz: 400_000))
        // A bus that is held has no levels.
        waveform.append(transfer(8000, [1], [], status: 5))
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).vcd")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(waveform.file).write(to: file)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/sigrok-cli")
        process.arguments = [
            "-i", file.path, "-I", "vcd", "-P", "i2c:sda=pin21_sda:scl=pin22_scl", "-A",
            "i2c=start:repeat-start:stop:ack:nack:address-read:address-write:data-read:data-write",
        ]
        process.standardOutput = output
        // It says of each string that it skips it.
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map {
            $0.replacing("i2c-1: ", with: "")
        }
        #expect(
            lines.filter { $0 != "Read" && $0 != "Write" } == [
                "Start", "Address write: 76", "ACK", "Data write: D0", "ACK", "Start repeat", "Address read: 76", "ACK",
                "Data read: 60", "ACK", "Data read: A5", "NACK", "Stop", "Start", "Address write: 76", "ACK",
                "Data write: F2", "ACK", "Data write: 01", "NACK", "Stop", "Start", "Address write: 76", "NACK", "Stop",
                "Start", "Address read: 76", "ACK", "Data read: 80", "NACK", "Stop",
            ], "\(lines)")
    }
}
