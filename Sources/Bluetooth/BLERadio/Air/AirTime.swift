internal import BLEPackets

/// Times of the link layer, in nanoseconds.
enum AirTime {
    static let microsecond: Int64 = 1000
    static let millisecond: Int64 = 1_000_000
    /// Between two packets of an exchange (Core 5.4, Vol 6 Part B 4.1.1).
    static let interFrameSpace = 150 * microsecond
    /// From CONNECT_IND to the first anchor (Core 5.4, Vol 6 Part B 4.5.3).
    static let transmitWindowDelay = 1250 * microsecond
    /// The maximum of advDelay (Core 5.4, Vol 6 Part B 4.4.2.2.1).
    static let advertisingDelay = 10 * millisecond
    /// The maximum duration of high duty cycle directed advertising (Core 5.4, Vol 6 Part B 4.4.2.4.3).
    static let highDutyDuration = 1280 * millisecond
    /// The interval of high duty cycle directed advertising.
    static let highDutyInterval = 3750 * microsecond

    /// The minimum offset from an extended advertising packet to the next (Core 5.4, Vol 6 Part B 4.1.2).
    static let auxiliaryFrameSpace = 300 * microsecond
    /// The payload of ADV_EXT_IND: ADI and AuxPtr.
    static let extendedIndication = 7

    /// The air time of a packet of `payload` bytes (Core 5.4, Vol 6 Part B 2.1, 2.2). Preamble, access address, header
    /// and CRC add ten bytes on 1M, eleven on 2M; LE Coded at 125 kb/s.
    static func packet(_ payload: Int, _ phy: HCIPHY = .le1M) -> Int64 {
        switch phy {
        case .le2M: Int64(payload + 11) * 4 * microsecond
        case .leCoded: (400 + Int64(payload + 5) * 64) * microsecond
        default: Int64(payload + 10) * 8 * microsecond
        }
    }

    /// The same on LE Coded at 500 kb/s: preamble, access address and coding indicator do not change.
    static func codedPacket500(_ payload: Int) -> Int64 {
        (382 + Int64(payload + 5) * 16) * microsecond
    }

    /// Advertising and scanning intervals, in units of 0.625 ms.
    static func slots(_ count: UInt16) -> Int64 {
        Int64(count) * 625 * microsecond
    }

    /// Connection intervals, in units of 1.25 ms.
    static func connectionInterval(_ count: UInt16) -> Int64 {
        Int64(count) * 1250 * microsecond
    }

    /// Supervision time-outs, in units of 10 ms.
    static func supervisionTimeout(_ count: UInt16) -> Int64 {
        Int64(count) * 10 * millisecond
    }
}
