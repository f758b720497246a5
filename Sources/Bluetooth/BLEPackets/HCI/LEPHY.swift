import ByteCodec

/// Reads the PHYs of a connection (Core 5.4, Vol 4 Part E 7.8.47).
package struct HCILEReadPHY: HCIConnectionCommand {
    package static let opcode = HCIOpcode.leReadPHY
    package static let name: StaticString = "HCI LE Read PHY"

    /// The connection.
    package var handle: UInt16

    package init(handle: UInt16) {
        self.handle = handle
    }

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The connection.
        package var handle: UInt16
        /// The transmit PHY.
        package var txPHY: HCIPHY
        /// The receive PHY.
        package var rxPHY: HCIPHY

        /// An answer with these values.
        package init(status: HCIErrorCode, handle: UInt16, txPHY: HCIPHY, rxPHY: HCIPHY) {
            self.status = status
            self.handle = handle
            self.txPHY = txPHY
            self.rxPHY = rxPHY
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            handle = try reader.uint16()
            txPHY = HCIPHY(rawValue: try reader.uint8())
            rxPHY = HCIPHY(rawValue: try reader.uint8())
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(handle)
            writer.uint8(txPHY.rawValue)
            writer.uint8(rxPHY.rawValue)
        }
    }
}

/// Sets the preferred PHYs of new connections (Core 5.4, Vol 4 Part E 7.8.48).
package struct HCILESetDefaultPHY: HCICommand {
    package static let opcode = HCIOpcode.leSetDefaultPHY
    package static let name: StaticString = "HCI LE Set Default PHY"

    /// Bit 0: no transmit preference, bit 1: no receive preference.
    package var allPHYs: UInt8
    /// The PHYs for sending.
    package var txPHYs: HCIPHYs
    /// The PHYs for receiving.
    package var rxPHYs: HCIPHYs

    package init(allPHYs: UInt8, txPHYs: HCIPHYs, rxPHYs: HCIPHYs) {
        self.allPHYs = allPHYs
        self.txPHYs = txPHYs
        self.rxPHYs = rxPHYs
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        allPHYs = try reader.uint8()
        txPHYs = HCIPHYs(rawValue: try reader.uint8())
        rxPHYs = HCIPHYs(rawValue: try reader.uint8())
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(allPHYs)
        writer.uint8(txPHYs.rawValue)
        writer.uint8(rxPHYs.rawValue)
    }
}

/// Requests other PHYs on a connection (Core 5.4, Vol 4 Part E 7.8.49).
package struct HCILESetPHY: HCICommand {
    package static let opcode = HCIOpcode.leSetPHY
    package static let name: StaticString = "HCI LE Set PHY"

    /// The connection.
    package var handle: UInt16
    /// Bit 0: no transmit preference, bit 1: no receive preference.
    package var allPHYs: UInt8
    /// The PHYs for sending.
    package var txPHYs: HCIPHYs
    /// The PHYs for receiving.
    package var rxPHYs: HCIPHYs
    /// Coded PHY: 0 no preference, 1 S=2, 2 S=8.
    package var options: UInt16

    package init(handle: UInt16, allPHYs: UInt8, txPHYs: HCIPHYs, rxPHYs: HCIPHYs, options: UInt16) {
        self.handle = handle
        self.allPHYs = allPHYs
        self.txPHYs = txPHYs
        self.rxPHYs = rxPHYs
        self.options = options
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        allPHYs = try reader.uint8()
        txPHYs = HCIPHYs(rawValue: try reader.uint8())
        rxPHYs = HCIPHYs(rawValue: try reader.uint8())
        options = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint8(allPHYs)
        writer.uint8(txPHYs.rawValue)
        writer.uint8(rxPHYs.rawValue)
        writer.uint16(options)
    }
}

/// The PHYs of a connection have changed, or the host's request was completed without a change (Core 5.4, Vol 4 Part E
/// 7.7.65.12).
package struct HCILEPHYUpdateComplete: HCIEvent {
    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .phyUpdateComplete
    package static let name: StaticString = "HCI LE PHY Update Complete"

    /// The result: success or an error code.
    package var status: HCIErrorCode
    /// The connection.
    package var handle: UInt16
    /// The transmit PHY.
    package var txPHY: HCIPHY
    /// The receive PHY.
    package var rxPHY: HCIPHY

    package init(status: HCIErrorCode, handle: UInt16, txPHY: HCIPHY, rxPHY: HCIPHY) {
        self.status = status
        self.handle = handle
        self.txPHY = txPHY
        self.rxPHY = rxPHY
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        txPHY = HCIPHY(rawValue: try reader.uint8())
        rxPHY = HCIPHY(rawValue: try reader.uint8())
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
        writer.uint8(txPHY.rawValue)
        writer.uint8(rxPHY.rawValue)
    }
}

/// One PHY (Core 5.4, Vol 4 Part E 7.8.47); open for any value.
public struct HCIPHY: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// A PHY by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// No packets, in advertising reports.
    public static let none = HCIPHY(rawValue: 0)
    /// 1 Mb/s.
    public static let le1M = HCIPHY(rawValue: 1)
    /// 2 Mb/s.
    public static let le2M = HCIPHY(rawValue: 2)
    /// 1 Mb/s with forward error correction: 125 or 500 kb/s of data.
    public static let leCoded = HCIPHY(rawValue: 3)
}

/// Any number of PHYs (Core 5.4, Vol 4 Part E 7.8.48).
package struct HCIPHYs: OptionSet, Hashable, Sendable {
    /// The octet.
    package let rawValue: UInt8

    /// PHYs by their bits.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// 1 Mb/s.
    package static let le1M = HCIPHYs(rawValue: 1)
    /// 2 Mb/s.
    package static let le2M = HCIPHYs(rawValue: 2)
    /// 1 Mb/s with forward error correction.
    package static let leCoded = HCIPHYs(rawValue: 4)

    /// The single PHYs, in the order of their bits: commands have parameters for each of them.
    package var each: [HCIPHYs] {
        (0..<8).map { HCIPHYs(rawValue: 1 << $0) }.filter { contains($0) }
    }
}
