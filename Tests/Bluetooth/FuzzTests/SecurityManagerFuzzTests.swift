import BLECore
import BLEHost
import BLEPackets
import ByteCodec
import MonotonicTime
import Testing

/// Two Security Managers pair; at any point one of them receives an invalid input.
@Suite struct SecurityManagerFuzzTests {
    private static let pairings = 6_000
    private static let inputsPerPairing = 25

    @Test(arguments: Fuzz.seeds) func randomPDUsNeverTrapInAnyState(seed: UInt64) throws {
        let recorded = try Recordings.securityPDUs()
        var fuzz = Fuzz(seed: seed, "pairing")
        var ends: [SecurityStatus: Int] = [:]
        for number in 0..<Self.pairings {
            var pairing = FuzzedPairing(&fuzz, recorded)
            // Every number of steps of a passkey pairing, the longest one, occurs.
            pairing.run(fuzz.below(8) == 0 ? fuzz.below(140) : fuzz.below(24), &fuzz)
            for _ in 0..<Self.inputsPerPairing {
                pairing.disturb(&fuzz)
                if let fault = pairing.fault {
                    Issue.record("pairing \(number), \(fault): \(fuzz.place(pairing.lastInput))")
                    return
                }
                if fuzz.once(in: 3) { pairing.run(fuzz.below(4), &fuzz) }
            }
            pairing.finish()
            if let fault = pairing.fault {
                Issue.record("pairing \(number), \(fault): \(fuzz.place(pairing.lastInput))")
                return
            }
            for end in pairing.ends { ends[end, default: 0] += 1 }
        }
        // Coverage: some pairings succeeded, the others failed in many ways.
        #expect(ends[.success, default: 0] > 100)
        #expect(ends[.timedOut, default: 0] > 100)
        #expect(ends.count > 12)
    }

    /// Every PDU of whole pairings, truncated to every length, in the state that expects it.
    @Test(arguments: [true, false], [HostBehaviour.nimble, .specification])
    func everyTruncatedPDUInEveryState(isSecureConnections: Bool, conduct: HostBehaviour) {
        var fuzz = Fuzz(seed: 1, "cuts")
        for step in 0..<120 {
            for length in [0, 1, 2, 5, 6, 7, 10, 16, 17, 33, 64] {
                var pairing = FuzzedPairing(&fuzz, [], isSecureConnections: isSecureConnections, conduct: conduct)
                pairing.run(step, &fuzz)
                guard pairing.cutNext(to: length) else { continue }
                pairing.finish()
                #expect(pairing.fault == nil, "step \(step), cut to \(length)")
            }
        }
    }
}

/// One pairing over a channel that the test controls.
struct FuzzedPairing {
    private static let capabilities: [IOCapability] = [
        .displayOnly, .displayYesNo, .keyboardOnly, .noInputNoOutput, .keyboardDisplay,
    ]
    private static let central = DeviceAddress(0xC011_2233_4455, .random)
    private static let peripheral = DeviceAddress(0x240A_C400_0110, .public)

    private let sides: [SecurityManager]
    private let contexts: [SecurityContext]
    private var random: SeededRandom
    private var now = MonotonicInstant.zero
    /// PDUs in transit, with their receiver.
    private var channel: [(to: Int, pdu: [UInt8])] = []
    /// Random numbers that a controller supplies late.
    private var heldRandom: [Int?] = [nil, nil]
    private var pendingKey: LongTermKey?
    private let recorded: [[UInt8]]
    private var hasEncrypted = false
    private(set) var lastInput: [UInt8] = []
    /// How procedures ended, on both sides.
    private(set) var ends: [SecurityStatus] = []
    /// Violations of a side.
    private(set) var fault: String?

    init(
        _ fuzz: inout Fuzz, _ recorded: [[UInt8]], isSecureConnections: Bool? = nil,
        conduct: HostBehaviour? = nil
    ) {
        self.recorded = recorded
        random = SeededRandom(seed: fuzz.random.next())
        let keys: [SMPKeyDistribution] = [[], [.encryptionKey, .identityKey], [.identityKey, .signingKey]]
        func configuration() -> SecurityConfiguration {
            SecurityConfiguration(
                ioCapability: conduct == nil ? fuzz.any(of: Self.capabilities) : .keyboardOnly,
                hasOutOfBandData: conduct == nil && fuzz.once(in: 8), bonding: !fuzz.once(in: 4),
                mitm: conduct != nil || !fuzz.once(in: 3),
                secureConnections: isSecureConnections ?? !fuzz.once(in: 3), localKeys: fuzz.any(of: keys),
                remoteKeys: fuzz.any(of: keys), conduct: conduct ?? fuzz.any(of: [.nimble, .specification]))
        }
        let addresses = [Self.central, Self.peripheral]
        var contexts: [SecurityContext] = []
        for address in addresses {
            contexts.append(
                SecurityContext(identity: .init(address: address, irk: random.bytes(16)), maximumProcedures: 1))
        }
        self.contexts = contexts
        sides = (0..<2).map { side in
            SecurityManager(
                isCentral: side == 0, local: addresses[side], peer: addresses[1 - side],
                configuration: configuration(), context: contexts[side])
        }
        if fuzz.once(in: 6), conduct == nil { _ = sides[1].requestSecurity(now: now) }
        _ = sides[0].pair(now: now)
        drain()
    }

    private mutating func supply(_ side: Int) {
        guard let count = heldRandom[side] else { return }
        heldRandom[side] = nil
        sides[side].supply(random: random.bytes(count), now: now)
    }

    /// The controllers have answered.
    private mutating func supplyAll() {
        while heldRandom.contains(where: { $0 != nil }) {
            for side in 0..<2 { supply(side) }
            drain()
        }
    }

    /// Delivers `count` PDUs unchanged.
    mutating func run(_ count: Int, _ fuzz: inout Fuzz) {
        for _ in 0..<count {
            supplyAll()
            guard !channel.isEmpty else { return }
            let (side, pdu) = channel.removeFirst()
            lastInput = pdu
            sides[side].receive(pdu[...], now: now)
            drain()
        }
    }

    /// Delivers the next PDU truncated; false when there is none of that length.
    mutating func cutNext(to length: Int) -> Bool {
        guard let (side, pdu) = channel.first, length < pdu.count else { return false }
        channel.removeFirst()
        lastInput = Array(pdu.prefix(length))
        sides[side].receive(lastInput[...], now: now)
        drain()
        return true
    }

    /// An invalid action.
    mutating func disturb(_ fuzz: inout Fuzz) {
        let side = fuzz.below(2)
        switch fuzz.below(24) {
        case 0:
            let status = fuzz.any(of: [HCIErrorCode.success, .pinOrKeyMissing, HCIErrorCode(rawValue: fuzz.byte())])
            let isEncrypted = fuzz.once(in: 2)
            hasEncrypted = hasEncrypted || status == .success && isEncrypted
            sides[side].encryptionChanged(status, isEncrypted: isEncrypted, now: now)
        case 1:
            let key = LongTermKey(value: random.bytes(16), isAuthenticated: true, isSecureConnections: true)
            sides[side].longTermKeyRequested(
                ediv: UInt16(fuzz.below(2)), rand: UInt64(fuzz.below(2)), bonded: fuzz.once(in: 2) ? key : nil,
                now: now)
        case 2:
            _ = sides[side].answer(answer(&fuzz), now: now)
        case 3:
            // Not the requested answer, or without a request.
            sides[side].supply(random: random.bytes(fuzz.any(of: [0, 3, 17])), now: now)
        case 4 where fuzz.once(in: 8):
            now = now.advanced(by: .seconds(fuzz.below(40)))
            advance()
        case 5:
            _ = fuzz.once(in: 2) ? sides[side].requestSecurity(now: now) : sides[side].pair(now: now)
        default:
            // Similar to a PDU in transit to this side, or to any earlier PDU.
            let awaited = channel.filter { $0.to == side }.map(\.pdu)
            lastInput = fuzz.input(near: awaited.isEmpty || fuzz.once(in: 2) ? recorded : awaited, longest: 80)
            if fuzz.once(in: 6), !lastInput.isEmpty { lastInput[0] = UInt8(fuzz.below(16)) }
            sides[side].receive(lastInput[...], now: now)
        }
        drain()
    }

    private func answer(_ fuzz: inout Fuzz) -> PairingAnswer {
        let value = OutOfBandValue(
            confirm: fuzz.random.bytes(fuzz.below(18)), random: fuzz.random.bytes(fuzz.below(18)))
        return switch fuzz.below(6) {
        case 0: .cancel
        case 1: .confirm(fuzz.once(in: 2))
        case 2: .passkey(UInt32(truncatingIfNeeded: fuzz.random.next()))
        case 3: .temporaryKey(value.random)
        case 4: .outOfBand(local: nil, remote: value)
        default: .outOfBand(local: value, remote: nil)
        }
    }

    /// Whatever the input: after the time-out no procedure runs, and the next pairing can begin.
    mutating func finish() {
        supplyAll()
        channel = []
        for _ in 0..<3 {
            now = now.advanced(by: .seconds(31))
            advance()
            drain()
            supplyAll()
            channel = []
        }
        for (number, side) in sides.enumerated() {
            if side.nextDeadline != nil || side.isBusy { fault = "side \(number) never ends" }
            side.disconnected()
            let next = SecurityManager(
                isCentral: false, local: Self.peripheral, peer: DeviceAddress(7, .public),
                configuration: SecurityConfiguration(), context: contexts[number])
            next.receive([0x01, 3, 0, 0, 16, 0, 0], now: now)
            var answered = false
            while let action = next.nextAction() {
                if case .send(let pdu) = action, pdu[0] == 2 { answered = true }
            }
            if !answered { fault = "side \(number) keeps its place" }
        }
    }

    /// A time-out drops the request for random numbers; they are supplied all the same.
    private mutating func advance() {
        for side in 0..<2 {
            let isDue = sides[side].nextDeadline.map { $0 <= now } ?? false
            sides[side].advance(to: now)
            if isDue, let count = heldRandom[side] {
                heldRandom[side] = nil
                sides[side].supply(random: random.bytes(count), now: now)
            }
        }
    }

    /// Performs the actions of both sides, and checks them.
    private mutating func drain() {
        var count = 0
        var hasWorked = true
        while hasWorked {
            hasWorked = false
            for side in 0..<2 {
                while let action = sides[side].nextAction() {
                    hasWorked = true
                    count += 1
                    perform(action, of: side)
                }
                watch(sides[side])
            }
            if count > 40 {
                fault = "\(count) actions for one input"
                return
            }
        }
        // A peer without requests sends few PDUs.
        if channel.count > 400 { fault = "\(channel.count) PDUs on their way" }
    }

    private mutating func watch(_ side: SecurityManager) {
        if side.nextDeadline != nil, !side.isBusy { fault = "a deadline without a procedure" }
        if side.security.isEncrypted, !hasEncrypted { fault = "encrypted without encryption" }
        if side.security.isBonded, !hasEncrypted { fault = "bonded without encryption" }
    }

    private mutating func perform(_ action: SecurityAction, of side: Int) {
        switch action {
        case .send(let pdu):
            if !Self.isWhole(pdu) { fault = "sent \(Hexadecimal.string(pdu))" }
            channel.append((1 - side, pdu))
        case .needsRandom(let count):
            if count > 64 { fault = "asked for \(count) random bytes" }
            if heldRandom[side] != nil { fault = "asked for random bytes twice" }
            heldRandom[side] = count
            if random.next() % 4 != 0 { supply(side) }
        case .startEncryption(let key):
            pendingKey = key
            sides[1 - side].longTermKeyRequested(ediv: key.ediv, rand: key.rand, bonded: nil, now: now)
        case .replyLongTermKey(let key):
            if key.count != 16 { fault = "a key of \(key.count) bytes" }
            guard key == pendingKey?.value else { return }
            hasEncrypted = true
            for side in sides { side.encryptionChanged(.success, isEncrypted: true, now: now) }
        case .refuseLongTermKey:
            sides[0].encryptionChanged(.pinOrKeyMissing, isEncrypted: false, now: now)
        case .needsInput(let input):
            let answer: PairingAnswer =
                switch input {
                case .compareNumbers: .confirm(true)
                case .outOfBand: .outOfBand(local: nil, remote: nil)
                case .displayPasskey, .enterPasskey: .passkey(1234)
                }
            _ = sides[side].answer(answer, now: now)
        case .bonded(let bond):
            if !hasEncrypted { fault = "a bond on a link that was never encrypted" }
            for key in [bond.peerKey, bond.localKey] {
                guard let key else { continue }
                if key.value.count != 16 || !(7...16).contains(key.size) { fault = "bonded with \(key)" }
            }
        case .ended(_, let status): ends.append(status)
        case .forgetBond, .securityRequested: break
        }
    }

    private static func isWhole(_ pdu: [UInt8]) -> Bool {
        guard let type = SMPOpcode.pdus.first(where: { $0.opcode.rawValue == pdu.first }) else { return false }
        return (try? type.init(decoding: pdu[...])) != nil
    }
}
