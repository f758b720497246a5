internal import BLEPackets

/// A test of a transmitter or a receiver (Core 5.4, Vol 6 Part F). The number of received packets is computed when
/// either test ends; the packets are not scheduled.
struct DirectTest {
    enum Kind {
        /// Packets counted so far.
        case receiver(packets: Int)
        /// The air time of each packet, in nanoseconds.
        case transmitter(packet: Int64)
    }

    /// 2480 MHz.
    static let lastChannel: UInt8 = 0x27

    var kind: Kind
    var channel: UInt8
    var phy: HCIPHY
    var start: Int64

    /// The packet interval: the first multiple of 625 µs that leaves 249 µs between packets (Core 5.4, Vol 6 Part F
    /// 4.1.6).
    static func interval(_ packet: Int64) -> Int64 {
        let slot = 625 * AirTime.microsecond
        return (packet + 249 * AirTime.microsecond + slot - 1) / slot * slot
    }

    /// The number of packets of `packet` nanoseconds, sent from `start` on, between `begin` and `end`.
    static func packets(_ packet: Int64, from start: Int64, between begin: Int64, and end: Int64) -> Int {
        let interval = interval(packet)
        let first = max(0, (begin - start + interval - 1) / interval)
        let last = end - packet - start < 0 ? -1 : (end - packet - start) / interval
        return Int(max(0, last - first + 1))
    }
}

extension Air {
    /// Starts a test, unless the controller is busy.
    func startTest(_ test: DirectTest, _ controller: Controller) -> HCIErrorCode {
        guard controller.host.directTest == nil, !controller.isUsingAddresses, !controller.hasConnections else {
            return .commandDisallowed
        }
        controller.host.directTest = test
        return .success
    }

    /// Ends a test. Returns the number of received packets; `nil` without a test.
    func endTest(_ controller: Controller) -> Int? {
        guard let test = controller.host.directTest else { return nil }
        for case let other? in controllers where other !== controller {
            switch test.kind {
            case .receiver: count(from: other, at: controller)
            case .transmitter: count(from: controller, at: other)
            }
        }
        guard case .receiver(let packets)? = controller.host.directTest.take()?.kind else { return 0 }
        return packets
    }

    /// Adds the number of packets received from a transmitter, if both use the same channel; on a lossy path, the
    /// average number.
    private func count(from sender: Controller, at listener: Controller) {
        guard let transmission = sender.host.directTest, case .transmitter(let packet) = transmission.kind,
            let reception = listener.host.directTest, case .receiver(let packets) = reception.kind,
            transmission.channel == reception.channel, transmission.phy == reception.phy,
            isInRange(sender, of: listener)
        else { return }
        let sent = DirectTest.packets(packet, from: transmission.start, between: reception.start, and: now)
        let share = 1 - max(0, min(1, path(sender, listener).lossRate))
        listener.host.directTest?.kind = .receiver(packets: packets + Int((Double(sent) * share).rounded()))
    }
}
