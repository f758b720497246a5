package import BLECentral
internal import BLECore
package import ByteCodec

/// A packet of the kernel's monitor channel, from which btmon reads: kind, controller, and data.
package struct MonitorPacket: Hashable {
    /// The kind of a packet (`HCI_MON_…` of Linux).
    private enum Opcode: UInt16 {
        case deleteIndex = 1
        case command = 2
        case event = 3
        case aclFromHost = 4
        case aclToHost = 5
        case indexInformation = 10
    }

    /// The index of a controller: 0 is hci0.
    package var controller: UInt16
    /// The event of the controller; `nil` for an unused kind of packet.
    package var event: ControllerEvent?

    package init(from reader: inout ByteReader) throws(CodecError) {
        let opcode = Opcode(rawValue: try reader.uint16())
        controller = try reader.uint16()
        let data = Array(try reader.slice(Int(try reader.uint16())))
        switch opcode {
        case .indexInformation:
            var reader = ByteReader(data, subject: "Index Information")
            let address = try DeviceAddress(from: &reader, .public)
            event = .added(address: address, company: try reader.uint16())
        case .deleteIndex: event = .removed
        case .command: event = .packet([1] + data, isFromHost: true)
        case .event: event = .packet([4] + data, isFromHost: false)
        case .aclFromHost: event = .packet([2] + data, isFromHost: true)
        case .aclToHost: event = .packet([2] + data, isFromHost: false)
        case nil: event = nil
        }
    }
}
