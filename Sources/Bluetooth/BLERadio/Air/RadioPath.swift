import MonotonicTime

/// The radio path between two controllers; symmetric.
public struct RadioPath: Hashable, Sendable {
    /// The path loss, in dB. Signals below the receiver's sensitivity are not received.
    public var pathLoss: Int
    /// The share of packets that are lost, 0...1.
    public var lossRate: Double

    /// A path; by default devices some metres apart, without packet loss.
    public init(pathLoss: Int = 55, lossRate: Double = 0) {
        self.pathLoss = pathLoss
        self.lossRate = lossRate
    }
}

/// Two controllers, in either order.
struct ControllerPair: Hashable {
    let low: Int
    let high: Int

    init(_ one: ControllerID, _ other: ControllerID) {
        low = min(one.rawValue, other.rawValue)
        high = max(one.rawValue, other.rawValue)
    }
}

extension Air {
    func path(_ one: Controller, _ other: Controller) -> RadioPath {
        paths.isEmpty ? RadioPath() : paths[ControllerPair(one.id, other.id)] ?? RadioPath()
    }

    /// The RSSI of `sender` at `listener`, in dBm.
    func rssi(of sender: Controller, at listener: Controller) -> Int8 {
        rssi(sender.txPower, path(sender, listener))
    }

    func isInRange(_ sender: Controller, of listener: Controller) -> Bool {
        isReceived(sender.txPower, path(sender, listener), by: listener)
    }

    /// The RSSI of a packet sent with `power`, in dBm.
    func rssi(_ power: Int8, _ path: RadioPath) -> Int8 {
        Int8(max(-127, min(20, Int(power) - path.pathLoss)))
    }

    func isReceived(_ power: Int8, _ path: RadioPath, by listener: Controller) -> Bool {
        Int(power) - path.pathLoss >= listener.personality.sensitivity
    }

    /// Whether one packet over `path` is lost.
    func losesPacket(_ path: RadioPath) -> Bool {
        guard path.lossRate > 0 else { return false }
        return Double(lossRandom.next() >> 11) * 0x1p-53 < path.lossRate
    }
}
