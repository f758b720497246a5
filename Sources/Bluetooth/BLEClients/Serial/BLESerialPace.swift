internal import MonotonicTime

/// How fast bytes are sent to a board that passes them on to a UART.
public struct BLESerialPace: Sendable, Hashable {
    /// Bits per second of the board's UART, with ten for each byte: 8N1.
    public var baudRate: Int
    /// The room that the board has for bytes which it has not passed on yet.
    public var window: Int

    /// The rates that there may be.
    public static let baudRates = 50...10_000_000
    /// The windows that there may be, in bytes. A tenth of a second has to fit for the full speed at common connection
    /// intervals.
    public static let windows = 1...1_000_000

    /// A pace; values out of range become the nearest.
    ///
    /// - Parameter window: in bytes; `nil`: what the UART passes on within 200 ms, at least 64.
    public init(baudRate: Int = 115_200, window: Int? = nil) {
        let rate = min(max(baudRate, Self.baudRates.lowerBound), Self.baudRates.upperBound)
        self.baudRate = rate
        self.window = min(max(window ?? max(64, rate / 50), Self.windows.lowerBound), Self.windows.upperBound)
    }

    /// How long the UART takes for `count` bytes.
    func time(for count: Int) -> Duration {
        .nanoseconds(count * ((10_000_000_000 + baudRate - 1) / baudRate))
    }

    /// The bytes that the UART needs this time for, rounded up.
    func bytes(in time: Duration) -> Int {
        let each = Int64((10_000_000_000 + baudRate - 1) / baudRate)
        return Int((max(0, time.wholeNanoseconds) + each - 1) / each)
    }
}
