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
}
