internal import ByteCodec

/// Requests and descriptors of the CDC's Abstract Control Model (USB PSTN Subclass 1.2, 6.3), which several chips
/// share.
enum CDCLine {
    static let setLineCoding: UInt8 = 0x20
    static let getLineCoding: UInt8 = 0x21
    static let setControlLineState: UInt8 = 0x22
    static let sendBreak: UInt8 = 0x23

    /// The functional descriptors: header 1.10, call management, ACM with line coding and break, union.
    static func functional(control: UInt8, data: UInt8) -> [UInt8] {
        [5, 0x24, 0x00, 0x10, 0x01, 5, 0x24, 0x01, 0x00, data, 4, 0x24, 0x02, 0x06, 5, 0x24, 0x06, control, data]
    }

    /// The interfaces of a serial line, from interface number `first` on.
    static func interfaces(
        first: UInt8 = 0, notification: UInt8, bulkIn: UInt8, bulkOut: UInt8, packetSize: UInt16 = 64,
        protocol code: UInt8 = 1, name: UInt8 = 0
    ) -> [DeviceDescriptors.Interface] {
        [
            DeviceDescriptors.Interface(
                class: (2, 2, code), name: name, functional: functional(control: first, data: first + 1),
                [.init(notification, .interrupt, packetSize: 16, interval: 1)]),
            DeviceDescriptors.Interface(
                class: (0x0A, 0, 0),
                [
                    .init(bulkOut, .bulk, packetSize: packetSize, interval: 1),
                    .init(bulkIn, .bulk, packetSize: packetSize, interval: 1),
                ]),
        ]
    }

    /// The interface association of interfaces 0 and 1.
    static let association: [UInt8] = [8, 0x0B, 0, 2, 2, 2, 0, 0]

    /// The UART's settings of a line coding; `nil` if it is not one.
    static func settings(_ coding: [UInt8]) -> UARTSettings? {
        var reader = ByteReader(coding, subject: "line coding")
        guard coding.count == 7, let rate = try? reader.uint32(), let stop = try? reader.uint8(), stop <= 2,
            let parity = try? reader.uint8(), let kind = UARTSettings.Parity(rawValue: parity),
            let dataBits = try? reader.uint8(), (5...8).contains(dataBits) || dataBits == 16
        else { return nil }
        var settings = UARTSettings(rate: Double(rate))
        settings.stopHalves = stop + 2
        settings.parity = kind
        settings.dataBits = dataBits
        return settings
    }

    /// The line coding of settings.
    static func coding(_ settings: UARTSettings) -> [UInt8] {
        var writer = ByteWriter()
        writer.uint32(UInt32(settings.rate))
        writer.uint8(settings.stopHalves - 2)
        writer.uint8(settings.parity.rawValue)
        writer.uint8(settings.dataBits)
        return writer.bytes
    }
}
