import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// Bumble as the controller and as the peripheral: nothing but the commands is ours.
@Suite("Bluetooth commands with Bumble's controller and peripheral", .ownThreads, .serialized, .timeLimit(.minutes(10)))
struct BumblePeerTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Bumble/peer.py")
    private static let python = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../.venv/bin/python").standardized.path

    private struct Peer {
        let folder: URL
        let program: ForeignProgram
        let central: String

        func tool(_ arguments: [String], input: FileHandle = .nullDevice) -> EspbenchProcess {
            EspbenchProcess(arguments + ["--central", central], folder: folder, input: input)
        }

        func run(_ arguments: String...) throws -> (code: Int32, output: String, errors: String) {
            try tool(arguments).run()
        }
    }

    private func withPeer(_ way: String = "", _ body: (Peer) throws -> Void) throws {
        try withTemporaryFolder { folder in
            // The script ends with its standard input.
            let input = Pipe()
            let program = ForeignProgram(
                Self.python, [Self.script.path, way], folder: folder, input: input.fileHandleForReading)
            try program.start()
            defer { program.end() }
            let text = program.waitForOutput("\n")
            let port = try #require(text.firstMatch(of: #/port (\d+)/#)?.1, "\(text)")
            try body(Peer(folder: folder, program: program, central: "h4:127.0.0.1:\(port)"))
            try input.fileHandleForWriting.close()
        }
    }

    @Test("scan, discover, read, write and get notified")
    func attributes() throws {
        try withPeer { peer in
            let adapter = try peer.run("adapters", "--json")
            #expect(adapter.code == 0 && adapter.output.contains(#""address":"F0:F1:F2:F3:F4:02""#), "\(adapter)")
            let scan = try peer.run("scan", "--timeout", "3s")
            // Every advertisement, not only the first.
            let strength = peer.tool(["scan", "--timeout", "0s", "--rssi", "--service", "180F", "--name", "bumble"])
            try strength.process.run()
            #expect(strength.waitForData(lines: 3).matches(of: #/ -50 dBm  Bumble Peer/#).count >= 3)
            strength.process.interrupt()
            strength.process.waitUntilExit()
            #expect(strength.process.terminationStatus == 0)
            let weak = try peer.run("scan", "--timeout", "1s", "--min-rssi", "20")
            #expect(weak.code == 0 && weak.output.isEmpty && weak.errors == "no peer was heard\n", "\(weak)")
            #expect(
                scan.output.contains("Bumble Peer  180F Battery, Espressif Systems (Shanghai) Co., Ltd."), "\(scan)")

            let tree = try peer.run("gatt", "service:battery", "--read")
            #expect(tree.code == 0, "\(tree)")
            for part in [
                "service 180F Battery  [", "  2A19 Battery Level", "read, notify", "= 2a",
                "  7E570000-0001-4000-8000-00805F9B34FB", "\"what it is\"", "    2901 Characteristic User Description",
            ] {
                #expect(tree.output.contains(part), "\(part): \(tree.output)")
            }
            #expect(try peer.run("read", "F0:F1:F2:F3:F4:01", "Battery Level", "--as", "u8").output == "42\n")
            let echo = try peer.run(
                "notify", "Bumble Peer", "2A19", "--write", "7E570000-0001=text:hello", "-c", "1", "--as", "u8")
            #expect(echo.output == "43\n", "\(echo)")
            #expect(peer.program.waitForOutput("written 68656c6c6f\n").contains("written"))
            let command = try peer.run("write", "Bumble Peer", "7E570000-0001", "--no-response", "u16:500")
            #expect(command.code == 0, "\(command)")
            #expect(peer.program.waitForOutput("written f401\n").contains("written"))
        }
    }

    @Test(
        "bound a silent peer by --timeout, name it and the step, and show what was found before",
        .timeLimit(.minutes(2)))
    func silence() throws {
        for (way, end) in [("silent", "has not answered within 2 s, reading"), ("leaving", "reading")] {
            try withPeer(way) { peer in
                let start = ContinuousClock.now
                let tree = try peer.run("gatt", "Bumble Peer", "--read", "--timeout", "2s")
                #expect(ContinuousClock.now - start < .seconds(20))
                #expect(tree.code == ExitReason.linkFailed.rawValue, "\(tree)")
                let place = "error: Bumble Peer (F0:F1:F2:F3:F4:01)"
                #expect(tree.errors.contains("\(place)\(way == "silent" ? " " : ", ")\(end) 7E570000-0001-"), "\(tree)")
                if way == "leaving" {
                    #expect(tree.errors.contains(": the connection has ended: the peer disconnected (0x13)"), "\(tree)")
                }
                #expect(tree.output.contains("2A19 Battery Level") && tree.output.contains("= 2a"), "\(tree)")
                let json = try peer.run("gatt", "Bumble Peer", "--read", "--json", "--timeout", "2s")
                #expect(json.code == ExitReason.linkFailed.rawValue && json.output.contains(#""2A19""#), "\(json)")
            }
        }
    }

    @Test("read descriptors by characteristic and descriptor, and mark a notification that fills the MTU")
    func descriptors() throws {
        try withPeer { peer in
            let read = try peer.run("ble", "read", "Bumble Peer", "7E570000-0001/2901", "7E570000-0001/2904")
            #expect(read.code == 0, "\(read)")
            #expect(
                read.output == """
                    77 68 61 74 20 69 74 20 69 73  "what it is"
                    0e fe 2f 27 01 00 00  sint16 × 10^-2 °C

                    """, "\(read)")
            for (size, isMarked) in [(513, false), (600, true)] {
                let long = try peer.run(
                    "notify", "Bumble Peer", "2A19", "--write", "7E570000-0001=text:size\(size)", "-c", "1")
                let mark = "  (514 bytes, all that the MTU permits: it may be cut)\n"
                #expect(long.code == 0 && long.output.hasSuffix(mark) == isMarked, "\(long)")
            }
            let json = try peer.run(
                "notify", "Bumble Peer", "2A19", "--write", "7E570000-0001=text:size600", "-c", "1", "--json")
            #expect(json.output.contains(#""mayBeCut":true"#), "\(json.errors)")
        }
    }

    @Test("pair with a passkey that is typed at a terminal")
    func pairing() throws {
        try withPeer { peer in
            let secret = try peer.run("ble", "read", "Bumble Peer", "7E570000-0002")
            #expect(
                secret.code == ExitReason.peerRefused.rawValue && secret.errors.contains("espbench pair"), "\(secret)")

            let terminal = try PseudoTerminal()
            defer { terminal.closeBoth() }
            let ends = FileHandle(fileDescriptor: terminal.terminal)
            let pair = peer.tool(["pair", "Bumble Peer"], input: ends)
            pair.process.standardError = ends
            try pair.process.run()
            let text = peer.program.waitForOutput(" shown\n")
            let passkey = try #require(text.firstMatch(of: #/passkey (\d{6})/#)?.1, "\(text)")
            #expect(terminal.read(until: "passkey that the peer displays: ").contains("passkey"))
            terminal.type(Array("12\n".utf8))
            #expect(terminal.read(until: "digits").contains("a passkey has six digits"))
            terminal.type(Array("\(passkey)\n".utf8))
            let output = pair.waitForOutput("\n")
            #expect(output.contains(": encrypted, authenticated, bonded, key of 16 bytes"), "\(output)")
            pair.process.waitUntilExit()

            // The bond encrypts the next connection.
            let read = try peer.run("ble", "read", "Bumble Peer", "7E570000-0002", "--as", "text")
            #expect(read.code == 0 && read.output == "secret\n", "\(read)")
        }
    }

    @Test("compare numbers at a terminal, or accept them with --yes")
    func comparison() throws {
        try withPeer("compare") { peer in
            let unasked = try peer.run("pair", "Bumble Peer")
            #expect(unasked.code == ExitReason.peerRefused.rawValue, "\(unasked)")
            #expect(unasked.errors.contains("the peer shows a number, which nobody can compare here"), "\(unasked)")
            _ = peer.program.waitForOutput(" shown\n")

            for answer in ["n", "y"] {
                let terminal = try PseudoTerminal()
                defer { terminal.closeBoth() }
                let ends = FileHandle(fileDescriptor: terminal.terminal)
                let pair = peer.tool(["pair", "Bumble Peer"], input: ends)
                pair.process.standardError = ends
                try pair.process.run()
                let text = peer.program.waitForOutput(" shown\n")
                let number = try #require(text.firstMatch(of: #/number (\d{6})/#)?.1, "\(text)")
                let asked = terminal.read(until: "[y/n] ")
                #expect(asked.contains("number: \(number)"), "\(asked)")
                terminal.type(Array("what?\n".utf8))
                _ = terminal.read(until: "[y/n] ")
                terminal.type(Array("\(answer)\n".utf8))
                if answer == "n" {
                    #expect(terminal.read(until: "in between").contains("the numbers are not the same"))
                } else {
                    let output = pair.waitForOutput("\n")
                    #expect(output.contains(": encrypted, authenticated, bonded, key of 16 bytes"), "\(output)")
                }
                pair.process.waitUntilExit()
                #expect(pair.process.terminationStatus == (answer == "n" ? ExitReason.peerRefused.rawValue : 0))
            }
            let accepted = try peer.run("pair", "Bumble Peer", "--yes")
            #expect(accepted.code == 0 && accepted.errors.contains("number: "), "\(accepted)")
        }
    }

    @Test("print every value of a flood of notifications, in order")
    func flood() throws {
        try withPeer { peer in
            let count = 3000
            let values = try peer.run(
                "notify", "Bumble Peer", "2A19", "--write", "7E570000-0001=666c6f6f64b80b0000", "-c", "\(count)",
                "--as",
                "u32")
            #expect(values.code == 0, "\(values.errors)")
            #expect(values.output.split(separator: "\n") == (0..<count).map { "\($0)" })
        }
    }

    @Test("say so when the peer leaves in the middle")
    func departure() throws {
        try withPeer { peer in
            let left = try peer.run("notify", "Bumble Peer", "2A19", "--write", "7E570000-0001=text:end")
            #expect(left.code == ExitReason.linkFailed.rawValue, "\(left)")
            #expect(left.errors.contains("the connection has ended: the peer disconnected (0x13)"), "\(left)")
            #expect(left.errors.contains("hint: "), "\(left)")
        }
    }
}
