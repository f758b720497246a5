/// The rate of a board's UART: the serial line carries whole bytes, and a bridge between it and a host must know whether
/// both ends use the same rate.
public struct UARTRate: Hashable, Sendable {
    /// The rate of ROM and bootloader, until the loader or the sketch changes it.
    static let boot = 115_200

    /// Bits per second.
    public var baudRate: Int
    /// Whether the loader runs: it answers a change of the rate at the former one, after it has the new one.
    public var isLoader: Bool
}

extension VirtualBoard {
    /// The rate at which its UART receives now.
    public var uartRate: UARTRate {
        if let rate = machine.loaderBaudRate { return UARTRate(baudRate: rate, isLoader: true) }
        return UARTRate(baudRate: application.map { Int(clamping: $0.baudRate) } ?? UARTRate.boot, isLoader: false)
    }
}
