import Foundation
import Testing

/// esp-idf-monitor, unmodified, as a client of served boards. It needs a terminal for its keys.
@Suite("esp-idf-monitor", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct ESPIDFMonitorTests {
    private static let (menu, leave): (UInt8, UInt8) = (0x14, 0x1D)
    private static let (reset, bootloader): (UInt8, UInt8) = (0x12, 0x10)

    /// Runs `body` with a monitor of the port, and ends it by its key.
    private func withMonitor(
        _ port: String, _ folder: URL, _ body: (ForeignProgram, PseudoTerminal) throws -> Void
    ) throws {
        let keyboard = try PseudoTerminal()
        defer { keyboard.closeBoth() }
        let monitor = ForeignProgram(
            module: "esp_idf_monitor", ["--port", port], folder: folder,
            input: FileHandle(fileDescriptor: keyboard.terminal))
        try monitor.start()
        defer { monitor.end() }
        try body(monitor, keyboard)
        keyboard.type([Self.leave])
        monitor.waitForEnd()
    }

    @Test("shows the console over both transports, and resets the board into sketch and loader over RFC 2217")
    func client() throws {
        try withTemporaryFolder { folder in
            let served = try ServedSketch("Console", [["--socket", "0"], ["--rfc2217", "0"]], folder: folder)
            defer { served.end() }
            try withMonitor(served.addresses[0], folder) { monitor, keyboard in
                let heard = monitor.waitForOutput("heard x") { keyboard.type(Array("x".utf8)) }
                #expect(heard.contains("heard x"))
            }
            try withMonitor(served.addresses[1], folder) { monitor, keyboard in
                // It resets the board at its beginning.
                let first = monitor.waitForOutput("reset reason ")
                #expect(first.contains("rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)"), "\(first)")
                keyboard.type([Self.menu, Self.reset])
                let second = monitor.waitForOutput("reset reason ")
                #expect(second.contains("boot:0x13 (SPI_FAST_FLASH_BOOT)"), "\(second)")
                keyboard.type([Self.menu, Self.bootloader])
                let loader = monitor.waitForOutput("waiting for download")
                #expect(loader.contains("boot:0x3 (DOWNLOAD_BOOT"), "\(loader)")
                #expect(!loader.contains("reset reason"), "\(loader)")
                keyboard.type([Self.menu, Self.reset])
                let third = monitor.waitForOutput("reset reason ")
                #expect(third.contains("boot:0x13 (SPI_FAST_FLASH_BOOT)"), "\(third)")
            }
        }
    }
}
