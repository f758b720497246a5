import BLECore
import BLEPackets
import BLERadio
import MonotonicTime

/// The throughput of a link in virtual time: notifications of 244 bytes from a host that sends whenever its controller
/// has a free buffer, compared with the limit of PDUs, acknowledgements and inter frame spaces.
struct Throughput {
    /// The connection interval, in 1.25 ms.
    var interval: UInt16
    /// The longest PDU, in bytes.
    var octets: UInt16
    var phy: HCIPHY

    static let kinds = [6, 12, 24, 80].flatMap { (interval: UInt16) in
        [(27, .le1M), (251, .le1M), (251, .le2M)].map { Throughput(interval: interval, octets: $0, phy: $1) }
    }

    /// The notification with the headers of ATT and L2CAP.
    private static let frame = [UInt8](repeating: 0x5A, count: 251)
    private static let payload = 244
    private static let events = 400

    var name: String {
        "throughput \(Double(interval) * 1.25) ms, \(octets)-byte PDUs, \(phy == .le2M ? "2M" : "1M")"
    }

    /// kbit/s of payload, measured.
    func measured() -> Double {
        let link = ThroughputLink(self)
        return kilobitsPerSecond(link.count(in: .microseconds(1250 * Int(interval) * Self.events), Self.frame))
    }

    /// kbit/s of payload that the timing allows: an exchange is a PDU, an empty PDU, and 150 µs after each of them.
    func allowed() -> Double {
        var (packets, sent) = (0, 0)
        for _ in 0..<Self.events {
            var left = Int(interval) * 1250
            while true {
                let length = min(Int(octets), Self.frame.count - sent)
                let exchange = 300 + (phy == .le2M ? (length + 22) * 4 : (length + 20) * 8)
                guard exchange <= left else { break }
                left -= exchange
                sent += length
                if sent == Self.frame.count { (packets, sent) = (packets + 1, 0) }
            }
        }
        return kilobitsPerSecond(packets)
    }

    private func kilobitsPerSecond(_ packets: Int) -> Double {
        Double(packets * Self.payload * 8) / (Double(Self.events) * Double(interval) * 1.25)
    }
}

/// A central and a peripheral that are connected.
private final class ThroughputLink {
    private let air = Air(seed: 1)
    private let central: ControllerID
    private let peripheral: ControllerID
    private var now = MonotonicInstant.zero
    private var output: [(ControllerID, HCIPacket)] = []

    init(_ kind: Throughput) {
        let addresses = [1, 2].map { DeviceAddress($0, .public) }
        central = air.addController(address: addresses[0], personality: .bluetooth5_0)
        peripheral = air.addController(address: addresses[1], personality: .bluetooth5_0)
        for id in [central, peripheral] {
            send(HCISetEventMask(mask: .max).packet, from: id)
            send(
                HCILEWriteSuggestedDefaultDataLength(txOctets: kind.octets, txTime: (kind.octets + 14) * 8).packet,
                from: id)
        }
        let none = DeviceAddress(0, .public)
        send(
            HCILESetAdvertisingParameters(
                minimumInterval: 0x20, maximumInterval: 0x20, type: .connectable, ownAddressType: .public,
                peerAddress: none, channelMap: 7, filterPolicy: 0
            ).packet, from: peripheral)
        send(HCILESetAdvertisingEnable(isEnabled: true).packet, from: peripheral)
        send(
            HCILECreateConnection(
                scanInterval: 0x60, scanWindow: 0x60, usesFilterAcceptList: false, peerAddress: addresses[1],
                ownAddressType: .public,
                parameters: HCIConnectionParameters(
                    minimumInterval: kind.interval, maximumInterval: kind.interval, latency: 0,
                    supervisionTimeout: 400)
            ).packet, from: central)
        run(for: .seconds(1))
        let phys: HCIPHYs = kind.phy == .le2M ? .le2M : .le1M
        send(HCILESetPHY(handle: 0, allPHYs: 0, txPHYs: phys, rxPHYs: phys, options: 0).packet, from: central)
        run(for: .seconds(2))
    }

    /// The number of packets that the central's host receives within `duration` of the first.
    func count(in duration: Duration, _ frame: [UInt8]) -> Int {
        for _ in 0..<12 { send(frame) }
        guard let start = air.nextDeadline else { return 0 }
        let end = start.advanced(by: duration)
        var count = 0
        while let deadline = air.nextDeadline, deadline < end {
            now = deadline
            air.advance(to: now)
            air.drainOutput(&output)
            let packets = output
            output.removeAll(keepingCapacity: true)
            for (id, packet) in packets {
                if packet.kind == .acl {
                    count += 1
                } else if id == peripheral, let any = try? HCIAnyEvent(decoding: packet.bytes[...]),
                    let completed = try? HCINumberOfCompletedPackets(any)
                {
                    for _ in 0..<(completed.connections.first?.count ?? 0) { send(frame) }
                }
            }
        }
        return count
    }

    /// One ACL packet for connection 0.
    private func send(_ frame: [UInt8]) {
        let length = UInt16(truncatingIfNeeded: frame.count)
        let header = [0, 0, UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8)]
        send(HCIPacket(.acl, header + frame), from: peripheral)
    }

    private func send(_ packet: HCIPacket, from id: ControllerID) {
        air.receive(packet, from: id, now: now)
    }

    private func run(for duration: Duration) {
        now = now.advanced(by: duration)
        air.advance(to: now)
        air.drainOutput(&output)
        output.removeAll(keepingCapacity: true)
    }
}
