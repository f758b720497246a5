/// Times of the link layer on the 1M PHY, in nanoseconds.
enum AirTime {
    static let microsecond: Int64 = 1000
    static let millisecond: Int64 = 1_000_000
    /// Between two packets of an exchange (Core 5.4, Vol 6 Part B 4.1.1).
    static let interFrameSpace = 150 * microsecond
    /// From CONNECT_IND to the first anchor (Core 5.4, Vol 6 Part B 4.5.3).
    static let transmitWindowDelay = 1250 * microsecond
    /// The most that an advertising event comes late, on purpose (Core 5.4, Vol 6 Part B 4.4.2.2.1).
    static let advertisingDelay = 10 * millisecond
    /// How long directed advertising of high duty lasts (Core 5.4, Vol 6 Part B 4.4.2.4.3).
    static let highDutyDuration = 1280 * millisecond
    /// From event to event of directed advertising of high duty.
    static let highDutyInterval = 3750 * microsecond

    /// How long a packet of `payload` bytes is on air: preamble, access address, header and CRC take ten bytes more.
    static func packet(_ payload: Int) -> Int64 {
        Int64(payload + 10) * 8 * microsecond
    }

    /// Advertising and scanning intervals count 0.625 ms.
    static func slots(_ count: UInt16) -> Int64 {
        Int64(count) * 625 * microsecond
    }

    /// Connection intervals count 1.25 ms.
    static func connectionInterval(_ count: UInt16) -> Int64 {
        Int64(count) * 1250 * microsecond
    }

    /// Supervision time-outs count 10 ms.
    static func supervisionTimeout(_ count: UInt16) -> Int64 {
        Int64(count) * 10 * millisecond
    }
}
