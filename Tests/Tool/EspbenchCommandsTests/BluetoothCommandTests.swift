import BusSupport
import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// The Bluetooth verbs against the calculator and the lock, served in real time to espbench's own host.
@Suite("Bluetooth commands with served sketches", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct BluetoothCommandTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    /// The name that the lock advertises.
    static let lock = "ESP_TEST_DEVICE_LOCAL_NAME"

    /// A served air, and commands on a controller of it.
    struct Air {
        let folder: URL
        let server: EspbenchProcess
        /// What the boards have printed until they advertised.
        let console: String
        let central: String

        init(_ sketches: [String], _ folder: URL, options: [String] = []) throws {
            self.folder = folder
            server = EspbenchProcess(
                ["serve", "--h4", "0"] + (sketches.isEmpty ? [] : ["--project", root.path, "--console"] + sketches)
                    + options, folder: folder, input: .nullDevice)
            try server.process.run()
            // The addresses come first.
            console = server.waitForOutput(
                ofAll: ["  4.2\n"]
                    + sketches.map { sketch in
                        switch sketch {
                        case "ServoLock": "Starting BLE work!"
                        case "SerialBridge": "Serial bridge is advertising"
                        default: "BLE Service is advertising"
                        }
                    })
            let match = try #require(console.firstMatch(of: #/h4:\/\/127\.0\.0\.1:(\d+)  4\.2/#), "\(console)")
            central = "h4:127.0.0.1:\(match.1)"
        }

        func tool(_ arguments: [String], input: FileHandle = .nullDevice) -> EspbenchProcess {
            EspbenchProcess(arguments + ["--central", central], folder: folder, input: input)
        }

        func run(_ arguments: String...) throws -> (code: Int32, output: String, errors: String) {
            try tool(arguments).run()
        }

        func end() {
            server.process.terminate()
            server.process.waitUntilExit()
        }
    }

    func withAir(_ sketches: String..., body: (Air) throws -> Void) throws {
        try withTemporaryFolder { folder in
            let air = try Air(sketches, folder)
            defer { air.end() }
            try body(air)
        }
    }

    @Test("show a beacon at one address each time that it changes what it advertises")
    func changingBeacon() throws {
        try withAir(Self.root.appending(path: "Tests/Board/Sketches/ChangingBeacon").path) { air in
            let scan = try air.run("scan", "--timeout", "3500ms")
            #expect(scan.code == 0, "\(scan)")
            let kinds = scan.output.split(separator: "\n").compactMap { line in
                line.contains("FEAA")
                    ? "Eddystone" : line.contains("iBeacon") || line.contains("Apple") ? "iBeacon" : nil
            }
            #expect(kinds.count >= 3 && zip(kinds, kinds.dropFirst()).allSatisfy { $0 != $1 }, "\(scan)")
        }
    }

    @Test("calculate")
    func calculations() throws {
        try withAir("Calculator") { air in
            let sums = try air.run("calculator", "9x6", "2 - 9", "0+0", "200+100")
            #expect(sums.code == 0, "\(sums)")
            #expect(
                sums.output == """
                    9 × 6 = 54
                    2 - 9 = -7 (249 in the calculator's 8 bits)
                    0 + 0 = 0
                    200 + 100 = 300 (44 in the calculator's 8 bits)

                    """)
            let keys = air.folder.appending(path: "keys")
            // Disconnects in the middle of a calculation, and connects again.
            try Data("9x6=5+dd7-8=q".utf8).write(to: keys)
            let typed = try air.tool(["calculator"], input: try FileHandle(forReadingFrom: keys)).run()
            #expect(typed.code == 0, "\(typed)")
            #expect(
                typed.output.hasSuffix("Connected.   7 - 8 = -1 (255 in the calculator's 8 bits)\n"), "\(typed)")
            #expect(typed.output.contains("Connected.   5 + ? = ?\nDisconnected\nSearching...\n"), "\(typed)")

            let nobody = try air.run("calculator", "--peer", "name:Nobody", "9x6")
            #expect(nobody.code == 16, "\(nobody)")
            #expect(nobody.errors.hasPrefix("error: no calculator was heard within 10.0 seconds\n"), "\(nobody)")
            // Keys of a program, too.
            try Data("9x6=".utf8).write(to: keys)
            let unheard = try air.tool(
                ["calculator", "--peer", "name:Nobody"], input: try FileHandle(forReadingFrom: keys)
            ).run()
            #expect(unheard.code == 16 && unheard.output == "Searching...\nNo calculator found\n", "\(unheard)")
            for wrong in ["9%6", "256+1", "9", "9x", "1+2+3", "", "٣+1"] {
                let refused = try air.run("calculator", wrong)
                #expect(refused.code == 64 && refused.output.isEmpty, "\(wrong): \(refused)")
            }
        }
    }

    @Test("scan, show the tree, and talk to the calculator")
    func calculator() throws {
        try withAir("Calculator") { air in
            let adapters = try air.run("adapters")
            #expect(
                adapters.code == 0
                    && adapters.output.hasPrefix("\(air.central)  02:EC:00:00:00:01  Bluetooth 4.2"), "\(adapters)")

            let scan = try air.run("scan", "--timeout", "2s", "--name", "test")
            #expect(scan.code == 0 && scan.output.contains("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"), "\(scan)")
            let none = try air.run("scan", "--timeout", "1s", "--service", "battery", "--json")
            #expect(none.code == 0 && none.output.isEmpty && none.errors == "no peer was heard\n", "\(none)")
            let near = try air.run("scan", "--timeout", "2s", "--min-rssi", "-90")
            #expect(near.code == 0 && near.output.contains("Test Peripheral"), "\(near)")

            let tree = try air.run("gatt", "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079", "--read")
            #expect(tree.code == 0, "\(tree.errors)")
            #expect(tree.output.contains("service 1800 Generic Access  [0x0001-"), "\(tree.output)")
            #expect(
                tree.output.contains("2A00 Device Name") && tree.output.contains("\"Test Peripheral\""),
                "\(tree.output)")
            #expect(tree.output.contains("    2902 Client Characteristic Configuration"), "\(tree.output)")

            let product = try air.run(
                "notify", "Test Peripheral", "643954A4", "--write", "C1AB2C55=u8:3,5,2", "--count", "1", "--as", "u8",
                "--for", "20s", "--log", "values.log")
            #expect(product.code == 0 && product.output == "15\n", "\(product)")
            let log = try String(contentsOf: air.folder.appending(path: "values.log"), encoding: .utf8)
            let stamp = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}/
            let lines = log.replacing(stamp, with: "TIME").split(separator: "\n").map(String.init)
            #expect(lines.first == "--- espbench notify runs from TIME on", "\(log)")
            #expect(lines.suffix(2) == ["TIME 15", "TIME --- espbench notify ended"], "\(log)")

            let written = try air.run("write", "Test Peripheral", "C1AB2C55", "030502")
            #expect(written.code == 0 && written.output.isEmpty, "\(written)")
            let object = try air.run("write", "Test Peripheral", "C1AB2C55", "030502", "--json")
            #expect(object.output.filter { $0 == "\n" }.count == 1 && object.output.hasPrefix("{"), "\(object)")
            #expect(object.output.contains(#""characteristic":"C1AB2C55-7914-4140-B85B-879C5E252FE5""#), "\(object)")
            #expect(object.output.contains(#""value":"030502""#), "\(object)")
            let name = try air.run("ble", "read", "Test Peripheral", "device name", "--as", "text")
            #expect(name.code == 0 && name.output == "Test Peripheral\n", "\(name)")
            let json = try air.run("read", "name:Test Peripheral", "1800/2A00", "--json")
            #expect(json.code == 0 && json.output.contains(#""text":"Test Peripheral""#), "\(json)")
        }
    }

    @Test(
        "show the tree that Bumble's gatt-dump shows",
        arguments: [("Calculator", "Test Peripheral"), ("ServoLock", "ESP_TEST_DEVICE_LOCAL_NAME")])
    func tree(sketch: String, name: String) throws {
        try withAir(sketch) { air in
            let ours = try air.run("gatt", name)
            #expect(ours.code == 0, "\(ours)")
            let attributes = ours.output.matches(of: #/\n +([0-9A-F-]{4,36})\b.* 0x([0-9a-f]{4})/#).map {
                "\($0.2) \($0.1)"
            }
            #expect(attributes.count >= 9, "\(ours.output)")

            let scan = try air.run("scan", "--timeout", "1s", "--name", name)
            let configuration = air.folder.appending(path: "bumble.json")
            try Data(#"{"name": "dump", "address": "F0:F0:F0:F0:F0:01"}"#.utf8).write(to: configuration)
            let dump = try ForeignProgram(
                module: "bumble.apps.gatt_dump",
                [
                    "--device-config", configuration.path, "tcp-client:\(air.central.dropFirst(3))",
                    "\(scan.output.prefix(17))/P",
                ], folder: air.folder
            ).run()
            let line =
                #/(?:Characteristic|Descriptor)\(handle=0x([0-9A-F]{4}), (?:uuid|type)=(?:UUID-16:)?([0-9A-F-]+)/#
            let theirs = dump.output.matches(of: line).map { "\($0.1.lowercased()) \($0.2)" }
            #expect(attributes == theirs, "\(dump.output) \(dump.errors)")
        }
    }

    @Test("say what is wrong, and what to do")
    func mistakes() throws {
        try withAir("Calculator") { air in
            let cases: [([String], ExitReason, String)] = [
                (["gatt", "Test Periferal", "--timeout", "1s"], .noPeer, "(did you mean 'Test Peripheral'?)"),
                (["gatt", "02:00:00:00:00:99", "--timeout", "1s"], .noPeer, "with the address 02:00:00:00:00:99"),
                (["write", "Test Peripheral", "2A20", "00"], .peerRefused, "has no characteristic '2A20'"),
                (["write", "Test Peripheral", "2A00", "00"], .peerRefused, "03"),
                (["write", "Test Peripheral", "C1AB2C55", "5"], .usage, "expected a value, got '5'"),
                (["ble", "read", "Test Peripheral", "C1AB2C55"], .peerRefused, "02"),
                (["notify", "Test Peripheral", "2A00"], .peerRefused, "neither notifies nor indicates"),
                (
                    ["notify", "Test Peripheral", "643954A4", "--indications"], .peerRefused,
                    "notifies, but does not indicate"
                ),
                (
                    ["write", "Test Peripheral", "C1AB2C55", "--no-response", String(repeating: "00", count: 300)],
                    .usage, "expected at most 252 bytes at MTU 255, got 300"
                ),
                (
                    ["pair", "Test Peripheral", "--passkey", "123456"], .peerRefused,
                    "the peer paired without the passkey"
                ),
                (
                    ["notify", "Test Peripheral", "643954A4", "--count", "2", "--for", "1s"], .timedOut,
                    "expected 2 values within 1 s, got 0"
                ),
                (["forget", "02:00:00:00:00:99"], .noPeer, "there is no bond with 02:00:00:00:00:99"),
            ]
            for (arguments, status, part) in cases {
                let (code, output, errors) = try air.tool(arguments).run()
                #expect(code == status.rawValue, "\(arguments): \(code) \(errors)")
                #expect(
                    output.isEmpty && errors.contains(part) && errors.contains("\nhint: "), "\(arguments): \(errors)")
            }
            // Nothing was left behind: the calculator serves the next client.
            #expect(try air.run("gatt", "Test Peripheral").code == 0)
        }
    }

    @Test("pair with the lock by its passkey, keep the bond, and forget it")
    func lock() throws {
        try withAir("ServoLock") { air in
            let stranger = try air.run("write", Self.lock, "3c399a64", "text:1")
            #expect(stranger.code == ExitReason.peerRefused.rawValue, "\(stranger)")
            #expect(
                stranger.errors.contains("hint: The attribute needs an encrypted connection: espbench pair"),
                "\(stranger)")

            let passkey = try #require(air.console.firstMatch(of: #/Passkey: (\d{6})/#).map { String($0.1) })
            let paired = try air.run("pair", Self.lock, "--passkey", passkey)
            #expect(paired.code == 0, "\(paired)")
            #expect(paired.output.hasSuffix(": encrypted, authenticated, bonded, key of 16 bytes\n"), "\(paired)")

            let state = try air.run(
                "notify", Self.lock, "3c399c44", "--write", "3c399a64=text:1", "--count", "1", "--as", "text", "--for",
                "20s")
            #expect(state.code == 0 && state.output == "1\n", "\(state)")

            let bonds = try air.run("forget", "--list")
            #expect(bonds.output.hasSuffix("  authenticated, LE Secure Connections\n"), "\(bonds)")
            let address = String(bonds.output.prefix(17))
            #expect(try air.run("forget", address).output == "forgot \(address)\n")
            #expect(try air.run("forget", "--list").errors == "there are no bonds\n")
        }
    }

    /// Ctrl-C at the terminal's keys, as its line discipline has it.
    @Test("disconnect at Ctrl-C, and leave the terminal as it was")
    func interruptedKeys() throws {
        try withAir("Calculator") { air in
            let terminal = try PseudoTerminal()
            defer { terminal.closeBoth() }
            let ends = FileHandle(fileDescriptor: terminal.terminal)
            // In a session of its own, whose terminal it is.
            let tool = EspbenchProcess(
                ["calculator", "--central", air.central], folder: air.folder, input: ends,
                shell: "exec setsid --ctty --wait \"$@\"")
            tool.process.standardOutput = ends
            tool.process.standardError = ends
            terminal.watch(tool.process)
            try tool.process.run()
            #expect(terminal.read(until: "Connected.").contains("keys: 0-9"))
            terminal.type(Array("9x6\r".utf8))
            #expect(terminal.read(until: "9 × 6 = 54").contains("Calculating...   9 × 6 = ?"))
            #expect(!terminal.isCooked)
            terminal.type([3])
            tool.process.waitUntilExit()
            #expect(tool.process.terminationReason == .exit && tool.process.terminationStatus == 0)
            #expect(terminal.isCooked)
            #expect(air.server.waitForOutput("Client Disconnected").contains("Client Disconnected"))
        }
    }

    @Test("lock and unlock")
    func locking() throws {
        try withAir("ServoLock") { air in
            let stranger = try air.run("lock", "status", "--bonds", "others")
            #expect(stranger.code == ExitReason.peerRefused.rawValue && stranger.output.isEmpty, "\(stranger)")
            #expect(
                stranger.errors.hasPrefix("error: the lock tells only its owners where its bolt is\n"), "\(stranger)")
            let unasked = try air.run("lock", "unlock", "--bonds", "others")
            #expect(unasked.code == ExitReason.peerRefused.rawValue, "\(unasked)")
            #expect(unasked.errors.contains("the peer displays a passkey, which nobody can enter here"), "\(unasked)")
        }
        try withAir("ServoLock") { air in
            let passkey = try #require(air.console.firstMatch(of: #/Passkey: (\d{6})/#).map { String($0.1) })
            let unlocked = try air.run("lock", "unlock", "--passkey", passkey)
            #expect(unlocked.code == 0 && unlocked.output == "unlocked\n", "\(unlocked)")
            // Its owner is not asked again, and reads where the bolt is.
            let toggled = try air.run("lock", "status", "toggle", "lock")
            #expect(toggled.code == 0 && toggled.output == "unlocked\nlocked\nlocked\n", "\(toggled)")
            let keys = air.folder.appending(path: "keys")
            try Data("utq".utf8).write(to: keys)
            let typed = try air.tool(["lock"], input: try FileHandle(forReadingFrom: keys)).run()
            #expect(typed.code == 0, "\(typed)")
            #expect(
                typed.output.hasSuffix("locked\nConnected.\nunlock\nmoving\nunlocked\nlock\nmoving\nlocked\n"),
                "\(typed)")
        }
    }

    /// A passkey that is typed when it is asked for.
    @Test("pair with the lock by its keys")
    func typedPasskey() throws {
        try withAir("ServoLock") { air in
            let passkey = try #require(air.console.firstMatch(of: #/Passkey: (\d{6})/#).map { String($0.1) })
            let keys = air.folder.appending(path: "keys")
            try Data("u12\n\u{7F}\(passkey)\nq".utf8).write(to: keys)
            let typed = try air.tool(["lock"], input: try FileHandle(forReadingFrom: keys)).run()
            #expect(typed.code == 0 && typed.output.hasSuffix("moving\nunlocked\n"), "\(typed)")
            #expect(typed.errors.contains("a passkey has six digits\n"), "\(typed)")
        }
    }

    @Test("do not pair without a passkey, with a wrong one, or without a bond")
    func failedPairings() throws {
        try withAir("ServoLock") { air in
            // The lock ends the connection of who pairs without its passkey, and keeps no bond.
            let unproven = try air.run("pair", Self.lock, "--io", "none")
            #expect(unproven.code == ExitReason.peerRefused.rawValue && unproven.output.isEmpty, "\(unproven)")
            #expect(unproven.errors.contains("the bond was not kept\nhint: "), "\(unproven)")
            #expect(try air.run("forget", "--list").errors == "there are no bonds\n")
            let unasked = try air.run("pair", Self.lock)
            #expect(unasked.code == ExitReason.peerRefused.rawValue, "\(unasked)")
            #expect(unasked.errors.contains("--passkey 123456"), "\(unasked)")
            // The lock's passkey is another one now; for two seconds it pairs without a bond.
            let wrong = try air.run("pair", Self.lock, "--passkey", "000000")
            #expect(wrong.code == ExitReason.peerRefused.rawValue && wrong.errors.contains("hint: "), "\(wrong)")
            #expect(try air.run("forget", "--list").errors == "there are no bonds\n")
        }
    }

    @Test("take up the peer of a command that was killed, and of none that ended")
    func restoring() throws {
        try withAir("Calculator") { air in
            let arguments = [
                "643954A4", "--write", "C1AB2C55=030502", "--restore", "sums", "--timeout", "20s",
            ]
            let killed = air.tool(["notify", "Test Peripheral"] + arguments)
            try killed.process.run()
            _ = killed.waitForOutput("0f")
            kill(killed.process.processIdentifier, SIGKILL)
            killed.process.waitUntilExit()
            #expect(air.server.waitForOutput("Client Disconnected").contains("Client Disconnected"))
            let next = air.tool(["notify", "Test Peripheral"] + arguments)
            try next.process.run()
            #expect(next.waitForOutput("0f").hasPrefix("0f"))
            let other = try air.run("notify", "Nobody", "643954A4", "--restore", "sums")
            #expect(other.code == ExitReason.benchFault.rawValue && other.errors.contains("\"sums\""), "\(other)")
            next.process.interrupt()
            next.process.waitUntilExit()
            #expect(next.process.terminationStatus == 0)
            #expect(next.waitForNote("\u{0}").hasPrefix("took up Test Peripheral\n"))
            func isKept() throws -> Bool {
                let run = try air.run("notify", "Test Peripheral", "643954A4", "--restore", "sums", "--for", "10ms")
                return run.errors.contains("took up")
            }
            #expect(try !isKept(), "ended by Ctrl-C, and by --for")
            // Killed, and begun again for another peer.
            let killedAgain = air.tool(["notify", "Test Peripheral"] + arguments)
            try killedAgain.process.run()
            _ = killedAgain.waitForOutput("0f")
            kill(killedAgain.process.processIdentifier, SIGKILL)
            killedAgain.process.waitUntilExit()
            let last = try air.run("notify", "Nobody", "643954A4", "--restore", "sums", "--timeout", "2s")
            #expect(last.code == ExitReason.noPeer.rawValue, "\(last)")
            #expect(
                last.errors.hasPrefix("the kept peer Test Peripheral is not used: it is not the peer named 'Nobody'\n"))
            #expect(try !isKept())
            // A mistake ends it, too.
            let mistaken = try air.run("notify", "Test Peripheral", "FFF9", "--restore", "sums")
            #expect(mistaken.code == ExitReason.peerRefused.rawValue || mistaken.code == ExitReason.usage.rawValue)
            #expect(try !isKept())
            let invalid = try air.run("notify", "Nobody", "643954A4", "--restore", "a b")
            #expect(invalid.code == ExitReason.usage.rawValue && invalid.errors.contains("1...64 of A-Z"), "\(invalid)")
        }
    }

    @Test("report a peer, a controller and a server that are gone")
    func losses() throws {
        try withAir("Calculator") { air in
            let notify = air.tool(["notify", "Test Peripheral", "643954A4", "--write", "C1AB2C55=030502"])
            try notify.process.run()
            _ = notify.waitForOutput("0f")
            let scan = air.tool(["scan", "--timeout", "0s"])
            try scan.process.run()
            _ = scan.waitForOutput("Test Peripheral")
            air.end()
            let loss = scan.waitForNote("hint: ")
            scan.process.waitUntilExit()
            #expect(loss.contains("error: \(air.central): ") && loss.contains("'espbench serve'"), "\(loss)")
            #expect(scan.process.terminationStatus == ExitReason.noCentral.rawValue)
            let errors = notify.waitForNote("hint: ")
            notify.process.waitUntilExit()
            #expect(errors.contains("error: "), "\(errors)")
            #expect(
                [ExitReason.linkFailed.rawValue, ExitReason.noCentral.rawValue].contains(
                    notify.process.terminationStatus))

            let gone = try air.run("scan")
            #expect(gone.code == ExitReason.noCentral.rawValue, "\(gone)")
            #expect(gone.errors.hasPrefix("error: \(air.central): connecting failed: "), "\(gone)")
            #expect(gone.errors.contains("hint: Is the controller plugged in"), "\(gone)")
        }
    }

    #if os(Linux)
        @Test("need a bus and bluetoothd")
        func noSystemStack() throws {
            try withTemporaryFolder { folder in
                let bus = try TestBus()
                defer { bus.stop() }
                let cases: [(String, String, String)] = [
                    ("unix:path=/nowhere/bus", "connecting failed: No such file or directory", "start dbus bluetooth"),
                    ("\(bus.address)", "bluetoothd is not running", "sudo systemctl start bluetooth"),
                ]
                for (address, part, hint) in cases {
                    for arguments in [["scan"], ["adapters"], ["scan", "--central", "bluez"], ["forget", "--list"]] {
                        let tool = EspbenchProcess(arguments, folder: folder)
                        tool.process.environment?["DBUS_SYSTEM_BUS_ADDRESS"] = address
                        let (code, output, errors) = try tool.run()
                        #expect(code == ExitReason.noCentral.rawValue && output.isEmpty, "\(arguments): \(errors)")
                        #expect(errors.contains(part) && errors.contains(hint), "\(arguments): \(errors)")
                    }
                }
            }
        }
    #endif

    @Test("need a stack that exists")
    func noCentral() throws {
        try withTemporaryFolder { folder in
            let tool = EspbenchProcess(["scan"], folder: folder)
            tool.process.environment?["ESPBENCH_CENTRAL"] = "h4:127.0.0.1"
            let bad = try tool.run()
            #expect(bad.code == ExitReason.usage.rawValue && bad.errors.hasPrefix("error: ESPBENCH_CENTRAL: central: "))
            let option = try EspbenchProcess(["scan", "--central", "usb:0"], folder: folder).run()
            #expect(option.code == ExitReason.usage.rawValue && option.errors.contains("h4:HOST:PORT"), "\(option)")
            let service = try EspbenchProcess(["scan", "--service", "nope"], folder: folder).run()
            #expect(service.code == ExitReason.usage.rawValue, "\(service)")
            #expect(
                service.errors.contains("Expected a service's UUID or assigned name, got 'nope'."), "\(service)")
            let tty = try EspbenchProcess(["scan", "--central", "h4:/dev/null"], folder: folder).run()
            #expect(tty.code == ExitReason.noCentral.rawValue && tty.errors.contains("hint: "), "\(tty)")
        }
    }
}
