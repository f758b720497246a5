package import MonotonicTime
internal import SerialPort

/// An ESP32's own USB serial line: USB-Serial-JTAG, or the ROM's CDC-ACM on USB-OTG. There is no UART: rates have no
/// effect, and the modem lines reset the chip.
///
/// The rules of the lines are those of the ESP32-C3's technical reference manual, table "Reset SoC by USB-Serial-JTAG":
/// DTR without RTS sets the flag for download mode, neither clears it, RTS without DTR resets the chip, both do nothing.
/// The ROM of USB-OTG follows the same sequence of esptool.
///
/// While no host has configured it, the newest ``unsentLimit`` bytes of what the program prints are kept, as
/// arduino-esp32's `HWCDC` does. (The ROM and ESP-IDF keep at most the first 64.)
package struct ChipUSB: BridgeChip {
    /// The transmit buffer of arduino-esp32's `HWCDC`.
    package static let unsentLimit = 256

    package let descriptors: DeviceDescriptors
    package let bulkIn: UInt8 = 0x81
    package let bulkOut: UInt8 = 0x01
    package private(set) var settings = UARTSettings(rate: 115_200)
    private var isConfigured = false
    private var isDownloadRequested = false
    private var received = ReceiveBuffer()
    private var effects: [ChipEffect] = []

    private init(_ descriptors: DeviceDescriptors) {
        self.descriptors = descriptors
    }

    /// The USB-Serial-JTAG controller of ESP32-C3, C5, C6, H2, P4 and S3; its serial number is the MAC address.
    package static func serialJTAG(serialNumber: String = "7C:DF:A1:00:00:01") -> ChipUSB {
        var descriptors = DeviceDescriptors(
            vendor: 0x303A, product: 0x1001, release: 0x0101,
            strings: ["Espressif", "USB JTAG/serial debug unit", serialNumber],
            interfaces: CDCLine.interfaces(notification: 0x82, bulkIn: 0x81, bulkOut: 0x01, protocol: 0) + [
                DeviceDescriptors.Interface(
                    class: (0xFF, 0xFF, 0x01),
                    [
                        .init(0x02, .bulk, packetSize: 64, interval: 1),
                        .init(0x83, .bulk, packetSize: 64, interval: 1),
                    ])
            ])
        descriptors.deviceClass = [0xEF, 2, 1]
        descriptors.association = CDCLine.association
        descriptors.attributes = 0xC0
        descriptors.maximumPower = 250
        return ChipUSB(descriptors)
    }

    /// The ROM's CDC-ACM on USB-OTG: product 0x0002 ESP32-S2, 0x0009 ESP32-S3, 0x0012 ESP32-P4.
    package static func romOTG(product: UInt16 = 0x0002, serialNumber: String = "0") -> ChipUSB {
        var descriptors = DeviceDescriptors(
            vendor: 0x303A, product: product, release: 0x0723,
            strings: [
                "Espressif", product == 0x0002 ? "ESP32-S2" : product == 0x0009 ? "ESP32-S3" : "ESP32-P4", serialNumber,
            ],
            interfaces: CDCLine.interfaces(notification: 0x82, bulkIn: 0x81, bulkOut: 0x01))
        descriptors.deviceClass = [2, 0, 0]
        descriptors.attributes = 0xC0
        return ChipUSB(descriptors)
    }

    package mutating func drainEffects() -> [ChipEffect] {
        defer { effects.removeAll() }
        return effects
    }

    package mutating func control(
        _ setup: SetupPacket, _ data: [UInt8], at now: MonotonicInstant
    ) -> ControlAnswer {
        guard setup.index == 0 else { return .stall }
        switch (setup.requestType, setup.request) {
        case (0x21, CDCLine.setLineCoding):
            guard let settings = CDCLine.settings(data) else { return .stall }
            self.settings = settings
        case (0xA1, CDCLine.getLineCoding):
            return .data(CDCLine.coding(settings))
        case (0x21, CDCLine.setControlLineState) where data.isEmpty:
            setLines(ModemLines(dtr: setup.value & 1 != 0, rts: setup.value & 2 != 0))
        case (0x21, CDCLine.sendBreak) where data.isEmpty:
            break
        default:
            return .stall
        }
        return .accepted
    }

    private mutating func setLines(_ lines: ModemLines) {
        switch (lines.dtr, lines.rts) {
        case (true, false): isDownloadRequested = true
        case (false, false): isDownloadRequested = false
        case (false, true): effects.append(.reset(download: isDownloadRequested))
        case (true, true): break
        }
    }

    package mutating func write(_ bytes: [UInt8]) {
        if !bytes.isEmpty { effects.append(.transmit(bytes)) }
    }

    package mutating func received(_ bytes: [UInt8]) {
        received.append(bytes)
        if !isConfigured { received.keepNewest(Self.unsentLimit) }
    }

    package mutating func read(upTo maximum: Int, at now: MonotonicInstant) -> [UInt8]? {
        received.isEmpty ? nil : received.removeFirst(maximum)
    }

    package mutating func configured() { isConfigured = true }
}
