import ByteCodec

/// Starts a test that counts reference packets (Core 5.4, Vol 4 Part E 7.8.28, [v1]).
package struct HCILEReceiverTest: HCICommand {
    package static let opcode = HCIOpcode.leReceiverTest
    package static let name: StaticString = "HCI LE Receiver Test"

    /// The RF channel, at 2402 MHz and 2 MHz a channel; at most 0x27.
    package var channel: UInt8

    package init(channel: UInt8) {
        self.channel = channel
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        channel = try reader.uint8()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(channel)
    }
}

/// Starts a test that sends reference packets (Core 5.4, Vol 4 Part E 7.8.29, [v1]).
package struct HCILETransmitterTest: HCICommand {
    package static let opcode = HCIOpcode.leTransmitterTest
    package static let name: StaticString = "HCI LE Transmitter Test"

    /// The RF channel, at 2402 MHz and 2 MHz a channel; at most 0x27.
    package var channel: UInt8
    /// The payload of each packet, in bytes.
    package var length: UInt8
    /// The payload pattern; at most 7.
    package var payload: UInt8

    package init(channel: UInt8, length: UInt8, payload: UInt8) {
        self.channel = channel
        self.length = length
        self.payload = payload
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        channel = try reader.uint8()
        length = try reader.uint8()
        payload = try reader.uint8()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(channel)
        writer.uint8(length)
        writer.uint8(payload)
    }
}

/// Ends a test (Core 5.4, Vol 4 Part E 7.8.30).
package struct HCILETestEnd: HCICommand {
    package static let opcode = HCIOpcode.leTestEnd
    package static let name: StaticString = "HCI LE Test End"

    package init() {}

    /// Reads no parameters.
    package init(from reader: inout ByteReader) throws(CodecError) {}

    /// Writes no parameters.
    package func write(to writer: inout ByteWriter) {}

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// The number of received packets; 0 after a transmitter test.
        package var packetCount: UInt16

        /// An answer with these values.
        package init(status: HCIErrorCode, packetCount: UInt16) {
            self.status = status
            self.packetCount = packetCount
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            packetCount = try reader.uint16()
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint16(packetCount)
        }
    }
}

/// Starts a test that counts reference packets of a PHY (Core 5.4, Vol 4 Part E 7.8.28, [v2]).
package struct HCILEReceiverTestV2: HCICommand {
    package static let opcode = HCIOpcode.leReceiverTestV2
    package static let name: StaticString = "HCI LE Receiver Test [v2]"

    /// The RF channel, at 2402 MHz and 2 MHz a channel; at most 0x27.
    package var channel: UInt8
    /// The PHYs for receiving.
    package var phy: HCIPHY
    /// The assumed transmitter: 0: standard, 1: with a stable modulation index.
    package var modulationIndex: UInt8

    package init(channel: UInt8, phy: HCIPHY, modulationIndex: UInt8) {
        self.channel = channel
        self.phy = phy
        self.modulationIndex = modulationIndex
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        channel = try reader.uint8()
        phy = HCIPHY(rawValue: try reader.uint8())
        modulationIndex = try reader.uint8()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(channel)
        writer.uint8(phy.rawValue)
        writer.uint8(modulationIndex)
    }
}

/// Starts a test that sends reference packets of a PHY (Core 5.4, Vol 4 Part E 7.8.29, [v2]).
package struct HCILETransmitterTestV2: HCICommand {
    package static let opcode = HCIOpcode.leTransmitterTestV2
    package static let name: StaticString = "HCI LE Transmitter Test [v2]"

    /// The RF channel, at 2402 MHz and 2 MHz a channel; at most 0x27.
    package var channel: UInt8
    /// The payload of each packet, in bytes.
    package var length: UInt8
    /// The payload pattern; at most 7.
    package var payload: UInt8
    /// 1 LE 1M, 2 LE 2M, 3 LE Coded with 125 kb/s, 4 LE Coded with 500 kb/s.
    package var phy: UInt8

    package init(channel: UInt8, length: UInt8, payload: UInt8, phy: UInt8) {
        self.channel = channel
        self.length = length
        self.payload = payload
        self.phy = phy
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        channel = try reader.uint8()
        length = try reader.uint8()
        payload = try reader.uint8()
        phy = try reader.uint8()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(channel)
        writer.uint8(length)
        writer.uint8(payload)
        writer.uint8(phy)
    }
}
