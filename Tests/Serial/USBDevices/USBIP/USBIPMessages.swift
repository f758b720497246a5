internal import ByteCodec

/// Messages of USB/IP (Linux, Documentation/usb/usbip_protocol.rst), version 1.1.1; all numbers are big-endian.
enum USBIP {
    static let version: UInt16 = 0x0111
    static let requestDeviceList: UInt16 = 0x8005
    static let replyDeviceList: UInt16 = 0x0005
    static let requestImport: UInt16 = 0x8003
    static let replyImport: UInt16 = 0x0003

    /// The length of a busid field.
    static let busIDLength = 32
    /// The length of the common part of an operation: version, code, status.
    static let operationLength = 8
    /// The length of every message after the import, without data.
    static let headerLength = 48
    /// The longest transfer that is accepted.
    static let longestTransfer = 1 << 20

    /// -ECONNRESET: the status of an URB that was unlinked.
    static let unlinked: Int32 = -104

    /// A message of the host after the import.
    enum Command {
        case submit(URB)
        case unlink(id: UInt32, target: UInt32)
    }

    /// Version, code and status of an operation.
    static func operation(_ bytes: ArraySlice<UInt8>) throws(CodecError) -> UInt16 {
        var reader = ByteReader(bytes, subject: "USB/IP operation")
        let version = try reader.uint16BigEndian()
        let code = try reader.uint16BigEndian()
        guard version == Self.version else {
            throw CodecError(
                "USB/IP operation", .invalidValue(field: "version", value: UInt64(version), allowed: "0x0111"),
                offset: 0)
        }
        return code
    }

    static func reply(_ code: UInt16, status: UInt32) -> ByteWriter {
        var writer = ByteWriter()
        writer.uint16BigEndian(version)
        writer.uint16BigEndian(code)
        writer.uint32BigEndian(status)
        return writer
    }

    /// The description of a device in both replies.
    static func writeDevice(
        _ device: DeviceDescriptors, at place: USBPlace, configured: UInt8, to writer: inout ByteWriter
    ) {
        writer.padded("/sys/devices/espbench/usb\(place.bus)/\(place.busID)", to: 256)
        writer.padded(place.busID, to: busIDLength)
        writer.uint32BigEndian(UInt32(place.bus))
        writer.uint32BigEndian(UInt32(place.device))
        // Full speed.
        writer.uint32BigEndian(2)
        writer.uint16BigEndian(device.vendor)
        writer.uint16BigEndian(device.product)
        writer.uint16BigEndian(device.release)
        for byte in device.deviceClass { writer.uint8(byte) }
        writer.uint8(configured)
        writer.uint8(1)
        writer.uint8(UInt8(device.interfaces.count))
    }

    /// The length of the data that follow a header.
    static func dataLength(_ header: ArraySlice<UInt8>) throws(CodecError) -> Int {
        var reader = ByteReader(header, subject: "USB/IP header")
        let command = try reader.uint32BigEndian()
        guard command == 1 else { return 0 }
        _ = try reader.uint32BigEndian()
        _ = try reader.uint32BigEndian()
        let direction = try reader.uint32BigEndian()
        _ = try reader.uint32BigEndian()
        _ = try reader.uint32BigEndian()
        let length = try reader.uint32BigEndian()
        guard length <= longestTransfer else {
            throw CodecError(
                "USB/IP submit",
                .invalidValue(field: "length", value: UInt64(length), allowed: "up to \(longestTransfer)"), offset: 24)
        }
        return direction == 0 ? Int(length) : 0
    }

    /// Reads a message with its data.
    static func command(_ bytes: ArraySlice<UInt8>) throws(CodecError) -> Command {
        var reader = ByteReader(bytes, subject: "USB/IP command")
        let code = try reader.uint32BigEndian()
        let id = try reader.uint32BigEndian()
        _ = try reader.uint32BigEndian()
        let direction = try reader.uint32BigEndian()
        let endpoint = try reader.uint32BigEndian()
        switch code {
        case 1:
            _ = try reader.uint32BigEndian()
            let length = try reader.uint32BigEndian()
            _ = try reader.uint32BigEndian()
            _ = try reader.uint32BigEndian()
            _ = try reader.uint32BigEndian()
            let setup = try SetupPacket(from: &reader)
            guard endpoint < 16, direction <= 1 else {
                throw CodecError(
                    "USB/IP submit", .invalidValue(field: "endpoint", value: UInt64(endpoint), allowed: "0 to 15"),
                    offset: 16)
            }
            return .submit(
                URB(
                    id: id, endpoint: UInt8(endpoint), isIn: direction == 1, setup: endpoint == 0 ? setup : nil,
                    data: Array(bytes.dropFirst(headerLength)), length: Int(length)))
        case 2:
            return .unlink(id: id, target: try reader.uint32BigEndian())
        default:
            throw CodecError(
                "USB/IP command", .invalidValue(field: "command", value: UInt64(code), allowed: "1 or 2"), offset: 0)
        }
    }

    static func returnSubmit(_ completion: URBCompletion) -> [UInt8] {
        var writer = ByteWriter(capacity: headerLength + completion.data.count)
        writer.header(3, completion.id)
        writer.uint32BigEndian(UInt32(bitPattern: completion.status.rawValue))
        writer.uint32BigEndian(UInt32(completion.actualLength))
        for _ in 0..<5 { writer.uint32BigEndian(0) }
        return writer.bytes + completion.data
    }

    static func returnUnlink(id: UInt32, wasWaiting: Bool) -> [UInt8] {
        var writer = ByteWriter(capacity: headerLength)
        writer.header(4, id)
        writer.uint32BigEndian(wasWaiting ? UInt32(bitPattern: unlinked) : 0)
        for _ in 0..<6 { writer.uint32BigEndian(0) }
        return writer.bytes
    }
}

/// A device's place on the emulated bus.
package struct USBPlace: Hashable, Sendable {
    /// The bus number.
    package let bus: UInt16
    /// The device number.
    package let device: UInt16
    /// The ports from the root hub, e.g. `1.4.2`.
    package let ports: String

    /// The first bus; without `ports` the device's number is its port.
    package init(bus: UInt16 = 1, device: UInt16, ports: String? = nil) {
        self.bus = bus
        self.device = device
        self.ports = ports ?? "\(device)"
    }

    /// The bus id of USB/IP, e.g. `1-1`.
    package var busID: String { "\(bus)-\(ports)" }
}

extension ByteWriter {
    fileprivate mutating func header(_ command: UInt32, _ id: UInt32) {
        uint32BigEndian(command)
        uint32BigEndian(id)
        for _ in 0..<3 { uint32BigEndian(0) }
    }

    fileprivate mutating func padded(_ text: String, to length: Int) {
        let bytes = Array(text.utf8.prefix(length - 1))
        for byte in bytes { uint8(byte) }
        for _ in bytes.count..<length { uint8(0) }
    }
}
