import BLEHost
import BLEPackets
import ByteCodec
import MonotonicTime
import Testing

@Suite struct GATTServerFuzzTests {
    typealias Fixture = GATTServerFixture

    /// 200,000 PDUs: recorded ones with bytes changed, removed or added, and random ones, from two clients, sometimes
    /// with pending callbacks. Every response must be valid.
    @Test func everyPDUGetsAValidResponseOrNone() throws {
        let recorded = try TraceStep.load("nimble-calculator").compactMap { Hexadecimal.bytes($0.send) }
        let board = try Fixture.board()
        board.server.connect(1)
        var random = SeededRandom(seed: 2)
        for round in 0..<200_000 {
            let pdu = Self.mutation(of: recorded, &random)
            let connection = UInt16(round & 1)
            board.holdsCallbacks = round % 100 < 10
            board.now = MonotonicInstant(nanoseconds: Int64(round) * 1_000_000)
            if !board.server.isInCallback { board.server.handle(pdu[...], on: connection, now: board.now) }
            for action in board.take() {
                guard case .send(let receiver, let answer) = action else { continue }
                let mtu = try #require(board.server.mtu(of: receiver))
                #expect(answer.count <= mtu)
                if board.openCallbacks.isEmpty, round % 100 >= 11 {
                    #expect(receiver == connection)
                    #expect(Self.isLegal(answer, to: pdu), "\(Hexadecimal.string(pdu)): \(Hexadecimal.string(answer))")
                }
            }
            if round % 100 == 10 {
                while !board.openCallbacks.isEmpty {
                    try board.resume()
                    _ = board.take()
                }
            }
        }
        // No state is left over, and the server still answers.
        #expect(try board.exchange("1800") == ["19"])
        #expect(try board.exchange("1800", on: 1) == ["19"])
        #expect(board.server.nextDeadline == nil)
        #expect(try board.exchange("0a0300") == ["0b46697874757265"])
    }

    private static func mutation(of recorded: [[UInt8]], _ random: inout SeededRandom) -> [UInt8] {
        if random.next() % 4 == 0 { return random.bytes(Int(random.next() % 40)) }
        var pdu = recorded[Int(random.next() % UInt64(recorded.count))]
        for _ in 0..<random.next() % 4 where !pdu.isEmpty {
            let place = Int(random.next() % UInt64(pdu.count))
            switch random.next() % 4 {
            case 0: pdu[place] = UInt8(truncatingIfNeeded: random.next())
            case 1: pdu[place] = UInt8(truncatingIfNeeded: random.next() % 0x26)
            case 2: pdu.removeSubrange(place...)
            default: pdu.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
            }
        }
        return pdu
    }

    /// Whether `answer` is the response to `pdu`, or an error that names it.
    private static func isLegal(_ answer: [UInt8], to pdu: [UInt8]) -> Bool {
        guard let request = pdu.first, !ATTOpcode(rawValue: request).isCommand else { return false }
        if let error = try? ATTErrorResponse(decoding: answer[...]) { return error.request.rawValue == request }
        guard answer.first == request + 1 else { return false }
        guard let type = ATTOpcode.pdus.first(where: { $0.opcode.rawValue == request + 1 }) else { return false }
        // Read By Type may hold an empty value before others, which no client can distinguish.
        return request == 0x08 || (try? type.init(decoding: answer[...])) != nil
    }
}
