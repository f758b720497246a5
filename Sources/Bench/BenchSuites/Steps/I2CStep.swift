import Bench
import BoardParts
import YAMLReading
import Yams

/// `i2c`: a transaction of a master outside the board, whose slave is the sketch.
struct I2CStep: SuiteStep {
    static let kind = StepKind(
        word: "i2c", argument: .required,
        reference: [
            StepReference(
                "`i2c: {address: 0x28, write: [1]}`, `{address: 0x28, read: [4, 5]}`, `{address: 0x28, write: [1], read: 2}`",
                """
                a master on the bus writes to the sketch, which is a slave (`Wire.begin(0x28)`), or reads from it, or both \
                with a repeated START between: the bytes must be these; `read: 2`: any two. The address and all bytes must be \
                acknowledged. `clock: 400000` (100000); `sda: 21` if two buses have a slave with this address. What an ESP32 \
                sends it has prepared before (`Wire.slaveWrite()` in `onReceive()`): to read a register, write its number, \
                `advance: 10 ms`, and read. `onRequest()` runs after a read, for the next one
                """),
            StepReference(
                "`i2c: {address: 0x29, acknowledged: false}`",
                "the sketch, which is or was a slave, does not acknowledge this address"),
        ],
        examples: [
            "i2c: {address: 0x28, write: [1, 2]}", "i2c: {address: 0x28, write: [1], read: [4, 5], clock: 400000}",
            "i2c: {address: 0x28, read: 2, sda: 21}", "i2c: {address: 0x29, acknowledged: false}",
        ],
        mistake: "i2c: {address: 0x80}", read: I2CStep.read)

    private static let addresses: ClosedRange<Int64> = 0...127
    private static let clocks: ClosedRange<Int64> = 1000...1_000_000
    private static let counts: ClosedRange<Int64> = 1...Int64(BenchSession.transferLimit)

    /// The bytes to read.
    private enum Reading {
        case bytes(ValueTemplate)
        case count(Expression)
    }

    private var address: Expression
    private var written: ValueTemplate?
    private var reading: Reading?
    private var isAcknowledged: Bool
    private var clock: Expression?
    private var data: Expression?
    /// The board.
    private var board: BoardReference

    let changesState = true

    var needs: Set<BenchAbility> { [.i2cMaster] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        var request = I2CMasterRequest(address: try run.number(address, Self.addresses, "an I²C address"))
        if let written { request.written = try run.stream(written) }
        if let clock { request.clock = try run.number(clock, Self.clocks, "'clock'") }
        if let data { request.data = try run.number(data, ButtonStep.pins, "a pin") }
        var expected: [UInt8]?
        switch reading {
        case .bytes(let template):
            let bytes = try run.stream(template)
            (expected, request.readCount) = (bytes, bytes.count)
        case .count(let count): request.readCount = try run.number(count, Self.counts, "'read'")
        case nil: break
        }
        try await run.session.transfer(
            request, isAcknowledged: isAcknowledged, expecting: expected, of: run.board(board))
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let reader = text.reader
        guard
            let fields = text.fields(
                of: "'i2c'", ["address", "write", "read", "acknowledged", "clock", "sda", "board"]),
            let node = fields.required("address", of: "'i2c'", text.diagnostics),
            let address = reader.bounded(node, "an I²C address", addresses),
            let board = reader.board(fields["board"], for: text.node)
        else { return nil }
        let written = fields["write"].map { stream($0, "'write'", reader) }
        let reading = fields["read"].map { node -> Reading? in
            if case .sequence = node { return stream(node, "'read'", reader).map(Reading.bytes) }
            return reader.bounded(node, "'read'", counts).map(Reading.count)
        }
        let clock = fields["clock"].map { reader.bounded($0, "'clock'", clocks) }
        let data = fields["sda"].map { reader.bounded($0, "'sda'", ButtonStep.pins) }
        let isAcknowledged = fields["acknowledged"].flatMap { text.scalars.bool($0, "'acknowledged'") } ?? true
        if !isAcknowledged, let more = fields["write"] ?? fields["read"] {
            text.diagnostics.report("an address that is not acknowledged takes and gives no bytes", at: more)
        }
        // An option that was given must have been read.
        if case .some(.none) = written { return nil }
        if case .some(.none) = reading { return nil }
        if case .some(.none) = clock { return nil }
        if case .some(.none) = data { return nil }
        return I2CStep(
            address: address, written: written ?? nil, reading: reading ?? nil, isAcknowledged: isAcknowledged,
            clock: clock ?? nil, data: data ?? nil, board: board)
    }

    /// A list of at least one byte.
    private static func stream(_ node: Node, _ what: String, _ reader: SuiteReader) -> ValueTemplate? {
        guard let value = reader.bytes(node, what) else { return nil }
        if value.isKnownEmpty {
            reader.diagnostics.report("\(what) of no bytes proves nothing, expected at least one", at: node)
        }
        return value
    }
}
