import BLECore
import BLEHost
import BLEPackets
import ByteCodec
import Testing

/// Replays the recorded lock and calculator before, during and after pairing: our central pairs in place of the
/// recorded one, so that keys differ and everything else is equal.
@Suite struct SecurityTraceTests {
    @Test(arguments: [
        ("nimble-lock", SecurityBoard.Kind.lock, 695), ("nimble-borders", .lock, 33),
        ("nimble-security-more", .lock, 74), ("nimble-calculator-pair", .calculator, 8),
    ])
    func everyRecordedStepIsEqual(file: String, kind: SecurityBoard.Kind, count: Int) throws {
        let steps = try TraceStep.load(file)
        #expect(steps.count == count)
        #expect(try replay(steps, on: SecurityBoard(kind)) == [])
    }

    @Test func oneDifferentByteIsDetected() throws {
        var steps = try TraceStep.load("nimble-security-more")
        let place = try #require(steps.firstIndex { $0.step == "encrypt" && !$0.recv.isEmpty })
        steps[place].recv = []
        #expect(try replay(steps, on: SecurityBoard(.lock)).count == 1)
    }

    private func replay(_ steps: [TraceStep], on board: SecurityBoard) throws -> [String] {
        var differences: [String] = []
        for (place, step) in steps.enumerated() {
            let received: [String]
            switch step.step {
            case "connect":
                try board.reconnect()
                received = board.drainReceived()
            case "pair": received = try pair(step, board)
            case "encrypt": received = try encrypt(step, board)
            default: received = try board.exchange(step.send)
            }
            if received != step.recv {
                differences.append(
                    "\(place) \(step.step) (\(step.note)): \(step.send): expected \(step.recv), got \(received)")
            }
        }
        return differences
    }

    private func pair(_ step: TraceStep, _ board: SecurityBoard) throws -> [String] {
        board.pair.central.security = try #require(Self.centrals.first { step.note.hasPrefix($0.0) }?.1, "\(step.note)")
        board.entered = step.note.contains("wrong passkey 111111") ? 111111 : 123456
        let outcome = step.note.contains("FAILED") ? "failed by the peer: 0x04 confirm value failed" : "success"
        // The recorded central replaced a bond by a weaker one, which ours does not.
        if outcome == "success" { board.pair.central.setBonds([]) }
        _ = board.pair.drainLog()
        try board.pair.central.pair(on: 1, now: board.pair.now)
        board.drain()
        let log = board.pair.drainLog()
        #expect(log.contains("central pairingEnded 1 \(outcome)"), "\(step.note): \(log)")
        return board.drainReceived()
    }

    private func encrypt(_ step: TraceStep, _ board: SecurityBoard) throws -> [String] {
        let fails = step.note.contains("FAILED")
        if fails {
            // The recorded central stored a key of a pairing without a bond.
            board.pair.central.setBonds([
                Bond(
                    peer: HostPair.peripheralAddress,
                    peerKey: LongTermKey(
                        value: Array(repeating: 7, count: 16), ediv: 1, rand: 2, isAuthenticated: false,
                        isSecureConnections: false))
            ])
        }
        _ = board.pair.drainLog()
        try board.pair.central.encrypt(on: 1, now: board.pair.now)
        board.drain()
        let ended = board.pair.drainLog().first { $0.hasPrefix("central encryptionChanged") } ?? ""
        #expect(ended.contains(fails ? "PIN or key missing" : "success"), "\(step.note): \(ended)")
        return board.drainReceived()
    }

    /// The recorded central's settings, by the beginning of the step's note; where its first PDU is recorded, it is the
    /// same.
    private static let centrals: [(String, SecurityConfiguration)] = [
        ("just works, no bonding", central(.noInputNoOutput, bonding: false, mitm: false)),
        ("just works with bonding flag", central(.noInputNoOutput, mitm: false)),
        ("legacy just works", central(.noInputNoOutput, mitm: false, secureConnections: false)),
        ("legacy passkey entry", central(.keyboardOnly, secureConnections: false)),
        ("passkey", central(.keyboardOnly)), ("upgrade: passkey", central(.keyboardOnly)),
        ("pair again", central(.keyboardOnly)), ("central asks SC+MITM+bond", central(.keyboardOnly)),
        ("central DisplayYesNo", central(.displayYesNo)), ("central KeyboardDisplay", central(.keyboardDisplay)),
        ("central KeyboardOnly but MITM not asked", central(.keyboardOnly, mitm: false)),
    ]

    private static func central(
        _ ioCapability: IOCapability, bonding: Bool = true, mitm: Bool = true, secureConnections: Bool = true
    ) -> SecurityConfiguration {
        SecurityConfiguration(
            ioCapability: ioCapability, bonding: bonding, mitm: mitm, secureConnections: secureConnections,
            conduct: .specification)
    }
}
