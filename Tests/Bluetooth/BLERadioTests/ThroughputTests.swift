import BLECore
import BLEPackets
import BLERadio
import MonotonicTime
import Testing

/// The throughput of a link, compared with the limit of its timing.
@Suite struct ThroughputTests {
    /// A link: its interval in 1.25 ms, the longest PDU in bytes, and the PHY.
    struct Kind: Sendable, CustomTestStringConvertible {
        var interval: UInt16
        var octets: Int
        var phy: HCIPHY

        var testDescription: String { "\(Double(interval) * 1.25) ms, \(octets) bytes, \(phy == .le2M ? "2M" : "1M")" }

        static let all = [6, 12, 24, 80].flatMap { (interval: UInt16) in
            [27, 251].flatMap { octets in
                [HCIPHY.le1M, .le2M].map { Kind(interval: interval, octets: octets, phy: $0) }
            }
        }

        /// A PDU of `payload` bytes, an empty one the other way, and the spaces behind both, in µs
        /// (Core 5.4, Vol 6 Part B 2.1, 4.1.1): preamble, access address, header and CRC are 10 bytes by 1M, 11 by 2M.
        func exchange(_ payload: Int) -> Int {
            phy == .le2M ? (payload + 11 + 11) * 4 + 300 : (payload + 10 + 10) * 8 + 300
        }

        /// How many packets of `size` bytes the timing allows in `events` connection events.
        func allowed(_ size: Int, events: Int) -> Int {
            var (packets, sent) = (0, 0)
            for _ in 0..<events {
                var left = Int(interval) * 1250
                while true {
                    let pdu = min(octets, size - sent)
                    guard exchange(pdu) <= left else { break }
                    left -= exchange(pdu)
                    sent += pdu
                    if sent == size { (packets, sent) = (packets + 1, 0) }
                }
            }
            return packets
        }
    }

    /// A notification of 244 bytes.
    static let size = 251

    private let bench = AirBench()

    /// Connects a central and a peripheral as `kind` says.
    private func connect(_ kind: Kind) throws -> (central: ControllerID, board: ControllerID) {
        let central = bench.addModern(.bluetooth5_0)
        return (central, try connect(kind, to: central))
    }

    /// Adds a peripheral, and connects a central to it; `number` is the controller's and one more than the link's.
    private func connect(_ kind: Kind, to central: ControllerID, number: Int = 1) throws -> ControllerID {
        let board = bench.addModern(.bluetooth5_0)
        try bench.advertise(board)
        bench.send(AirBench.connection(to: AirBench.address(number), interval: kind.interval), from: central)
        bench.run(for: .milliseconds(200))
        let handle = UInt16(number - 1)
        for (id, handle) in [(central, handle), (board, 0)] where kind.octets > 27 {
            bench.send(
                HCILESetDataLength(handle: handle, txOctets: UInt16(kind.octets), txTime: 2120), from: id)
        }
        bench.run(for: .seconds(1))
        let phys = HCIPHYs(rawValue: 1 << (kind.phy.rawValue - 1))
        bench.send(HCILESetPHY(handle: handle, allPHYs: 0, txPHYs: phys, rxPHYs: phys, options: 0), from: central)
        bench.run(for: .seconds(2))
        (_, _) = (bench.take(central), bench.take(board))
        return board
    }

    /// Lets `senders` send as much as they have buffers during `events` connection events; returns the number of
    /// received packets.
    private func send(_ senders: [ControllerID], to receivers: [ControllerID], _ kind: Kind, events: Int) throws -> Int
    {
        let packet = [UInt8](repeating: 0x5A, count: Self.size)
        for sender in senders {
            for _ in 0..<12 { bench.sendACL(packet, from: sender) }
        }
        let start = try #require(bench.air.nextDeadline)
        let end = start.advanced(by: .microseconds(1250 * Int(kind.interval) * events))
        var received = 0
        while let deadline = bench.air.nextDeadline, deadline < end {
            bench.run(for: bench.now.duration(to: deadline))
            for id in Set(senders + receivers).sorted(by: { $0.rawValue < $1.rawValue }) {
                for packet in bench.take(id) {
                    if packet.kind == .acl {
                        received += 1
                        #expect(packet.bytes.count == 4 + Self.size)
                    } else {
                        let event = try HCINumberOfCompletedPackets(HCIAnyEvent(decoding: packet.bytes[...]))
                        for _ in 0..<event.connections[0].count {
                            bench.sendACL([UInt8](repeating: 1, count: Self.size), from: id)
                        }
                    }
                }
            }
        }
        return received
    }

    @Test(arguments: Kind.all) func theThroughputReachesTheLimitOfTheTiming(kind: Kind) throws {
        let (central, board) = try connect(kind)
        let allowed = kind.allowed(Self.size, events: 100)
        let received = try send([board], to: [central], kind, events: 100)
        #expect(received <= allowed)
        #expect(received * 10 >= allowed * 9)
    }

    /// Four peripherals share the time of their central's radio: together they send at most what one alone could, and none
    /// waits for ever, wherever their events begin.
    @Test(arguments: Kind.all) func linksOfOneRadioShareItsTime(kind: Kind) throws {
        let central = bench.addModern(.bluetooth5_0)
        let boards = try (1...4).map { try connect(kind, to: central, number: $0) }
        let packet = [UInt8](repeating: 1, count: Self.size)
        for board in boards { for _ in 0..<12 { bench.sendACL(packet, from: board) } }
        var received: [UInt16: Int] = [:]
        let end = bench.now.advanced(by: .microseconds(1250 * Int(kind.interval) * 400))
        while let deadline = bench.air.nextDeadline, deadline < end {
            bench.run(for: bench.now.duration(to: deadline))
            for board in boards {
                for event in try bench.take(HCINumberOfCompletedPackets.self, board) {
                    for _ in 0..<event.connections[0].count { bench.sendACL(packet, from: board) }
                }
            }
            for packet in try bench.drainACL(central) { received[packet.header.handle, default: 0] += 1 }
        }
        let allowed = kind.allowed(Self.size, events: 400)
        let shares = received.values.sorted()
        #expect(shares.count == 4)
        #expect(shares.reduce(0, +) <= allowed)
        #expect(shares.reduce(0, +) * 2 >= allowed)
        // At least one PDU in four events, where the events of two links begin at nearly the same time.
        let pdus = (Self.size + kind.octets - 1) / kind.octets
        #expect((shares.first ?? 0) * pdus >= 100)
    }

    /// Both ways at once, 30 ms hold six exchanges of 4,476 µs with a packet each way, and one with an empty answer.
    @Test func bothDirectionsShareAnEvent() throws {
        let kind = Kind(interval: 24, octets: 251, phy: .le1M)
        let (central, board) = try connect(kind)
        let received = try send([central, board], to: [central, board], kind, events: 100)
        #expect(received <= 1300)
        #expect(received >= 1290)
    }

    /// A packet without a free buffer at the start of the event is sent in the same event.
    @Test func creditsAreReturnedWithinTheEvent() throws {
        let kind = Kind(interval: 80, octets: 251, phy: .le2M)
        let (central, board) = try connect(kind)
        #expect(try send([board], to: [central], kind, events: 1) == 71)
    }

    /// An end without more data when a packet is sent waits for the next event.
    @Test func anEventEndsWhenNeitherSideHasData() throws {
        let kind = Kind(interval: 24, octets: 251, phy: .le1M)
        let (central, board) = try connect(kind)
        bench.sendACL([1], from: board)
        let first = try #require(bench.air.nextDeadline)
        bench.run(for: bench.now.duration(to: first))
        bench.sendACL([2], from: board)
        #expect(bench.air.nextDeadline == first.advanced(by: .milliseconds(30)))
        bench.run(for: .milliseconds(30))
        #expect(try bench.drainACL(central).map(\.payload) == [[1], [2]])
    }
}
