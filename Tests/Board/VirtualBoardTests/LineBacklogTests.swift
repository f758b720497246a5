import MonotonicTime
import SerialPort
import BenchExecutor
import Testing
import VirtualBoard

/// Output of a board while its line has no client.
@Suite struct LineBacklogTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(arguments: [
        (["one\n", "two\n"], "one\ntwo\n", 0),
        (["one\n", "two\n", "three\n"], "two\nthree\n", 4),
        (["one\n", "two\n", "abcdef"], "two\nabcdef", 4),
        (["0123456789ABC"], "3456789ABC", 3),
        (["0123456789A\n"], "23456789A\n", 2),
        (["1\n", "0123456789"], "0123456789", 2),
    ])
    func theOldestLinesAreDropped(printed: [String], kept: String, dropped: Int) {
        var backlog = LineBacklog(limit: 10)
        for line in printed { backlog.append(Array(line.utf8)) }
        #expect(text(backlog.bytes) == kept)
        #expect(backlog.droppedCount == dropped)
    }

    /// A line whose board prints nothing by itself.
    private func withLine(
        limit: Int, _ body: @escaping @Sendable (BenchExecutor, BoardLine) async throws -> Void
    ) throws {
        let executor = BenchExecutor()
        try executor.run {
            let board = try TestBoard(on: executor)
            let line = BoardLine("line", owner: board, on: executor)
            if limit > 0 { await line.bufferOutput(upTo: limit) }
            try await body(executor, line)
        }
    }

    @Test func outputWithoutAClientIsLostUnlessBuffered() throws {
        try withLine(limit: 0) { _, line in
            await line.deliver([1])
            let port = try await line.open()
            await line.deliver([2])
            #expect(try await port.read(upTo: 10, within: .seconds(1)) == [2])
        }
    }

    @Test func eachClientReceivesTheOutputSinceTheLastOne() throws {
        try withLine(limit: 100) { _, line in
            await line.deliver([1, 2])
            let first = try await line.open(hasModemLines: false)
            #expect(try await first.read(upTo: 10, within: .zero) == [1, 2])
            await line.deliver([3])
            #expect(try await first.read(upTo: 10, within: .zero) == [3])
            await first.close()
            await line.deliver([4])
            let second = try await line.open(hasModemLines: false)
            #expect(try await second.read(upTo: 10, within: .zero) == [4])
        }
    }

    /// pyserial sets rate and lines when it opens a port, about 50 ms apart, and then discards the input.
    @Test func openingAPortLikePyserialLosesNothing() throws {
        try withLine(limit: 100) { executor, line in
            await line.deliver([1, 2])
            let port = try await line.open(hasModemLines: true)
            for step in 0..<4 {
                try await port.pause(for: .milliseconds(300))
                #expect(try await port.read(upTo: 10, within: .zero).isEmpty)
                switch step {
                case 0: try await port.configure(.default)
                case 1: try await port.setModemLines(ModemLines(dtr: true, rts: false))
                case 2: try await port.setModemLines(ModemLines(dtr: true, rts: true))
                default: try await port.discardInput()
                }
            }
            await line.deliver([3])
            let begin = executor.now
            #expect(try await port.read(upTo: 10, within: .seconds(1)) == [1, 2, 3])
            #expect(begin.duration(to: executor.now) == .milliseconds(500))
            await line.deliver([4])
            try await port.discardInput()
            #expect(try await port.read(upTo: 10, within: .seconds(1)).isEmpty, "an open port's input is dropped")
        }
    }

    @Test func aWriteCompletesTheOpening() throws {
        try withLine(limit: 100) { _, line in
            await line.deliver([1])
            let port = try await line.open(hasModemLines: true)
            try await port.write([9])
            #expect(try await port.read(upTo: 10, within: .zero) == [1])
        }
    }

    @Test func theBacklogIsKeptIfAClientClosesWhileOpening() throws {
        try withLine(limit: 100) { _, line in
            await line.deliver([1])
            let port = try await line.open(hasModemLines: true)
            await line.deliver([2])
            await port.close()
            await line.deliver([3])
            let next = try await line.open(hasModemLines: false)
            #expect(try await next.read(upTo: 10, within: .zero) == [1, 2, 3])
        }
    }
}
