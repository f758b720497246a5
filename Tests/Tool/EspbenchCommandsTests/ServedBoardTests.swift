import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// Boards served to a user at a terminal.
@Suite("serve", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct ServedBoardTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized
    private func tool(
        _ arguments: [String], _ folder: URL, cache: URL? = nil, input: FileHandle = .nullDevice
    ) -> EspbenchProcess {
        let needsProject = arguments.first != "monitor"
        let project = needsProject ? ["--project", Self.root.path] : []
        return EspbenchProcess(
            Array(arguments.prefix(1)) + project + arguments.dropFirst(), folder: folder, cache: cache,
            input: input)
    }

    private let button = Self.root.appending(path: "Tests/Board/Sketches/BootButton").path

    /// Runs `body` with `espbench serve`, whose standard input is a terminal; ends it with `q`.
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

    @Test("performs the keys for BOOT, reset, power and quit, and restores the terminal")
    func keys() throws {
        try withTemporaryFolder { folder in
            try withKeys([button], folder) { served, keyboard in
                let keys =
                    "keys: b press BOOT, B hold or release BOOT, r reset, l restart into the loader, p power off or on, q quit"
                #expect(served.waitForNote("q quit\n").contains(keys))
                #expect(!keyboard.isCooked)
                #expect(served.waitForOutput("boot 1 edges 0\n").contains("] drew "))
                keyboard.type(Array("b".utf8))
                #expect(served.waitForOutput("boot 1 edges 2\n").contains("boot 0 edges 1\n"))
                keyboard.type(Array("B".utf8))
                #expect(served.waitForOutput("boot 0 edges 3\n").contains("boot 0 edges 3\n"))
                // Held during a reset it selects download mode.
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

    @Test("opens the lock's pairing window when BOOT is pressed")
    func pairingWindow() throws {
        try withTemporaryFolder { folder in
            try withKeys(["ServoLock"], folder) { served, keyboard in
                _ = served.waitForOutput("Starting BLE work!\n")
                // The lock registers a press only after the button was up for a while: press until it does.
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

    @Test("shows several boards' consoles with their names, and selects a board by key")
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
                #expect(served.waitForNote("BOOT pressed").contains("keys control 2 BootButton\n"))
                let pressed = served.waitForOutput("edges 2\n")
                #expect(pressed.contains(#/(?m)^2 BootButton \[.*boot 0 edges 1$/#))
                #expect(!pressed.contains("1 BootButton"))
            }
        }
    }

    @Test(
        "restores the terminal when a signal ends it", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV])
    func signals(signal: Int32) throws {
        try withTemporaryFolder { folder in
            let keyboard = try PseudoTerminal()
            defer { keyboard.closeBoth() }
            let served = EspbenchProcess(
                ["serve", "--h4", "0"], folder: folder, input: FileHandle(fileDescriptor: keyboard.terminal))
            // Swift's crash handler would wait for a key.
            served.process.environment?["SWIFT_BACKTRACE"] = "enable=no"
            try served.process.run()
            #expect(served.waitForNote("\n") == "keys: q quit\n")
            #expect(!keyboard.isCooked)
            kill(served.process.processIdentifier, signal)
            served.process.waitUntilExit()
            #expect(keyboard.isCooked)
            let isClean = [SIGINT, SIGTERM, SIGHUP].contains(signal)
            #expect(served.process.terminationReason == (isClean ? .exit : .uncaughtSignal))
            #expect(served.process.terminationStatus == (isClean ? 0 : signal))
        }
    }

    @Test("continues without keys when the terminal is closed")
    func lostTerminal() throws {
        try withTemporaryFolder { folder in
            let keyboard = try PseudoTerminal()
            let served = EspbenchProcess(
                ["serve", "--h4", "0"], folder: folder, input: FileHandle(fileDescriptor: keyboard.terminal))
            try served.process.run()
            _ = served.waitForNote("keys: q quit\n")
            keyboard.closeBoth()
            #expect(served.process.isRunning)
            served.process.terminate()
            served.process.waitUntilExit()
            #expect(served.process.terminationReason == .exit)
        }
    }

    @Test("reads no keys from standard input that is no terminal")
    func noTerminal() throws {
        try withTemporaryFolder { folder in
            let input = Pipe()
            let served = EspbenchProcess(["serve", "--h4", "0"], folder: folder, input: input.fileHandleForReading)
            try served.process.run()
            input.fileHandleForWriting.write(Data("q\n".utf8))
            #expect(served.waitForData(lines: 1).hasPrefix("h4://"))
            served.process.terminate()
            served.process.waitUntilExit()
            #expect(served.process.terminationReason == .exit)
            #expect(served.waitForNote("keys").isEmpty)
            #expect(input.fileHandleForReading.availableData == Data("q\n".utf8))
        }
    }

    @Test("uses random seeds by default, and gives the same run with the same seed")
    func chance() throws {
        try withTemporaryFolder { folder in
            func drawn(_ arguments: [String]) throws -> String {
                let served = tool(["serve", button, "--console"] + arguments, folder)
                try served.process.run()
                defer {
                    served.process.terminate()
                    served.process.waitUntilExit()
                }
                let output = served.waitForOutput("boot 1 edges 0\n")
                return String(try #require(output.firstMatch(of: #/drew ([0-9a-f]{16})/#)).1)
            }
            #expect(try drawn([]) != drawn([]))
            let seeded = try drawn(["--seed", "5"])
            #expect(try drawn(["--seed", "5"]) == seeded)
            #expect(try drawn(["--seed", "6"]) != seeded)
        }
    }

    @Test("prints addresses and lines as objects with --json")
    func objects() throws {
        try withTemporaryFolder { folder in
            let served = tool(["serve", button, "--console", "--json", "--rfc2217", "0", "--uart1", "0"], folder)
            try served.process.run()
            defer { served.process.terminate() }
            let output = served.waitForOutput("boot 1 edges 0\"").replacing(/127\.0\.0\.1:\d+/, with: "HOST")
            let lines = output.split(separator: "\n")
            #expect(
                lines.prefix(2) == [
                    #"{"address":"rfc2217://HOST","board":"BootButton","event":"address"}"#,
                    #"{"address":"socket://HOST","board":"BootButton","event":"address","uart":1}"#,
                ], "\(output)")
            #expect(
                lines.contains { $0.hasPrefix(#"{"board":"BootButton","event":"line","text":"boot 1 edges 0""#) },
                "\(output)")
            let times = output.matches(of: /"time_ms":(\d+)}/).compactMap { Int($0.1) }
            #expect(times.count >= 2 && times == times.sorted() && times.allSatisfy { $0 < 10_000 }, "\(output)")
        }
    }

    @Test("replays output to the first client, refuses a second one, and reports an image of another user")
    func clients() throws {
        try withTemporaryFolder { folder in
            let served = tool(["serve", button, "--console"], folder)
            try served.process.run()
            defer { served.process.terminate() }
            let offers = served.waitForOutput("boot 1 edges 0\n").split(separator: "\n").prefix(2)
            let ports = offers.map { String($0.prefix { $0 != " " }) }
            try #require(ports.count == 2)
            // Without input a monitor ends.
            let keyboard = try PseudoTerminal()
            defer { keyboard.closeBoth() }
            let input = FileHandle(fileDescriptor: keyboard.terminal)
            let first = tool(["monitor", "--port", ports[1]], folder, input: input)
            try first.process.run()
            #expect(first.waitForOutput("boot 1 edges 0\n").contains("ets Jul 29 2019 12:21:46\n"))

            for port in ports {
                for verb in [["flash", button], ["monitor"]] {
                    let result = try tool(verb + ["--port", port], folder, input: input).run()
                    #expect(result.code == ExitReason.portFailed.rawValue)
                    #expect(result.errors.contains("the board's serial port is in use by another client\n"))
                    #expect(result.errors.contains("hint: End the other client"))
                }
            }
            first.process.terminate()
            first.process.waitUntilExit()

            try withTemporaryFolder { other in
                for port in ports {
                    let refusal =
                        "image at 0x10000 carries native code that this user's espbench did not build: not executed"
                    let flashed = try tool(["flash", button, "--port", port], other, cache: other).run()
                    #expect(flashed.code == 0)
                    #expect(
                        flashed.errors.hasSuffix(
                            """
                            the board does not start the flashed application; its boot log:
                              E (40) espbench: \(refusal)

                            """), "\(flashed.errors)")
                    #expect(served.waitForNote(refusal).contains("BootButton: the board does not start: \(refusal)"))
                }
            }
            let flashed = try tool(["flash", button, "--port", ports[0]], folder).run()
            #expect(flashed.code == 0)
            #expect(
                flashed.errors.hasSuffix("the others were in the flash already\n"),
                "quiet on a boot in good order: \(flashed.errors)")
        }
    }

    @Test("a client resets the board by RFC 2217; --until does not see what was printed before, nor a pty any reset")
    func resets() throws {
        try withTemporaryFolder { folder in
            let link = folder.appending(path: "board").path
            let served = tool(["serve", button, "--console", "--pty-link", link, "--rfc2217", "0"], folder)
            try served.process.run()
            defer { served.process.terminate() }
            let before = served.waitForOutput("boot 1 edges 0\n")
            let address = String(before.prefix { $0 != " " })
            func drawn(_ output: String) -> [String] {
                output.matches(of: #/drew ([0-9a-f]{16})/#).map { String($0.1) }
            }
            for _ in 0..<2 {
                let monitor = try tool(
                    ["monitor", "--port", address, "--reset", "--until", "^boot 1 edges 0"], folder
                ).run()
                #expect(monitor.code == 0, "\(monitor.errors)")
                #expect(drawn(monitor.output).count == 1)
                #expect(drawn(monitor.output) != drawn(before))
                #expect(monitor.output.contains("(POWERON_RESET)"))
            }

            let stub = folder.appending(path: "stub.json")
            try Data(
                #"{"entry": 1077411844, "text": "AAAAAAAAAAA=", "text_start": 1077411840, "data": "AAAA", "data_start": 1}"#
                    .utf8
            ).write(to: stub)
            let refused = try EspbenchProcess(
                ["flash", "0x10000=\(stub.path)", "--raw", "--stub", stub.path, "--port", address], folder: folder
            ).run()
            #expect(refused.code == ExitReason.refused.rawValue)
            #expect(refused.errors.contains("where this chip has no RAM"))
            let afterwards = try tool(
                ["monitor", "--port", address, "--until", "^boot 1 edges 0", "--timeout", "5s"], folder
            ).run()
            #expect(afterwards.code == 0, "the board was left in its loader: \(afterwards.errors)")

            let (keyboard, other) = (try PseudoTerminal(), try PseudoTerminal())
            defer {
                keyboard.closeBoth()
                other.closeBoth()
            }
            let typed = tool(
                ["monitor", "--port", address], folder, input: FileHandle(fileDescriptor: keyboard.terminal))
            try typed.process.run()
            _ = typed.waitForNote("shows the keys\n")
            keyboard.type([0x14] + Array("b".utf8))
            #expect(typed.waitForOutput("waiting for download\n").contains("boot:0x3 (DOWNLOAD_BOOT"))
            keyboard.type([0x14] + Array("r".utf8))
            #expect(typed.waitForOutput("boot 1 edges 0\n").contains("boot:0x13 (SPI_FAST_FLASH_BOOT)"))
            keyboard.type([0x1D])
            typed.process.waitUntilExit()
            #expect(typed.process.terminationStatus == 0)

            let terminal = try tool(["monitor", "--port", link, "--reset", "--until", "edges"], folder).run()
            #expect(terminal.code == ExitReason.portFailed.rawValue)
            #expect(terminal.errors.contains("it has no DTR and RTS: the board cannot be reset through it"))
            let keyed = tool(
                ["monitor", "--port", link], folder, input: FileHandle(fileDescriptor: other.terminal))
            try keyed.process.run()
            _ = keyed.waitForNote("shows the keys\n")
            for key in "rb" {
                other.type([0x14] + Array("\(key)".utf8))
                #expect(keyed.waitForOutput("through it\n").contains("--- not sent: \(link)"))
            }
            other.type([0x1D])
            keyed.process.waitUntilExit()
        }
    }

    @Test("a pseudo-terminal is flashed and monitored by its link; keys from a pipe reset the board")
    func pseudoTerminal() throws {
        try withTemporaryFolder { folder in
            let link = folder.appending(path: "board").path
            let keys = Pipe()
            let served = tool(
                ["serve", button, "--console", "--keys", "--pty-link", link, "--rfc2217", "0"], folder,
                input: keys.fileHandleForReading)
            try served.process.run()
            defer { served.process.terminate() }
            let offers = served.waitForOutput("boot 1 edges 0\n").split(separator: "\n").prefix(2).map(String.init)
            try #require(offers.count == 2)
            #expect(offers[1] == "\(link)  BootButton")
            let address = String(offers[0].prefix { $0 != " " })

            let flashed = try tool(["flash", button, "--port", link], folder).run()
            #expect(flashed.code == 0, "\(flashed.errors)")
            #expect(flashed.errors.contains("\nverified "), "\(flashed.errors)")

            // What the board prints from now on is kept for the next client.
            var notes = served.waitForNote("it closed the terminal\n")
            _ = served.waitForOutput("boot 1 edges 0\n")
            try keys.fileHandleForWriting.write(contentsOf: Data("lr".utf8))
            #expect(served.waitForOutput("boot 1 edges 0\n").contains("boot:0x3 (DOWNLOAD_BOOT"))
            let monitor = try tool(["monitor", "--port", link, "--until", "^boot 1 edges 0"], folder).run()
            #expect(monitor.code == 0, "\(monitor.errors)")
            #expect(monitor.output.contains("waiting for download\n"))
            #expect(monitor.output.contains("boot:0x13 (SPI_FAST_FLASH_BOOT)"))

            // The served port is served once more, by another espbench, as a real one would be.
            let relay = tool(["serve", "--port", address, "--rfc2217", "0"], folder)
            relay.process.arguments = ["serve", "--port", address, "--rfc2217", "0"]
            try relay.process.run()
            defer { relay.process.terminate() }
            let line = relay.waitForData(lines: 1)
            #expect(line.hasSuffix("  \(address)\n"))
            let again = String(line.prefix { $0 != " " })
            let listing = try EspbenchProcess(["ports", "--probe", "--port", again], folder: folder).run()
            #expect(listing.output.contains("  virtual ESP32 02:eb:00:00:00:01, 4 MB of flash\n"), "\(listing.output)")
            relay.process.terminate()
            relay.process.waitUntilExit()
            #expect(relay.process.terminationStatus == 0)

            try keys.fileHandleForWriting.write(contentsOf: Data("q".utf8))
            served.process.waitUntilExit()
            #expect(served.process.terminationStatus == 0)
            #expect(!FileManager.default.fileExists(atPath: link))
            notes += served.waitForNote("\u{0}")
            #expect(
                notes.contains(
                    "\(link): a pseudo-terminal has no DTR and RTS; to reset the board, use the keys r and l, or \(address)\n"
                ))
        }
    }
}
