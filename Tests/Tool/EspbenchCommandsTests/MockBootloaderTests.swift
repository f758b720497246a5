import CommandSupport
import ESPChips
import Foundation
import Testing

/// The loaders of esp32-mock-bootloader, unmodified: they are not as exact as a ROM, and esptool works with them.
@Suite("esp32-mock-bootloader", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct MockBootloaderTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    /// Serves each chip of the arguments on a port of its own, and prints the ports; with the flash id 0, without a flash.
    private static let server = """
        import sys, threading
        from esp32_mock_bootloader import protocol, server
        protocol.MOCK_FLASH_ID = int(sys.argv[1], 0)
        flash = server.FlashImage()
        def serve(chip, listener):
            while True:
                conn, _ = listener.accept()
                server.handle_client(server.BootloaderConnection(sock=conn), threading.Event(), chip, flash=flash)
                conn.close()
        import socket
        for chip in sys.argv[2:]:
            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1])
            threading.Thread(target=serve, args=(chip, listener), daemon=True).start()
        print("ready", flush=True)
        threading.Event().wait()
        """

    /// Runs `body` with the address of each chip's port.
    private func withBoards(
        _ chips: [Chip], flashID: String, _ folder: URL, _ body: (Chip, String) throws -> Void
    ) throws {
        let program = ForeignProgram(code: Self.server, [flashID] + chips.map(\.identifier), folder: folder)
        try program.start()
        defer { program.end() }
        let ports = program.waitForOutput("ready\n").split(separator: "\n").compactMap { Int($0) }
        try #require(ports.count == chips.count)
        for (chip, port) in zip(chips, ports) {
            try body(chip, "socket://127.0.0.1:\(port)")
        }
    }

    /// Runs espbench, with esptool's stubs.
    private func run(_ arguments: [String], _ folder: URL) throws -> (code: Int32, output: String, errors: String) {
        let process = EspbenchProcess(arguments, folder: folder, input: .nullDevice)
        process.process.environment?["PATH"] = Self.root.appending(path: ".venv/bin").path + ":/usr/bin:/bin"
        return try process.run()
    }

    @Test("every chip is described, written, compared, read and erased, with the stub and without")
    func chips() throws {
        try withTemporaryFolder { folder in
            try withBoards(Chip.all, flashID: "0x164020", folder) { chip, port in
                let facts = try run(["info", "--port", port], folder)
                #expect(facts.code == 0, "\(chip): \(facts.errors)")
                #expect(
                    facts.output.contains("24:0a:c4:") && facts.output.contains("4 MB, id 20 40 16"), "\(facts.output)")
                for (index, options) in [[], ["--no-stub"]].enumerated() {
                    let data = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 / 3 &* (index + 7) &+ $0 >> 8) })
                    try data.write(to: folder.appending(path: "data.bin"))
                    let place = ["--port", port] + options
                    let write = try run(["flash", "0x10000=data.bin", "--no-skip"] + place, folder)
                    #expect(write.code == 0, "\(chip) \(options): \(write.errors)")
                    // Of the first revision of the ESP32-P4 there is a stub of its own.
                    let stub = "using the stub \(chip.identifier)\(chip.identifier == "esp32p4" ? "-rev1" : "").json\n"
                    let loader = options.isEmpty ? stub : "using the loader in ROM\n"
                    #expect(write.errors.contains(loader), "\(chip) \(options): \(write.errors)")
                    let read = try run(["read", "0x10000", "20000", "-o", "back.bin"] + place, folder)
                    #expect(read.code == 0, "\(chip) \(options): \(read.errors)")
                    #expect(try Data(contentsOf: folder.appending(path: "back.bin")) == data)
                }
            }
        }
    }

    @Test("without a flash, chip and MAC address are shown, and nothing is written")
    func noFlash() throws {
        try withTemporaryFolder { folder in
            try withBoards([.esp32, .esp32c3], flashID: "0", folder) { chip, port in
                for verb in ["info", "read-mac", "chip-id"] {
                    let facts = try run([verb, "--port", port], folder)
                    #expect(facts.code == 0, "\(facts.errors)")
                    #expect(facts.output.contains(chip.name) && facts.output.contains("24:0a:c4:"), "\(facts.output)")
                    #expect(facts.output.contains(#/\nflash +no answer\n/#), "\(facts.output)")
                }
                try Data(count: 100).write(to: folder.appending(path: "data.bin"))
                let write = try run(["flash", "0x10000=data.bin", "--port", port], folder)
                #expect(write.code == ExitReason.flashFailed.rawValue)
                #expect(write.errors.contains("expected an id, got 00000000"), "\(write.errors)")
            }
        }
    }
}
