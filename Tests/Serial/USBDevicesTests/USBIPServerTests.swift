import BLERadio
import BenchExecutor
import ByteCodec
import Inbox
import TCP
import Testing
import USBDevices
import VirtualBoard

/// The server over TCP. `Scripts/test-vm` lets Linux's kernel use it.
@Suite(.timeLimit(.minutes(10)))
struct USBIPServerTests {
    /// A client of the protocol of Linux's usbip_protocol.rst, big-endian words.
    private struct Client {
        let inbox = TCPInbox(name: "client")
        let connection: TCPConnection

        init(_ port: UInt16) throws {
            let descriptor = try TCPSocket.connect(host: "127.0.0.1", port: port, name: "client", milliseconds: 5000)
            connection = TCPConnection(descriptor, name: "client", receiver: inbox)
        }

        func send(_ words: [UInt32], _ rest: [UInt8] = []) async throws {
            var writer = ByteWriter()
            for word in words { writer.uint32BigEndian(word) }
            try await connection.send(writer.bytes + rest)
        }

        func receive(_ count: Int) async throws -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count {
                let more = try await inbox.read(upTo: count - bytes.count, within: .seconds(20))
                guard !more.isEmpty else { break }
                bytes += more
            }
            return bytes
        }

        func submit(
            _ id: UInt32, endpoint: UInt32, isIn: Bool, length: UInt32,
            setup: [UInt8] = [UInt8](repeating: 0, count: 8),
            data: [UInt8] = []
        ) async throws {
            try await send([1, id, 0x0001_0001, isIn ? 1 : 0, endpoint, 0, length, 0, 0, 0], setup + data)
        }
    }

    private func withServer(
        _ peer: any UARTPeer, _ executor: BenchExecutor, _ chip: @escaping @Sendable () -> any BridgeChip,
        _ body: @escaping @Sendable (UInt16, USBStation) async throws -> Void
    ) async throws {
        let station = USBStation(USBPlace(device: 1), peer: peer, on: executor, log: { _ in }, chip)
        let server = try USBIPServer([station], on: executor, log: { _ in })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            try await body(server.port, station)
            server.stop()
            try await group.waitForAll()
        }
    }

    private func busID(_ text: String) -> [UInt8] {
        Array(text.utf8) + [UInt8](repeating: 0, count: 32 - text.utf8.count)
    }

    @Test func aLoopbackIsImportedUsedUnlinkedAndUnplugged() throws {
        let executor = BenchExecutor(pace: .real)
        try executor.run {
            try await withServer(LoopbackPeer(), executor, { CDCACM.plain() }) { port, station in
                let client = try Client(port)
                try await client.send([0x0111_8003, 0], busID("1-1"))
                let reply = try await client.receive(8 + 312)
                #expect(reply.prefix(8) == [0x01, 0x11, 0x00, 0x03, 0, 0, 0, 0])
                #expect(Array(reply[(8 + 300)..<(8 + 304)]) == [0x12, 0x09, 0x00, 0x01])

                try await client.submit(1, endpoint: 0, isIn: false, length: 0, setup: [0, 9, 1, 0, 0, 0, 0, 0])
                #expect(Array(try await client.receive(48).prefix(8)) == [0, 0, 0, 3, 0, 0, 0, 1])
                // Two reads in flight; the first is unlinked, the second gets the data.
                try await client.submit(2, endpoint: 1, isIn: true, length: 64)
                try await client.submit(3, endpoint: 1, isIn: true, length: 64)
                try await client.send([2, 4, 0x0001_0001, 0, 0, 2] + [UInt32](repeating: 0, count: 6))
                let unlinked = try await client.receive(48)
                #expect(Array(unlinked.prefix(8)) == [0, 0, 0, 4, 0, 0, 0, 4])
                #expect(Array(unlinked[20..<24]) == [0xFF, 0xFF, 0xFF, 0x98])
                try await client.submit(5, endpoint: 2, isIn: false, length: 3, data: [7, 8, 9])
                #expect(Array(try await client.receive(48).prefix(8)) == [0, 0, 0, 3, 0, 0, 0, 5])
                let read = try await client.receive(51)
                #expect(Array(read.prefix(8)) == [0, 0, 0, 3, 0, 0, 0, 3])
                #expect(Array(read.suffix(3)) == [7, 8, 9])

                // A second host is refused: in use.
                let second = try Client(port)
                try await second.send([0x0111_8003, 0], busID("1-1"))
                #expect(try await second.receive(8) == [0x01, 0x11, 0x00, 0x03, 0, 0, 0, 2])

                await station.setPlugged(false)
                await #expect(throws: TCPError.self) {
                    while true { _ = try await client.inbox.read(upTo: 64, within: .seconds(20)) }
                }
            }
        }
    }

    @Test(
        arguments: [
            [0x0112_8003, 0], [0x0111_8004, 0],
        ] as [[UInt32]])
    func whatIsNotTheProtocolEndsTheConnection(words: [UInt32]) throws {
        let executor = BenchExecutor(pace: .real)
        try executor.run {
            try await withServer(LoopbackPeer(), executor, { CDCACM.plain() }) { port, _ in
                let client = try Client(port)
                try await client.send(words)
                await #expect(throws: TCPError.self) { _ = try await client.inbox.read(upTo: 64, within: .seconds(20)) }
            }
        }
    }

    /// A board behind a CP2102: its boot log is read at 115200 baud, and garbage at another rate.
    @Test(arguments: [(UInt32(115_200), true), (74_880, false)])
    func aBoardIsReadAtItsRate(rate: UInt32, isReadable: Bool) throws {
        let executor = BenchExecutor(pace: .real)
        try executor.run {
            let configuration = VirtualBoard.Configuration(name: "board", flashPath: nil, number: 1, key: nil, seed: 1)
            let board = try VirtualBoard(configuration, on: Radio(executor, seed: 1), executor)
            await board.powerOn()
            let peer = BoardPeer(board, hasUART: true, settings: CP2102().settings, on: executor)
            try await withServer(peer, executor, { CP2102() }) { port, _ in
                let client = try Client(port)
                try await client.send([0x0111_8003, 0], busID("1-1"))
                _ = try await client.receive(8 + 312)
                var id: UInt32 = 0
                func control(_ setup: [UInt8], _ data: [UInt8] = []) async throws {
                    id += 1
                    let length = UInt32(data.count)
                    try await client.submit(id, endpoint: 0, isIn: false, length: length, setup: setup, data: data)
                    _ = try await client.receive(48)
                }
                try await control([0, 9, 1, 0, 0, 0, 0, 0])
                try await control([0x41, 0, 1, 0, 0, 0, 0, 0])
                try await control(
                    [0x41, 0x1E, 0, 0, 0, 0, 4, 0], (0..<4).map { UInt8(truncatingIfNeeded: rate >> (8 * $0)) })
                // What the board had printed meanwhile was at the chip's own rate.
                try await control([0x41, 0x12, 0x0F, 0, 0, 0, 0, 0])
                // RTS pulls EN low and releases it.
                try await control([0x41, 7, 2, 3, 0, 0, 0, 0])
                try await control([0x41, 7, 0, 3, 0, 0, 0, 0])
                var log: [UInt8] = []
                while log.count < 60 {
                    id += 1
                    try await client.submit(id, endpoint: 2, isIn: true, length: 64)
                    let header = try await client.receive(48)
                    try #require(header.count == 48)
                    let count = Int(header[26]) << 8 | Int(header[27])
                    log += try await client.receive(count)
                }
                #expect(String(decoding: log, as: UTF8.self).contains("POWERON_RESET") == isReadable)
            }
        }
    }
}
