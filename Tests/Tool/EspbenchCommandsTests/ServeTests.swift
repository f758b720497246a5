import CommandSupport
import EspbenchCommands
import Foundation
import TCP
import Testing

/// The kernel's virtual controllers.
private enum VHCI {
    static var isThere: Bool { access("/dev/vhci", F_OK) == 0 || access("/sys/class/misc/vhci", F_OK) == 0 }
}

/// An air with hosts and without boards; nothing is compiled here.
@Suite("serve --h4", .ownThreads, .timeLimit(.minutes(10)))
struct ServeTests {
    private static let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]

    /// Starts serving; returns the TCP ports.
    private func serve(_ tool: EspbenchProcess, ports: Int = 1) throws -> [UInt16] {
        try tool.process.run()
        let lines = tool.waitForData(lines: ports).split(separator: "\n")
        return try lines.map { line in
            let match = try #require(line.wholeMatch(of: #/h4://127\.0\.0\.1:(\d+)  4\.2/#), "\(line)")
            return try #require(UInt16(match.1))
        }
    }

    @Test("prints addresses as objects with --json")
    func addresses() throws {
        try withTemporaryFolder { folder in
            let tool = EspbenchProcess(
                ["serve", "--json", "--h4", "0:4.2", "--h4", "0:4.2:02:00:00:00:00:07"], folder: folder)
            try tool.process.run()
            let port = #/"h4:\/\/127\.0\.0\.1:\d+"/#
            #expect(
                tool.waitForData(lines: 2).replacing(port, with: "H4") == """
                    {"address":H4,"controller":"4.2","event":"address"}
                    {"address":H4,"bluetooth":"02:00:00:00:00:07","controller":"4.2","event":"address"}

                    """)
            end(tool)
        }
    }

    private func end(_ tool: EspbenchProcess) {
        tool.process.terminate()
        tool.process.waitUntilExit()
        #expect(tool.process.terminationReason == .exit)
    }

    private func connect(_ port: UInt16) throws -> Int32 {
        let descriptor = try TCPSocket.connect(host: "127.0.0.1", port: port, name: "host", milliseconds: 5000)
        // The tests read and write in turn.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return descriptor
    }

    private func exchange(_ bytes: [UInt8], _ descriptor: Int32, _ count: Int) -> [UInt8] {
        _ = write(descriptor, bytes, bytes.count)
        var answer = [UInt8](repeating: 0, count: count)
        let got = recv(descriptor, &answer, count, Int32(MSG_WAITALL))
        return Array(answer.prefix(max(0, got)))
    }

    @Test("gives each host a controller, disconnects a host that sends garbage, captures all packets, and exits with 0")
    func hosts() throws {
        try withTemporaryFolder { folder in
            let tool = EspbenchProcess(
                ["serve", "--h4", "0", "--h4", "0:4.2", "--btsnoop", "air.btsnoop"], folder: folder)
            let ports = try serve(tool, ports: 2)
            let hosts = try ports.map(connect)
            defer { for host in hosts { close(host) } }
            let complete: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]
            for host in hosts { #expect(exchange(Self.reset, host, complete.count) == complete) }
            let bad = try connect(ports[0])
            #expect(exchange([0x47, 0x45, 0x54], bad, 1).isEmpty)
            close(bad)
            #expect(exchange(Self.reset, hosts[0], complete.count) == complete)
            let notes = tool.waitForNote("of the stream")
            #expect(notes.contains("connected: controller 02:EC:00:00:00:01"))
            #expect(notes.contains("connected: controller 02:EC:00:00:00:02"))
            #expect(notes.contains("connected: controller 02:EC:00:00:00:03"))
            #expect(notes.contains("cut off: expected an H4 packet type 01 to 05, got 47 at byte 0 of the stream"))
            end(tool)
            #expect(tool.process.terminationStatus == 0)

            let file = folder.appending(path: "air.btsnoop").path
            let capture = [UInt8](try Data(contentsOf: URL(filePath: file)))
            // It may contain keys.
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
            #expect(Array(capture.prefix(16)) == Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x07, 0xD1])
            // Without the packet's type.
            let record = 24 + Self.reset.count - 1 + 24 + complete.count - 1
            // New Index, Index Info, Delete Index.
            let controller = 24 + 16 + 24 + 8 + 24
            #expect(capture.count == 16 + 3 * record + 3 * controller)
        }
    }

    @Test("a port with an address has one controller for one host at a time, and its address is nobody else's")
    func address() throws {
        try withTemporaryFolder { folder in
            let address = "02:EC:00:00:00:01"
            let tool = EspbenchProcess(["serve", "--h4", "0:5.0:\(address)", "--h4", "0"], folder: folder)
            try tool.process.run()
            let lines = tool.waitForData(lines: 2).split(separator: "\n").map(String.init)
            let ports = try lines.map { line in
                try #require(line.firstMatch(of: #/h4://127\.0\.0\.1:(\d+)/#).flatMap { UInt16($0.1) }, "\(line)")
            }
            #expect(lines[0].hasSuffix("  5.0  \(address)"))
            #expect(lines[1].hasSuffix("  4.2"))
            let first = try connect(ports[0])
            let readAddress: [UInt8] = [0x01, 0x09, 0x10, 0x00]
            #expect(exchange(readAddress, first, 13).suffix(6) == [1, 0, 0, 0, 0xEC, 2])
            let other = try connect(ports[1])
            #expect(exchange(readAddress, other, 13).suffix(6) == [2, 0, 0, 0, 0xEC, 2])
            let refused = try connect(ports[0])
            #expect(exchange(readAddress, refused, 13).isEmpty)
            #expect(
                tool.waitForNote("has only one\n").contains(
                    " refused: controller \(address) is in use, and this port has only one\n"))
            // The next one at once, and after the first.
            let next = try connect(ports[0])
            close(first)
            #expect(exchange(readAddress, next, 13).suffix(6) == [1, 0, 0, 0, 0xEC, 2])
            for descriptor in [other, refused, next] { close(descriptor) }
            end(tool)
            #expect(tool.process.terminationStatus == 0)
        }
    }

    @Test("refuses a controller with the address of a board")
    func addressOfABoard() throws {
        try withTemporaryFolder { folder in
            let result = try EspbenchProcess(
                ["serve", "--chip", "esp32", "--h4", "0:4.2:02:EB:00:00:00:03"], folder: folder
            ).run()
            #expect(result.code == ExitReason.usage.rawValue)
            #expect(
                result.errors.contains("error: two controllers on this air have the address 02:EB:00:00:00:03\nhint: "))
        }
    }

    @Test(
        "--vhci without the kernel's module says how to get it",
        .enabled(if: !VHCI.isThere, "this kernel has /dev/vhci"))
    func noVHCI() throws {
        try withTemporaryFolder { folder in
            let result = try EspbenchProcess(["serve", "--vhci:extended"], folder: folder).run()
            #expect(result.code == ExitReason.portFailed.rawValue)
            #expect(
                result.errors.hasSuffix(
                    """
                    error: /dev/vhci: expected the device of the kernel's module hci_vhci, got No such file or directory
                    hint: Load the kernel's module: sudo modprobe hci_vhci. In a container, load it outside and pass --device /dev/vhci.

                    """), "\(result.errors)")
            #expect(result.output.isEmpty)
        }
    }

    @Test("exits with 9 when the TCP port is in use")
    func takenPort() throws {
        try withTemporaryFolder { folder in
            let tool = EspbenchProcess(["serve", "--h4", "0"], folder: folder)
            let port = try serve(tool)[0]
            let second = try EspbenchProcess(["serve", "--h4", "\(port)"], folder: folder).run()
            #expect(second.code == ExitReason.portFailed.rawValue)
            #expect(second.errors.hasPrefix("error: h4://127.0.0.1:\(port): listening failed: "))
            #expect(second.errors.contains("\nhint: Port 0 selects a free port"))
            end(tool)
        }
    }

    @Test("says what to do when the TCP port of a board is in use", arguments: ["socket", "rfc2217"])
    func takenBoardPort(transport: String) throws {
        try withTemporaryFolder { folder in
            let tool = EspbenchProcess(["serve", "--h4", "0"], folder: folder)
            let port = try serve(tool)[0]
            let second = try EspbenchProcess(
                ["serve", "--chip", "esp32", "--\(transport)", "\(port)"], folder: folder
            ).run()
            #expect(second.code == ExitReason.portFailed.rawValue)
            #expect(
                second.errors.hasSuffix(
                    """
                    error: \(transport)://127.0.0.1:\(port): listening failed: Address already in use
                    hint: Another program listens on this TCP port; 'ss -ltnp' names it. Choose another port, or 0 for any free one.

                    """), "\(second.errors)")
            let nowhere = try EspbenchProcess(
                ["serve", "--chip", "esp32", "--\(transport)", "0", "--listen", "192.0.2.1"], folder: folder
            ).run()
            #expect(nowhere.code == ExitReason.portFailed.rawValue)
            #expect(nowhere.errors.contains("\nhint: --listen expects an address or a name of this machine"))
            end(tool)
        }
    }

    @Test("exits with 6 when the capture cannot be created")
    func noCapture() throws {
        try withTemporaryFolder { folder in
            let result = try EspbenchProcess(
                ["serve", "--h4", "0", "--btsnoop", "nowhere/air.btsnoop"], folder: folder
            ).run()
            #expect(result.code == ExitReason.benchFault.rawValue)
            #expect(
                result.errors.contains(
                    "error: --btsnoop nowhere/air.btsnoop could not be created: there is no folder 'nowhere'\n"))
            #expect(result.output.isEmpty)
        }
    }
}
