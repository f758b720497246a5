import BLEPackets

/// Times of the link layer, in nanoseconds.
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

    /// From one packet of extended advertising to the next, at least (Core 5.4, Vol 6 Part B 4.1.2).
    static let auxiliaryFrameSpace = 300 * microsecond
    /// The payload of ADV_EXT_IND: which data, and where they are.
    static let extendedIndication = 7

    /// How long a packet of `payload` bytes is on air (Core 5.4, Vol 6 Part B 2.1, 2.2). Preamble, access address,
    /// header and CRC take ten bytes more by 1M, eleven by 2M; the coded PHY sends by 125 kb/s.
    static func packet(_ payload: Int, _ phy: HCIPHY = .le1M) -> Int64 {
        switch phy {
        case .le2M: Int64(payload + 11) * 4 * microsecond
        case .leCoded: (400 + Int64(payload + 5) * 64) * microsecond
        default: Int64(payload + 10) * 8 * microsecond
        }
    }

    /// The same by the coded PHY at 500 kb/s: preamble, access address and coding indicator are sent as ever.
    static func codedPacket500(_ payload: Int) -> Int64 {
        (382 + Int64(payload + 5) * 16) * microsecond
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
