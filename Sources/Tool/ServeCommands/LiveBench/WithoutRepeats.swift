internal import BLECore
import BenchModel
import MonotonicTime
import Synchronization

/// Passes events on, without advertisements that repeat one of the last minute: each device on an idle air sends some
/// thirty in a second.
final class WithoutRepeats: RunObserver {
    /// The time after which the same advertisement is passed on again.
    static let interval = Duration.seconds(60)
    /// The number of known advertisements at which the old ones are forgotten.
    private static let capacity = 4096

    private let observer: any RunObserver
    private let known = Mutex<[[UInt8]: MonotonicInstant]>([:])

    init(_ observer: any RunObserver) { self.observer = observer }

    var wantsEvents: Bool { observer.wantsEvents }
    var wantsInstances: Bool { observer.wantsInstances }

    func receive(_ item: RunItem) {
        if case .event(let event) = item, let key = Self.key(event.payload), isRepeat(key, at: event.time) { return }
        observer.receive(item)
    }

    private func isRepeat(_ key: [UInt8], at time: MonotonicInstant) -> Bool {
        known.withLock { known in
            if let last = known[key], last.duration(to: time) < Self.interval { return true }
            if known.count >= Self.capacity {
                known = known.filter { $0.value.duration(to: time) < Self.interval }
                // An air with so many devices is not an idle one.
                if known.count >= Self.capacity { known = [:] }
            }
            known[key] = time
            return false
        }
    }

    /// The advertisement without its strength; `nil` for other events.
    private static func key(_ payload: any EventPayload) -> [UInt8]? {
        switch payload {
        case let advertisement as AdvertisementReceived:
            let services = advertisement.services.map(\.description)
            return Array(([advertisement.address, advertisement.name ?? ""] + services).joined(separator: "\n").utf8)
        case let packet as HCIPacketObserved: return key(packet.packet)
        default: return nil
        }
    }

    /// A packet with one report: LE Advertising Report, whose last byte is the RSSI, or LE Extended Advertising Report,
    /// whose 14th is (Core 5.4, Vol 4 Part E 7.7.65.2 and 7.7.65.13).
    private static func key(_ packet: [UInt8]) -> [UInt8]? {
        guard packet.count > 5, packet[0] == 0x04, packet[1] == 0x3E, packet[4] == 1 else { return nil }
        switch packet[3] {
        case 0x02: return Array(packet.dropLast())
        case 0x0D where packet.count > 18: return Array(packet[..<18] + packet[19...])
        default: return nil
        }
    }
}
