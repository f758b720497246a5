import ByteCodec

/// Sets the scan parameters (Core 5.4, Vol 4 Part E 7.8.10).
package struct HCILESetScanParameters: HCICommand {
    package static let opcode = HCIOpcode.leSetScanParameters
    package static let name: StaticString = "HCI LE Set Scan Parameters"

    /// True if scan responses are requested.
    package var isActive: Bool
    /// The scan interval, in 0.625 ms; 0x0004...0x4000.
    package var interval: UInt16
    /// The scan window, in 0.625 ms; at most the interval.
    package var window: UInt16
    /// The own address type in scan requests.
    package var ownAddressType: HCIOwnAddressType
    /// 0 everyone, 1 the accept list only.
    package var filterPolicy: UInt8

    package init(
        isActive: Bool, interval: UInt16, window: UInt16, ownAddressType: HCIOwnAddressType, filterPolicy: UInt8
    ) {
        self.isActive = isActive
        self.interval = interval
        self.window = window
        self.ownAddressType = ownAddressType
        self.filterPolicy = filterPolicy
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        isActive = try reader.hciBool("isActive")
        interval = try reader.uint16()
        window = try reader.uint16()
        ownAddressType = HCIOwnAddressType(rawValue: try reader.uint8())
        filterPolicy = try reader.uint8()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(isActive ? 1 : 0)
        writer.uint16(interval)
        writer.uint16(window)
        writer.uint8(ownAddressType.rawValue)
        writer.uint8(filterPolicy)
    }
}

/// Starts or stops scanning (Core 5.4, Vol 4 Part E 7.8.11).
package struct HCILESetScanEnable: HCICommand {
    package static let opcode = HCIOpcode.leSetScanEnable
    package static let name: StaticString = "HCI LE Set Scan Enable"

    /// True to scan.
    package var isEnabled: Bool
    /// True if each advertiser is reported only once.
    package var filterDuplicates: Bool

    package init(isEnabled: Bool, filterDuplicates: Bool) {
        self.isEnabled = isEnabled
        self.filterDuplicates = filterDuplicates
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        isEnabled = try reader.hciBool("isEnabled")
        filterDuplicates = try reader.hciBool("filterDuplicates")
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(isEnabled ? 1 : 0)
        writer.uint8(filterDuplicates ? 1 : 0)
    }
}

/// Sets the scan parameters of each PHY (Core 5.4, Vol 4 Part E 7.8.64).
package struct HCILESetExtendedScanParameters: HCICommand {
    /// The scan parameters of one PHY.
    package struct Scan: Hashable, Sendable {
        /// True if scan responses are requested.
        package var isActive: Bool
        /// The scan interval, in 0.625 ms; at least 4.
        package var interval: UInt16
        /// The scan window, in 0.625 ms; at most the interval.
        package var window: UInt16

        /// A scan of one PHY.
        package init(isActive: Bool, interval: UInt16, window: UInt16) {
            self.isActive = isActive
            self.interval = interval
            self.window = window
        }
    }

    package static let opcode = HCIOpcode.leSetExtendedScanParameters
    package static let name: StaticString = "HCI LE Set Extended Scan Parameters"

    /// The own address type in scan requests.
    package var ownAddressType: HCIOwnAddressType
    /// Bit 0: only advertisers in the accept list, bit 1: also directed advertisements to private addresses.
    package var filterPolicy: UInt8
    /// The PHYs to scan on: 1M, coded, or both.
    package var phys: HCIPHYs
    /// The parameters for each of ``phys``, in the order of their bits.
    package var scans: [Scan]

    /// The command with these parameters; one of `scans` for each of `phys`.
    package init(ownAddressType: HCIOwnAddressType, filterPolicy: UInt8, phys: HCIPHYs, scans: [Scan]) {
        self.ownAddressType = ownAddressType
        self.filterPolicy = filterPolicy
        self.phys = phys
        self.scans = scans
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        ownAddressType = HCIOwnAddressType(rawValue: try reader.uint8())
        filterPolicy = try reader.uint8()
        phys = HCIPHYs(rawValue: try reader.uint8())
        scans = []
        for _ in phys.each {
            let isActive = try reader.hciBool("isActive")
            let interval = try reader.uint16()
            scans.append(Scan(isActive: isActive, interval: interval, window: try reader.uint16()))
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(ownAddressType.rawValue)
        writer.uint8(filterPolicy)
        writer.uint8(phys.rawValue)
        for scan in scans {
            writer.uint8(scan.isActive ? 1 : 0)
            writer.uint16(scan.interval)
            writer.uint16(scan.window)
        }
    }
}

/// Starts or stops scanning, optionally with a duration or in periods (Core 5.4, Vol 4 Part E 7.8.65).
package struct HCILESetExtendedScanEnable: HCICommand {
    package static let opcode = HCIOpcode.leSetExtendedScanEnable
    package static let name: StaticString = "HCI LE Set Extended Scan Enable"

    /// True to scan.
    package var isEnabled: Bool
    /// 0: no filtering, 1: filtering, 2: filtering, reset in each period.
    package var filterDuplicates: UInt8
    /// In 10 ms; 0: until disabled.
    package var duration: UInt16
    /// The scan period, in 1.28 s; 0: a single scan.
    package var period: UInt16

    package init(isEnabled: Bool, filterDuplicates: UInt8, duration: UInt16 = 0, period: UInt16 = 0) {
        self.isEnabled = isEnabled
        self.filterDuplicates = filterDuplicates
        self.duration = duration
        self.period = period
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        isEnabled = try reader.hciBool("isEnabled")
        filterDuplicates = try reader.uint8()
        duration = try reader.uint16()
        period = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(isEnabled ? 1 : 0)
        writer.uint8(filterDuplicates)
        writer.uint16(duration)
        writer.uint16(period)
    }
}

/// Scanning has ended after its duration (Core 5.4, Vol 4 Part E 7.7.65.17).
package struct HCILEScanTimeout: HCIEvent {
    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .scanTimeout
    package static let name: StaticString = "HCI LE Scan Timeout"

    /// The event, which has no parameters.
    package init() {}

    package init(from reader: inout ByteReader) throws(CodecError) {}

    package func write(to writer: inout ByteWriter) {}
}
