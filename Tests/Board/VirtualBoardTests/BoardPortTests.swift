import ESPProtocol
import MonotonicTime
import SerialPort
import BenchExecutor
import Testing
import VirtualBoard

@Suite struct BoardPortTests {
    /// A board in download mode, its line, and a port.
    private func withPort(
        _ body: @escaping @Sendable (BenchExecutor, BoardLine, BoardPort) async throws -> Void
    ) throws {
        let executor = BenchExecutor()
        try executor.run {
            let board = try TestBoard(on: executor)
            let line = await board.powerOn()
            let port = try await line.open()
            try await body(executor, line, port)
        }
    }

    @Test func theLoaderAnswersThroughThePortAfterAReset() throws {
        try withPort { executor, _, port in
            try await port.setModemLines(ModemLines(dtr: false, rts: true))
            try await port.pause(for: .milliseconds(100))
            try await port.setModemLines(ModemLines(dtr: true, rts: false))
            try await port.pause(for: .milliseconds(50))
            try await port.setModemLines(ModemLines(dtr: false, rts: false))
            let log = try await port.read(upTo: 10_000, within: .seconds(1))
            #expect(String(decoding: log, as: UTF8.self).hasSuffix("waiting for download\r\n"))
            try await port.write(LoaderRequest(Sync()).frame)
            let answer = try await port.read(upTo: 14, within: .seconds(1))
            #expect(answer.first == SLIP.end && answer.count == 14)
            try await port.discardInput()
            #expect(executor.now == .zero.advanced(by: .milliseconds(150)))
        }
    }

    @Test func aTimeOutUsesVirtualTime() throws {
        try withPort { executor, _, port in
            try await port.discardInput()
            _ = try await port.read(upTo: 1000, within: .seconds(1))
            try await port.setModemLines(ModemLines(dtr: false, rts: true))
            let begin = executor.now
            #expect(try await port.read(upTo: 10, within: .seconds(3)).isEmpty)
            #expect(begin.duration(to: executor.now) == .seconds(3))
            #expect(try await port.read(upTo: 10, within: .zero).isEmpty)
        }
    }

    @Test func theLineHasOneClientAtATime() throws {
        try withPort { _, line, port in
            let error = await #expect(throws: SerialPortError.self) { try await line.open() }
            #expect(error?.code == .busy)
            await port.close()
            let closed = await #expect(throws: SerialPortError.self) { try await port.write([1]) }
            #expect(closed?.code == .disconnected)
            let next = try await line.open()
            await port.close()
            _ = try await next.read(upTo: 10, within: .seconds(1))
        }
    }

    @Test func closingAndCancellingEndARead() throws {
        try withPort { executor, line, port in
            try await port.setModemLines(ModemLines(dtr: false, rts: true))
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: CancellationError.self) {
                        while true { _ = try await port.read(upTo: 1000, within: nil) }
                    }
                }
                try? await BenchClock(executor).sleep(for: .seconds(1))
                group.cancelAll()
            }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: SerialPortError.self) { _ = try await port.read(upTo: 1, within: nil) }
                }
                try? await BenchClock(executor).sleep(for: .seconds(1))
                await port.close()
            }
            _ = try await line.open()
        }
    }

    @Test func unreadInputIsBounded() throws {
        try withPort { _, line, port in
            try await port.setModemLines(ModemLines(dtr: false, rts: true))
            for number in 0..<40 {
                await line.deliver([UInt8](repeating: UInt8(number), count: 65_536))
            }
            let bytes = try await port.read(upTo: .max, within: .zero)
            #expect(bytes.count == BoardPort.inputLimit)
            #expect(bytes.first == 24 && bytes.last == 39, "the oldest are lost")
        }
    }
}
