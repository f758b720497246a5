package import BLECore
package import ByteCodec

/// A packet of the kernel's management socket (BlueZ's doc/mgmt-api.txt, "Packet Structures"): a code, the index of a
/// controller, parameters.
package struct ManagementPacket: Hashable {
    /// The index in packets that belong to no controller.
    package static let noController: UInt16 = 0xFFFF
    /// The event Command Complete: a command's code, a status, and the return parameters.
    static let commandComplete: UInt16 = 0x0001
    /// The event Command Status: the code of a command that failed, a status.
    static let commandStatus: UInt16 = 0x0002

    /// The code of a command or an event.
    package var code: UInt16
    /// The index of a controller: 0 is hci0.
    package var controller: UInt16
    package var parameters: [UInt8]

    package init(_ code: UInt16, controller: UInt16 = noController, parameters: [UInt8] = []) {
        self.code = code
        self.controller = controller
        self.parameters = parameters
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        code = try reader.uint16()
        controller = try reader.uint16()
        parameters = Array(try reader.slice(Int(try reader.uint16())))
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.uint16(code)
        writer.uint16(controller)
        writer.uint16(UInt16(clamping: parameters.count))
        writer.append(parameters)
        return writer.bytes
    }
}

/// The command Read Management Supported Commands and its answer; a socket without permission gets a shorter list of
/// events.
package enum ReadSupportedCommands {
    package static let code: UInt16 = 0x0002

    /// The codes of the commands that the socket may send, and of the events that it may receive; `nil` if the packet is
    /// another one.
    package static func answer(
        _ packet: ManagementPacket
    ) throws(CodecError) -> (commands: [UInt16], events: [UInt16])? {
        guard packet.code == ManagementPacket.commandComplete else { return nil }
        var reader = ByteReader(packet.parameters, subject: "Read Management Supported Commands")
        guard try reader.uint16() == code, try reader.uint8() == 0 else { return nil }
        let (commandCount, eventCount) = (try reader.uint16(), try reader.uint16())
        var codes: [UInt16] = []
        for _ in 0..<Int(commandCount) + Int(eventCount) { codes.append(try reader.uint16()) }
        return (Array(codes.prefix(Int(commandCount))), Array(codes.dropFirst(Int(commandCount))))
    }
}

extension DeviceAddress {
    /// The address types: 1 is LE Public, 2 LE Random, 0 BR/EDR.
    private static let managementTypes: (public: UInt8, random: UInt8) = (1, 2)

    /// Reads an address and its type.
    init(management reader: inout ByteReader) throws(CodecError) {
        try self.init(from: &reader, .public)
        if try reader.uint8() == Self.managementTypes.random { kind = .random }
    }

    /// The address and its type.
    var managementBytes: [UInt8] {
        littleEndianBytes + [kind == .random ? Self.managementTypes.random : Self.managementTypes.public]
    }
}

extension ManagementPacket {
    /// False if an event whose parameters begin with an address and its type is about a BR/EDR device.
    fileprivate var isOfLE: Bool { parameters.dropFirst(6).first != 0 }
}

/// The event Device Found: a controller has received an advertisement during discovery.
package struct DeviceFound: Hashable {
    package static let code: UInt16 = 0x0012
    private static let (notConnectable, scanResponse): (UInt32, UInt32) = (1 << 2, 1 << 5)

    package var controller: UInt16
    package var address: DeviceAddress
    /// False if the advertisement is not connectable; `nil` for a scan response without an advertisement, which does
    /// not contain this.
    package var isConnectable: Bool?

    /// `nil` if the packet is another one, or about a BR/EDR device.
    package init?(_ packet: ManagementPacket) throws(CodecError) {
        guard packet.code == Self.code, packet.isOfLE else { return nil }
        var reader = ByteReader(packet.parameters, subject: "Device Found")
        controller = packet.controller
        address = try DeviceAddress(management: &reader)
        // The strength.
        _ = try reader.int8()
        let flags = try reader.uint32()
        isConnectable = flags & Self.scanResponse != 0 ? nil : flags & Self.notConnectable == 0
    }
}

/// The event Device Disconnected: a connection of a controller has ended.
package struct DeviceDisconnected: Hashable {
    package static let code: UInt16 = 0x000C
    private static let reasons: [UInt8: UInt8] = [1: 0x08, 2: 0x16, 3: 0x13, 4: 0x05]

    package var controller: UInt16
    package var address: DeviceAddress
    /// The HCI error code for the kernel's reason, which combines several codes: connection time-out (0x08), ended by
    /// this host (0x16), by the peer (0x13, also for 0x14 and 0x15), authentication failure (0x05); `nil` if it is not
    /// known.
    package var reason: UInt8?

    /// `nil` if the packet is another one, or about a BR/EDR device.
    package init?(_ packet: ManagementPacket) throws(CodecError) {
        guard packet.code == Self.code, packet.isOfLE else { return nil }
        var reader = ByteReader(packet.parameters, subject: "Device Disconnected")
        controller = packet.controller
        address = try DeviceAddress(management: &reader)
        // Versions before 1.1 have no reason.
        reason = reader.remaining > 0 ? Self.reasons[try reader.uint8()] : nil
    }
}
