import BLEClients
import MonotonicTime
import Testing

/// What is sent next, whatever a board says of what it has.
@Suite struct BLESerialSenderTests {
    private static func status(sent: UInt32, capacity: UInt32) -> BLESerialStatus? {
        BLESerialStatus([sent, capacity, 0, 0, 115_200].flatMap(bytes))
    }

    private static func position(boot: UInt32 = 1, accepted: UInt32) -> BLESerialPosition? {
        BLESerialPosition([boot, accepted, 0].flatMap(bytes))
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func sender(capacity: UInt32 = 100, accepted: UInt32? = nil) -> BLESerialSender {
        var sender = BLESerialSender(BLESerialPace())
        _ = sender.begin(
            mtu: 23, BLESerialSender.Writes(commands: true, requests: true), status(sent: 0, capacity: capacity),
            accepted.flatMap { position(accepted: $0) })
        return sender
    }

    /// A chunk that was confirmed before its write failed is written once.
    @Test func aConfirmedChunkIsNotTakenBack() throws {
        for accepted in [nil, 0] as [UInt32?] {
            var sender = Self.sender(accepted: accepted)
            sender.append(Array(0..<40))
            guard case .command(let first) = sender.next(.zero) else {
                Issue.record("no chunk")
                return
            }
            #expect(first == Array(0..<20))
            #expect(sender.confirm(try #require(Self.status(sent: 20, capacity: 100))) == 20)
            sender.takeBack(first)
            #expect(sender.unconfirmed == 0 && sender.queued == 20)
            #expect(sender.end() == 0)
            let begun = sender.begin(
                mtu: 23, BLESerialSender.Writes(commands: true, requests: true), Self.status(sent: 0, capacity: 100),
                accepted.flatMap { _ in Self.position(accepted: 20) })
            #expect(begun.lost == 0 && begun.arrived == 0)
            #expect(sender.next(.zero) == .command(Array(20..<40)))
        }
    }

    /// One that was not is written again on the same connection.
    @Test func anUnconfirmedChunkIsTakenBack() {
        var sender = Self.sender()
        sender.append(Array(0..<30))
        _ = sender.next(.zero)
        sender.takeBack(Array(0..<20))
        #expect(sender.next(.zero) == .command(Array(0..<20)))
        #expect(sender.next(.zero) == .command(Array(20..<30)))
    }

    /// Whatever order the answers of a board have, the counts stay in their ranges.
    @Test(arguments: 0..<200 as Range<UInt64>) func anythingGoes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var sender = Self.sender(capacity: 50, accepted: seed % 2 == 0 ? 0xFFFF_FFF0 : nil)
        for _ in 0..<300 {
            switch random.next() % 6 {
            case 0: sender.append([UInt8](repeating: 7, count: Int(random.next() % 60)))
            case 1, 2:
                if case .command(let bytes) = sender.next(.zero), random.next() % 4 == 0 {
                    if random.next() % 2 == 0, let status = Self.status(sent: UInt32(random.next() % 90), capacity: 50)
                    {
                        _ = sender.confirm(status)
                    }
                    sender.takeBack(bytes)
                }
            case 3:
                if let status = Self.status(sent: UInt32(truncatingIfNeeded: random.next() % 200), capacity: 50) {
                    _ = sender.confirm(status)
                }
            case 4: _ = sender.end()
            default:
                let accepted = UInt32(truncatingIfNeeded: random.next() % 100) &+ 0xFFFF_FFF0
                _ = sender.begin(
                    mtu: 23, BLESerialSender.Writes(commands: true, requests: true),
                    Self.status(sent: UInt32(truncatingIfNeeded: 0 &- random.next() % 60), capacity: 50),
                    random.next() % 3 == 0 ? nil : Self.position(accepted: accepted))
            }
            #expect(sender.queued >= 0 && sender.unconfirmed >= 0)
        }
    }
}
