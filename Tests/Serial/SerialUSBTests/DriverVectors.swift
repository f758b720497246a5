import SerialPort
import Testing

import SerialUSB

/// A control transfer in the notation `type request value index [data]`, or `… length N` for one to the host.
func wire(_ transfer: ControlTransfer) -> String {
    func hex(_ number: some BinaryInteger, _ width: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    var words = [
        hex(transfer.requestType, 2), hex(transfer.request, 2), hex(transfer.value, 4), hex(transfer.index, 4),
    ]
    if transfer.isInput { words += ["length", "\(transfer.length)"] }
    if !transfer.data.isEmpty { words.append(transfer.data.map { hex($0, 2) }.joined()) }
    return words.joined(separator: " ")
}

/// The four states of the lines: none, DTR, RTS, both.
let lineStates = [
    ModemLines(dtr: false, rts: false), ModemLines(dtr: true, rts: false), ModemLines(dtr: false, rts: true),
    ModemLines(dtr: true, rts: true),
]

/// Devices as their descriptors show them.
enum Devices {
    private static func device(
        _ vendor: UInt16, _ product: UInt16, release: UInt16 = 0x0100, _ interfaces: [USBInterface]
    ) -> USBDeviceInfo {
        USBDeviceInfo(
            identity: USBIdentity(vendor: vendor, product: product, serialNumber: nil, location: "1-1"),
            release: release, interfaces: interfaces)
    }

    /// A vendor-specific interface with bulk endpoints after an interrupt endpoint.
    static func uart(_ number: UInt8, input: UInt8 = 0x82, output: UInt8 = 0x02) -> USBInterface {
        USBInterface(
            number: number, classCode: 0xFF,
            endpoints: [
                USBEndpoint(address: 0x81, isBulk: false, packetSize: 8),
                USBEndpoint(address: input, isBulk: true, packetSize: 64),
                USBEndpoint(address: output, isBulk: true, packetSize: 64),
            ])
    }

    static let cp2102 = device(0x10C4, 0xEA60, [uart(0)])
    static let cp2105 = device(0x10C4, 0xEA70, [uart(0), uart(1, input: 0x83, output: 0x03)])
    static let ch340 = device(0x1A86, 0x7523, [uart(0)])
    static let ft232r = device(0x0403, 0x6001, release: 0x0600, [uart(0)])
    static let ft2232h = device(0x0403, 0x6010, release: 0x0700, [uart(0), uart(1, input: 0x83, output: 0x04)])
    static let ft232h = device(0x0403, 0x6014, release: 0x0900, [uart(0)])

    /// A CDC-ACM device whose data interface is 1; `union` as in its Union Functional Descriptor.
    static func acm(_ vendor: UInt16, _ product: UInt16, union: [UInt8] = [5, 0x24, 6, 0, 1]) -> USBDeviceInfo {
        device(
            vendor, product,
            [
                USBInterface(
                    number: 0, classCode: 2, subclass: 2, protocolCode: 1,
                    endpoints: [USBEndpoint(address: 0x82, isBulk: false, packetSize: 64)],
                    extra: [5, 0x24, 0, 0x10, 1] + union),
                USBInterface(
                    number: 1, classCode: 10,
                    endpoints: [
                        USBEndpoint(address: 0x01, isBulk: true, packetSize: 64),
                        USBEndpoint(address: 0x81, isBulk: true, packetSize: 64),
                    ]),
            ])
    }
}
