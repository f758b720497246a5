/// What a bridge's UART is set to.
public struct UARTSettings: Hashable, Sendable {
    /// The parity bit.
    public enum Parity: UInt8, Sendable {
        /// No parity bit.
        case none, odd, even, mark, space
    }

    /// Bits per second, as the chip's divider makes them: not always what the host asked for.
    public var rate: Double
    /// Data bits.
    public var dataBits: UInt8 = 8
    /// Parity.
    public var parity = Parity.none
    /// Stop bits in halves: 2, 3 or 4.
    public var stopHalves: UInt8 = 2

    /// 8N1 at `rate`.
    public init(rate: Double) {
        self.rate = rate
    }

    /// Whether these are the settings of an ESP32's UART but for the rate.
    public var is8N1: Bool { dataBits == 8 && parity == .none && stopHalves == 2 }
}
