import BenchModel
import ByteCodec
public import BoardParts

/// The bench as the master of the boards' I²C buses.
extension BenchSession {
    /// The bytes that one transaction may write, and read.
    public static let transferLimit = 1024

    /// Carries out a transaction with the firmware as the slave.
    ///
    /// - Parameters:
    ///   - isAcknowledged: whether the address must be acknowledged, and all bytes, or the address must not.
    ///   - expected: the bytes that must be read; `nil`: any.
    /// - Returns: the bytes that were read.
    @discardableResult
    public func transfer(
        _ request: I2CMasterRequest, isAcknowledged: Bool = true, expecting expected: [UInt8]? = nil,
        of board: BoardID = .first
    ) async throws(BenchFailure) -> [UInt8] {
        try check(request.address, in: 0...127, "an I²C address")
        try check(max(request.written.count, request.readCount), in: 0...Self.transferLimit, "bytes of a transaction")
        try check(request.clock, in: 1000...1_000_000, "the frequency of an I²C clock")
        let address = "I²C address \(Hexadecimal.number(UInt8(truncatingIfNeeded: request.address), digits: 2))"
        let state = boards[board.index]
        guard let world = bench.boards[board.index].world else {
            throw BenchFailure(.benchFault, expected: address, got: UnsupportedByBench(.i2cMaster).description)
        }
        log.beginAction()
        let acknowledgement =
            isAcknowledged
            ? "the firmware\(state.ofBoard) to acknowledge \(address)"
            : "\(address) of \(state.words) not to be acknowledged"
        let answer: I2CMasterAnswer
        do {
            answer = try await world.transfer(request)
        } catch let fault as I2CMasterFault {
            throw BenchFailure(.assertion, expected: acknowledgement, got: fault.description)
        } catch {
            throw BenchFailure(.benchFault, expected: acknowledgement, got: "\(error)")
        }
        if let refusal = answer.refusal {
            guard isAcknowledged else { return [] }
            throw BenchFailure(.assertion, expected: acknowledgement, got: "no acknowledgement: \(refusal)")
        }
        guard isAcknowledged else { throw BenchFailure(.assertion, expected: acknowledgement, got: "it was") }
        guard answer.written == request.written.count, answer.read.count == request.readCount else {
            throw BenchFailure(
                .assertion, expected: "the firmware\(state.ofBoard) to take part in the whole transaction",
                got: "it ended after \(answer.written) of \(request.written.count) bytes written, and "
                    + "\(answer.read.count) of \(request.readCount) read")
        }
        // A byte that nobody has sent is not one, even if it is 0xFF.
        if expected.map({ answer.read != $0 }) ?? false || answer.prepared < request.readCount {
            let count = "\(request.readCount) byte\(request.readCount == 1 ? "" : "s")"
            throw BenchFailure(
                .assertion, expected: "\(expected.map { BenchFailure.text($0) } ?? count) from \(address)",
                got: Self.text(answer))
        }
        // The firmware's callback has its turn, also at the end of a case.
        await advance(by: .milliseconds(1))
        if let crash { throw crash }
        return answer.read
    }

    private static func text(_ answer: I2CMasterAnswer) -> String {
        guard answer.prepared < answer.read.count else { return BenchFailure.text(answer.read) }
        let bytes = answer.prepared == 0 ? "no bytes" : BenchFailure.text(Array(answer.read.prefix(answer.prepared)))
        return "\(bytes), and the sketch had nothing else: Wire.slaveWrite() prepares what the next read gets, and so "
            + "does onRequest(), which an ESP32 calls after a read"
    }
}
