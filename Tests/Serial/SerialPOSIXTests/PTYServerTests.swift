import Foundation
import SerialPOSIX
import SerialPort
import Synchronization
import Testing

/// Pseudo-terminals with a port behind them; the port is another pseudo-terminal, the client our own port.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PTYServerTests {
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    /// Runs `body` with a server whose port is `board`.
    private func withServer(
        _ board: PseudoTerminal, clock: any Clock<Duration> = ContinuousClock(), log: Log = Log(),
        _ body: (PTYServer) async throws -> Void
    ) async throws {
        let server = try PTYServer(clock: clock) { log.add($0) }
        let running = Task { await server.run { try POSIXSerialPort(path: board.path) } }
        defer { server.stop() }
        try await body(server)
        server.stop()
        await running.value
    }

    private func read(_ count: Int, from port: POSIXSerialPort) async throws -> [UInt8] {
        var result: [UInt8] = []
        while result.count < count {
            let bytes = try await port.read(upTo: count - result.count, within: .seconds(300))
            guard !bytes.isEmpty else { break }
            result += bytes
        }
        return result
    }

    private static let everyByte = (0...255).map { UInt8($0) }

    @Test func everyByteIsTransferredInBothDirectionsForOneClientAfterTheOther() async throws {
        let board = try PseudoTerminal()
        let log = Log()
        try await withServer(board, log: log) { server in
            for _ in 0..<2 {
                let client = try POSIXSerialPort(path: server.path)
                #expect(!client.hasModemLines)
                try await client.write(Self.everyByte)
                #expect(await board.receive(256) == Self.everyByte)
                board.send(Self.everyByte)
                #expect(try await read(256, from: client) == Self.everyByte)
                let count = log.all.count
                await client.close()
                while log.all.count == count { try await Task.sleep(for: .milliseconds(5)) }
            }
        }
        #expect(
            log.all.map { $0.split(separator: ": ", maxSplits: 1)[1] } == [
                "client connected", "client disconnected: it closed the terminal", "client connected",
                "client disconnected: it closed the terminal",
            ])
        board.unplug()
    }

    @Test func whatThePortHadBufferedSurvivesTheOpeningOfAClientThatDiscardsItsInput() async throws {
        let board = try PseudoTerminal()
        let log = Log()
        try await withServer(board, log: log) { server in
            let client = try POSIXSerialPort(path: server.path)
            while log.all.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            board.send(Self.everyByte)
            try await client.discardInput()
            #expect(try await read(256, from: client) == Self.everyByte)
            await client.close()
        }
        board.unplug()
    }

    #if os(Linux)
        /// A clock that counts its sleeps, each of which is over at once.
        private final class CountingClock: Clock {
            typealias Instant = ContinuousClock.Instant
            private let sleeps = Mutex(0)
            var sleepCount: Int { sleeps.withLock { $0 } }
            var now: Instant { ContinuousClock().now }
            var minimumResolution: Duration { .nanoseconds(1) }
            func sleep(until deadline: Instant, tolerance: Duration?) async throws {
                sleeps.withLock { $0 += 1 }
                await Task.yield()
            }
        }

        @Test func theSystemTellsOfAClientWithoutPolling() async throws {
            let board = try PseudoTerminal()
            let clock = CountingClock()
            try await withServer(board, clock: clock) { server in
                for number in 1...3 {
                    let client = try POSIXSerialPort(path: server.path)
                    try await client.write([UInt8(number)])
                    #expect(await board.receive(1) == [UInt8(number)])
                    board.send([UInt8(number)])
                    #expect(try await read(1, from: client) == [UInt8(number)])
                    // At most one for the opening of each client, and none while there is no client.
                    #expect(clock.sleepCount <= number)
                    await client.close()
                }
            }
            board.unplug()
        }
    #endif

    #if canImport(Glibc)
        @Test func theRateOfTheClientIsThePortsRate() async throws {
            let board = try PseudoTerminal()
            try await withServer(board) { server in
                let client = try POSIXSerialPort(path: server.path, settings: SerialSettings(baudRate: 460_800))
                try await client.write([1])
                #expect(await board.receive(1) == [1])
                #expect(try board.rate() == 460_800)
                try await client.configure(SerialSettings(baudRate: 1_500_000))
                try await client.write([2])
                #expect(await board.receive(1) == [2])
                #expect(try board.rate() == 1_500_000)
                await client.close()
            }
            board.unplug()
        }
    #endif

    @Test func aClientIsToldWhenThePortCannotBeOpenedOrIsLost() async throws {
        let board = try PseudoTerminal()
        let holder = try POSIXSerialPort(path: board.path)
        let log = Log()
        try await withServer(board, log: log) { server in
            let refused = try POSIXSerialPort(path: server.path)
            let text = String(decoding: try await read(19, from: refused), as: UTF8.self)
            #expect(text == "espbench: refused: ")
            let count = log.all.count
            await refused.close()
            await holder.close()
            #expect(count == 1)
            #expect(log.all[0].contains("has it open"))

            let client = try POSIXSerialPort(path: server.path)
            try await client.write([1])
            #expect(await board.receive(1) == [1])
            board.unplug()
            let lost = String(decoding: try await read(28, from: client), as: UTF8.self)
            #expect(lost == "espbench: lost the port: the")
            await client.close()
        }
    }

    @Test func aLinkReplacesOnlyLinksToDevices() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "link-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "board").path
        let first = try PortLink(path, to: "/dev/pts/998")
        let second = try PortLink(path, to: "/dev/pts/999")
        // It is another's by now.
        first.remove()
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "/dev/pts/999")
        second.remove()
        try Data("text".utf8).write(to: URL(filePath: path))
        let error = try #require(throws: SerialPortError.self) { try PortLink(path, to: "/dev/pts/999") }
        #expect(error.code == .linkTaken)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "text")
        let nowhere = try #require(throws: SerialPortError.self) { try PortLink(path + "/x", to: "/dev/pts/999") }
        #expect(nowhere.code == .system)
    }
}
