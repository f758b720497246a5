public import BoardParts
internal import CFirmwareChannel
import BenchExecutor
import MonotonicTime

/// The I²C buses on which a program is the slave.
struct ChipSlaves {
    /// A bus with its slave.
    struct Slave {
        var data: Int
        var clock: Int
        var address: Int
    }

    private(set) var slaves: [Slave] = []
    /// True if the program has been one.
    private(set) var hasBegun = false
    /// The end of the transaction that was sent last, until it is taken.
    private var end: (status: Int, answer: I2CMasterAnswer)?

    mutating func handle(_ message: FirmwareMessage) {
        if message.type == CFC_I2C_SLAVE, let fields = message.fields(cfc_i2c_slave.self) {
            slaves.removeAll { $0.data == Int(fields.sda) && $0.clock == Int(fields.scl) }
            guard fields.is_begun != 0 else { return }
            hasBegun = true
            slaves.append(Slave(data: Int(fields.sda), clock: Int(fields.scl), address: Int(fields.address)))
        } else if let fields = message.fields(cfc_i2c_transferred.self) {
            let read = Array(message.tail(after: cfc_i2c_transferred.self))
            end = (
                Int(fields.status),
                I2CMasterAnswer(
                    written: Int(fields.written), read: read, prepared: min(Int(fields.prepared), read.count))
            )
        }
    }

    mutating func takeEnd() -> (status: Int, answer: I2CMasterAnswer)? {
        defer { end = nil }
        return end
    }

    /// The slave that a master reaches; `nil`: none acknowledges.
    func slave(for request: I2CMasterRequest) throws(I2CMasterFault) -> Slave? {
        let address = Self.text(request.address)
        guard hasBegun else {
            throw I2CMasterFault("the sketch is no I²C slave: it has not called Wire.begin(\(address))")
        }
        let found = slaves.filter {
            $0.address == request.address && (request.data == nil || $0.data == request.data)
        }
        guard found.count < 2 else {
            throw I2CMasterFault(
                "the sketch is a slave at \(address) on two buses, with SDA on pin "
                    + "\(found.map { "\($0.data)" }.joined(separator: " and ")): 'sda' tells which")
        }
        return found.first
    }

    /// Why no slave acknowledges.
    var refusal: String {
        guard !slaves.isEmpty else { return "the sketch is no slave any more" }
        return "the sketch is a slave at "
            + slaves.map { "\(Self.text($0.address)) (SDA on pin \($0.data))" }.joined(separator: " and ")
    }

    private static func text(_ address: Int) -> String {
        let digits = String(address, radix: 16, uppercase: true)
        return "0x\(digits.count == 1 ? "0" : "")\(digits)"
    }
}

/// A transaction of a master outside the board, until its end.
struct PendingTransfer {
    var request: I2CMasterRequest
    var slave: ChipSlaves.Slave
    var continuation: CheckedContinuation<Result<I2CMasterAnswer, I2CMasterFault>, Never>
}

extension VirtualBoard {
    /// Carries out a transaction of a master outside the board, which takes its time on the bus.
    ///
    /// - Throws: `I2CMasterFault` if the program cannot take part in it.
    public func transfer(_ request: I2CMasterRequest) async throws(I2CMasterFault) -> I2CMasterAnswer {
        guard pendingTransfer == nil else {
            throw I2CMasterFault("another transaction is under way on the board's buses")
        }
        guard let application else { throw I2CMasterFault("no sketch runs") }
        guard let slave = try application.slaves.slave(for: request) else {
            // START, the address and STOP take eleven bits.
            let bits = Int64(11_000_000_000) / Int64(max(request.clock, 1))
            let refusal = application.slaves.refusal
            try? await BenchClock(executor).sleep(for: .nanoseconds(bits))
            let answer = I2CMasterAnswer(refusal: refusal)
            report(request, answer, Int(CFC_I2C_NO_ADDRESS), data: request.data ?? -1, clock: -1)
            return answer
        }
        return try await withCheckedContinuation { continuation in
            pendingTransfer = PendingTransfer(request: request, slave: slave, continuation: continuation)
            application.begin(request, slave, now: executor.now)
            processPendingWork()
        }.get()
    }

    /// Ends the transaction if the program has.
    func endTransfer(_ application: RunningApplication) {
        guard let pending = pendingTransfer, let end = application.slaves.takeEnd() else { return }
        pendingTransfer = nil
        var answer = end.answer
        if end.status == CFC_I2C_NO_ADDRESS {
            answer.refusal = "the chip sleeps lightly, or the sketch is no slave any more"
        }
        report(pending.request, answer, end.status, data: pending.slave.data, clock: pending.slave.clock)
        pending.continuation.resume(returning: .success(answer))
    }

    /// The program ends, and with it the transaction.
    func cancelTransfer() {
        guard let pending = pendingTransfer else { return }
        pendingTransfer = nil
        pending.continuation.resume(returning: .failure(I2CMasterFault("the program ended during the transaction")))
    }

    private func report(_ request: I2CMasterRequest, _ answer: I2CMasterAnswer, _ status: Int, data: Int, clock: Int) {
        observer?(
            .i2c(
                I2CTransaction(
                    data: data, clock: clock, address: request.address, isSlave: true,
                    written: Array(request.written.prefix(answer.written)), read: answer.read, status: status)))
    }
}

extension RunningApplication {
    /// Sends the sketch a transaction whose slave it is.
    fileprivate func begin(_ request: I2CMasterRequest, _ slave: ChipSlaves.Slave, now: MonotonicInstant) {
        var fields = cfc_i2c()
        fields.sda = UInt8(truncatingIfNeeded: slave.data)
        fields.scl = UInt8(truncatingIfNeeded: slave.clock)
        fields.address = UInt16(clamping: request.address)
        // An address alone is one for writing.
        if !request.written.isEmpty || request.readCount <= 0 { fields.flags |= UInt32(CFC_I2C_WRITES) }
        if request.readCount > 0 { fields.flags |= UInt32(CFC_I2C_READS) }
        fields.clock_hz = UInt32(clamping: request.clock)
        fields.read_count = UInt32(clamping: request.readCount)
        runtime.send(CFC_I2C_TRANSFER, fields, tail: request.written[...], now: now)
    }
}
