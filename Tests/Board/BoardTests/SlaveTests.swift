import BenchExecutor
import BoardParts
import FirmwareBuild
import MonotonicTime
import Testing
import VirtualBoard

/// Masters outside the board.
@Suite struct SlaveTests {
    /// A transaction of nine seconds.
    private static let long = I2CMasterRequest(
        address: 0x28, written: [UInt8](repeating: 1, count: 1000), clock: 1000)

    /// Runs `body` with a board whose sketch is a slave, from its start on.
    private func run(
        _ body: @escaping @Sendable (BoardBench, VirtualBoard, BoardLog) async throws -> Void
    ) async throws -> BoardLog {
        let firmware = try await SketchBuilds.shared.build("Slave")
        let bench = try await BoardBench()
        return try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            try await bench.wait(for: "the start") { log.console.hasSuffix("ready\r\n") }
            try await body(bench, board, log)
            return log
        }
    }

    @Test func aTransactionTakesItsTimeAndIsAnEvent() async throws {
        let log = try await run { bench, board, _ in
            // START and address, two bytes, STOP: 29 bits of 10 us, and the time that the sketch was ahead.
            let start = bench.executor.now
            let answer = try await board.transfer(I2CMasterRequest(address: 0x28, written: [1, 7]))
            #expect(answer == I2CMasterAnswer(written: 2))
            let time = start.duration(to: bench.executor.now)
            #expect(time >= .microseconds(290) && time < .milliseconds(11), "\(time)")
            // Without a slave nothing but the address is on the bus.
            let later = bench.executor.now
            let none = try await board.transfer(I2CMasterRequest(address: 0x30, written: [1], clock: 400_000))
            #expect(none.refusal == "the sketch is a slave at 0x28 (SDA on pin 21)" && none.written == 0)
            #expect(later.duration(to: bench.executor.now) == .nanoseconds(27_500))
            let read = try await board.transfer(I2CMasterRequest(address: 0x28, readCount: 5))
            #expect(read == I2CMasterAnswer(read: [7, 0x33, 0x44, 0x11, 0xFF], prepared: 4))
        }
        let transactions = log.events.compactMap { event in
            if case .i2c(let transaction) = event { transaction } else { nil }
        }
        #expect(transactions.map(\.isSlave) == [true, true, true])
        #expect(transactions.map(\.status) == [0, 2, 0])
        #expect(transactions.map(\.written) == [[1, 7], [], []])
        #expect(transactions.map(\.data) == [21, -1, 21])
    }

    @Test func aTransactionEndsWithTheProgram() async throws {
        _ = try await run { bench, board, log in
            async let end = board.transfer(Self.long)
            try await bench.sleep(.milliseconds(500))
            await #expect(throws: I2CMasterFault("another transaction is under way on the board's buses")) {
                try await board.transfer(I2CMasterRequest(address: 0x28))
            }
            await board.type(Array("crash\n".utf8))
            do {
                Issue.record("the transaction ended: \(try await end)")
            } catch {
                #expect(error as? I2CMasterFault == I2CMasterFault("the program ended during the transaction"))
            }
            await #expect(throws: I2CMasterFault.self) { try await board.transfer(I2CMasterRequest(address: 0x28)) }
            // The next start of the program is a slave again.
            try await bench.wait(for: "the restart") { log.console.hasSuffix("ready\r\n") }
            #expect(try await board.transfer(I2CMasterRequest(address: 0x28)).refusal == nil)
        }
    }

    @Test func aTransactionEndsWithTheSlave() async throws {
        _ = try await run { bench, board, _ in
            async let end = board.transfer(Self.long)
            try await bench.sleep(.milliseconds(500))
            await board.type(Array("end\n".utf8))
            let answer = try await end
            #expect(answer.refusal == nil && answer.written > 40 && answer.written < 80, "\(answer)")
            #expect(
                try await board.transfer(I2CMasterRequest(address: 0x28)).refusal == "the sketch is no slave any more")
        }
    }
}
