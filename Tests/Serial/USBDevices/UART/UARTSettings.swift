/// What a bridge's UART is set to.
package struct UARTSettings: Hashable, Sendable {
    /// The parity bit.
    package enum Parity: UInt8, Sendable {
        /// No parity bit.
        case none, odd, even, mark, space
    }

    /// Bits per second, as the chip's divider makes them: not always what the host asked for.
    package var rate: Double
    /// Data bits.
    package var dataBits: UInt8 = 8
    /// Parity.
    package var parity = Parity.none
    /// Stop bits in halves: 2, 3 or 4.
    package var stopHalves: UInt8 = 2

    /// 8N1 at `rate`.
    package init(rate: Double) {
        self.rate = rate
    }

    /// Whether these are the settings of an ESP32's UART but for the rate.
    package var is8N1: Bool { dataBits == 8 && parity == .none && stopHalves == 2 }
}
