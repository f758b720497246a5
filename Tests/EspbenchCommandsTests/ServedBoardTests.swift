import EspbenchCommands
import Foundation
import Testing

/// Served boards as somebody at a terminal has them.
@Suite("serve", .serialized, .timeLimit(.minutes(5)))
struct ServedBoardTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    private static let cache = FileManager.default.temporaryDirectory.appending(
        path: "espbench-served-builds-\(ProcessInfo.processInfo.processIdentifier)")

    private func tool(_ arguments: [String], _ folder: URL, input: FileHandle = .nullDevice) -> EspbenchProcess {
        let needsProject = arguments.first != "monitor"
        let project = needsProject ? ["--firmware", Self.root.appending(path: "Firmware").path] : []
        return EspbenchProcess(
            Array(arguments.prefix(1)) + project + arguments.dropFirst(), folder: folder, cache: Self.cache,
            input: input)
    }

    private let button = Self.root.appending(path: "Tests/Sketches/BootButton").path

    /// Runs `body` with `espbench serve` on a terminal that has its standard input; ends it with `q`.
    private func withKeys(
        _ arguments: [String], _ folder: URL, _ body: (EspbenchProcess, PseudoTerminal) throws -> Void
    ) throws {
        let keyboard = try PseudoTerminal()
        defer { keyboard.closeBoth() }
        let served = tool(
            ["serve", "--console"] + arguments, folder, input: FileHandle(fileDescriptor: keyboard.terminal))
        try served.process.run()
        defer { served.process.terminate() }
        try body(served, keyboard)
        keyboard.type(Array("q".utf8))
        served.process.waitUntilExit()
        #expect(served.process.terminationReason == .exit)
        #expect(served.process.terminationStatus == 0)
        #expect(keyboard.isCooked)
    }

    @Test("takes keys: BOOT, reset, power, quit; and leaves the terminal as it was")
    func keys() throws {
        try withTemporaryFolder { folder in
            try withKeys([button], folder) { served, keyboard in
                let keys = "keys: b press BOOT, B hold or release BOOT, r reset, p power off or on, q quit"
                #expect(served.waitForNote("q quit\n").contains(keys))
                #expect(!keyboard.isCooked)
                #expect(served.waitForOutput("boot 1 edges 0\n").contains("] drew "))
                keyboard.type(Array("b".utf8))
                #expect(served.waitForOutput("boot 1 edges 2\n").contains("boot 0 edges 1\n"))
                keyboard.type(Array("B".utf8))
                #expect(served.waitForOutput("boot 0 edges 3\n").contains("boot 0 edges 3\n"))
                // Held over a reset it asks for a flasher.
                keyboard.type(Array("r".utf8))
                #expect(served.waitForOutput("waiting for download\n").contains("boot:0x3 (DOWNLOAD_BOOT"))
                keyboard.type(Array("Br".utf8))
                #expect(served.waitForOutput("boot 1 edges 0\n").contains("boot:0x13 (SPI_FAST_FLASH_BOOT)"))
                keyboard.type(Array("?pp".utf8))
                #expect(served.waitForOutput("boot 1 edges 0\n").contains("(POWERON_RESET)"))
                let notes = served.waitForNote("power on\n")
                for note in ["BOOT pressed", "BOOT held", "BOOT released", "reset", "power off", "power on"] {
                    #expect(notes.contains("BootButton: \(note)\n"))
                }
                #expect(notes.contains(keys))
            }
        }
    }

    @Test("opens the lock's pairing window at a press of BOOT")
    func pairingWindow() throws {
        try withTemporaryFolder { folder in
            try withKeys(["ServoLock"], folder) { served, keyboard in
                _ = served.waitForOutput("Starting BLE work!\n")
                // The lock counts a press once it has seen the button up for a while: press until it does.
                let finger = Thread {
                    while !Thread.current.isCancelled {
                        keyboard.type(Array("b".utf8))
                        Thread.sleep(forTimeInterval: 0.5)
                    }
                }
                finger.start()
                #expect(served.waitForOutput("Pairing window open").contains("Pairing window open"))
                finger.cancel()
            }
        }
    }

    @Test("shows several boards' consoles behind their names, and chooses between them")
    func severalBoards() throws {
        try withTemporaryFolder { folder in
            try withKeys([button, button], folder) { served, keyboard in
                #expect(served.waitForNote("q quit\n").contains("keys: 1-2 choose the board, b press BOOT"))
                var both = ""
                while !both.contains(#/(?m)^1 BootButton \[.*boot 1 edges 0$/#)
                    || !both.contains(#/(?m)^2 BootButton \[.*boot 1 edges 0$/#)
                {
                    let more = served.waitForOutput("\n")
                    guard !more.isEmpty else { break }
                    both += more
                }
                keyboard.type(Array("2b".utf8))
                #expect(served.waitForNote("BOOT pressed").contains("keys are for 2 BootButton now\n"))
                let pressed = served.waitForOutput("edges 2\n")
                #expect(pressed.contains(#/(?m)^2 BootButton \[.*boot 0 edges 1$/#))
                #expect(!pressed.contains("1 BootButton"))
            }
        }
    }
}
