import ByteCodec

/// One kind of event, from controller to host (Core 5.4, Vol 4 Part E 5.4.4).
package protocol HCIEvent: Hashable, Sendable {
    /// The event code.
    static var code: HCIEventCode { get }

    /// The subevent code of LE Meta events.
    static var subevent: HCILESubeventCode? { get }

    /// The name in the specification, for errors: "HCI Command Complete".
    static var name: StaticString { get }

    /// Parses the parameters, after the subevent code if the event has one.
    init(from reader: inout ByteReader) throws(CodecError)

    /// Writes the parameters, without header and subevent code.
    func write(to writer: inout ByteWriter)
}

extension HCIEvent {
    /// `nil`: not an LE Meta event.
    package static var subevent: HCILESubeventCode? { nil }

    /// Decodes an event, whose code must be ``code``; no byte may be left over.
    package init(_ event: HCIAnyEvent) throws(CodecError) {
        var reader = ByteReader(event.parameters, subject: Self.name)
        guard event.code == Self.code, event.subevent == Self.subevent else {
            let allowed = "\(Self.code)" + (Self.subevent.map { " with subevent \($0)" } ?? "")
            throw reader.invalid("code", UInt64(event.subevent?.rawValue ?? event.code.rawValue), allowed: allowed)
        }
        try self.init(from: &reader)
        try reader.end()
    }

    /// The whole packet. Parameters are at most 255 bytes.
    package var packet: HCIPacket {
        var writer = ByteWriter()
        writer.uint16(UInt16(Self.code.rawValue))
        if let subevent = Self.subevent { writer.uint8(subevent.rawValue) }
        write(to: &writer)
        let length = UInt16(truncatingIfNeeded: writer.count - 2)
        writer.patchUInt16(UInt16(Self.code.rawValue) | length << 8, at: 0)
        return HCIPacket(.event, writer.bytes)
    }
}

/// An event of any kind: its code, and its undecoded parameters.
package struct HCIAnyEvent: Hashable, Sendable {
    /// The event code.
    package var code: HCIEventCode
    /// The subevent code of LE Meta events.
    package var subevent: HCILESubeventCode?
    /// The parameters after the subevent code, uncopied.
    package var parameters: ArraySlice<UInt8>

    /// Parses a packet without its H4 indicator; its length field must match.
    package init(decoding bytes: ArraySlice<UInt8>) throws(CodecError) {
        var reader = ByteReader(bytes, subject: "HCI event")
        code = HCIEventCode(rawValue: try reader.uint8())
        let length = Int(try reader.uint8())
        if code == .leMeta, length > 0 {
            subevent = HCILESubeventCode(rawValue: try reader.uint8())
            parameters = try reader.slice(length - 1)
        } else {
            parameters = try reader.slice(length)
        }
        try reader.end()
    }
}

/// The code of an event (Core 5.4, Vol 4 Part E 5.4.4); open for any value.
package struct HCIEventCode: RawRepresentable, Hashable, Sendable {
    /// The octet.
    package let rawValue: UInt8

    /// An event code by number.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Disconnection Complete.
    package static let disconnectionComplete = HCIEventCode(rawValue: 0x05)
    /// Encryption Change.
    package static let encryptionChange = HCIEventCode(rawValue: 0x08)
    /// Read Remote Version Information Complete.
    package static let readRemoteVersionInformationComplete = HCIEventCode(rawValue: 0x0C)
    /// Command Complete.
    package static let commandComplete = HCIEventCode(rawValue: 0x0E)
    /// Command Status.
    package static let commandStatus = HCIEventCode(rawValue: 0x0F)
    /// Number Of Completed Packets.
    package static let numberOfCompletedPackets = HCIEventCode(rawValue: 0x13)
    /// Data Buffer Overflow.
    package static let dataBufferOverflow = HCIEventCode(rawValue: 0x1A)
    /// Encryption Key Refresh Complete.
    package static let encryptionKeyRefreshComplete = HCIEventCode(rawValue: 0x30)
    /// LE Meta: the subevent code follows.
    package static let leMeta = HCIEventCode(rawValue: 0x3E)
}

/// The first parameter of an LE Meta event (Core 5.4, Vol 4 Part E 7.7.65); open for any value.
package struct HCILESubeventCode: RawRepresentable, Hashable, Sendable {
    /// The octet.
    package let rawValue: UInt8

    /// A subevent code by number.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// LE Connection Complete.
    package static let connectionComplete = HCILESubeventCode(rawValue: 0x01)
    /// LE Advertising Report.
    package static let advertisingReport = HCILESubeventCode(rawValue: 0x02)
    /// LE Connection Update Complete.
    package static let connectionUpdateComplete = HCILESubeventCode(rawValue: 0x03)
    /// LE Read Remote Features Complete.
    package static let readRemoteFeaturesComplete = HCILESubeventCode(rawValue: 0x04)
    /// LE Long Term Key Request.
    package static let longTermKeyRequest = HCILESubeventCode(rawValue: 0x05)
    /// LE Remote Connection Parameter Request.
    package static let remoteConnectionParameterRequest = HCILESubeventCode(rawValue: 0x06)
    /// LE Data Length Change.
    package static let dataLengthChange = HCILESubeventCode(rawValue: 0x07)
    /// LE Read Local P-256 Public Key Complete.
    package static let readLocalP256PublicKeyComplete = HCILESubeventCode(rawValue: 0x08)
    /// LE Generate DHKey Complete.
    package static let generateDHKeyComplete = HCILESubeventCode(rawValue: 0x09)
    /// LE Enhanced Connection Complete.
    package static let enhancedConnectionComplete = HCILESubeventCode(rawValue: 0x0A)
    /// LE Directed Advertising Report.
    package static let directedAdvertisingReport = HCILESubeventCode(rawValue: 0x0B)
    /// LE PHY Update Complete.
    package static let phyUpdateComplete = HCILESubeventCode(rawValue: 0x0C)
    /// LE Extended Advertising Report.
    package static let extendedAdvertisingReport = HCILESubeventCode(rawValue: 0x0D)
    /// LE Scan Timeout.
    package static let scanTimeout = HCILESubeventCode(rawValue: 0x11)
    /// LE Advertising Set Terminated.
    package static let advertisingSetTerminated = HCILESubeventCode(rawValue: 0x12)
    /// LE Scan Request Received.
    package static let scanRequestReceived = HCILESubeventCode(rawValue: 0x13)
    /// LE Channel Selection Algorithm.
    package static let channelSelectionAlgorithm = HCILESubeventCode(rawValue: 0x14)
}

extension HCIEventCode: CustomStringConvertible {
    /// The number, e.g. `0x3E`.
    package var description: String { Hexadecimal.number(rawValue, digits: 2, uppercase: true) }
}

extension HCILESubeventCode: CustomStringConvertible {
    /// The number, e.g. `0x02`.
    package var description: String { Hexadecimal.number(rawValue, digits: 2, uppercase: true) }
}

/// Sets the mask of events (Core 5.4, Vol 4 Part E 7.3.1).
package struct HCISetEventMask: HCICommand {
    package static let opcode = HCIOpcode.setEventMask
    package static let name: StaticString = "HCI Set Event Mask"

    /// Bit n − 1 is event n; bit 61 is LE Meta.
    package var mask: UInt64

    package init(mask: UInt64) {
        self.mask = mask
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        mask = try reader.uint64()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint64(mask)
    }
}

/// Sets page 2 of the mask of events; bit 23 is Authenticated Payload Timeout Expired (Core 5.4, Vol 4 Part E 7.3.69).
package struct HCISetEventMaskPage2: HCICommand {
    package static let opcode = HCIOpcode.setEventMaskPage2
    package static let name: StaticString = "HCI Set Event Mask Page 2"

    /// The mask.
    package var mask: UInt64

    package init(mask: UInt64) {
        self.mask = mask
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        mask = try reader.uint64()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint64(mask)
    }
}

/// Sets the mask of LE events (Core 5.4, Vol 4 Part E 7.8.1).
package struct HCILESetEventMask: HCICommand {
    package static let opcode = HCIOpcode.leSetEventMask
    package static let name: StaticString = "HCI LE Set Event Mask"

    /// Bit n − 1 is LE subevent n.
    package var mask: UInt64

    package init(mask: UInt64) {
        self.mask = mask
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        mask = try reader.uint64()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint64(mask)
    }
}
