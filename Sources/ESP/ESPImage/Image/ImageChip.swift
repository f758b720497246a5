/// A chip as images see it: its id, and where segments may be loaded.
public struct ImageChip: Hashable, Sendable {
    /// Espressif's name, e.g. `ESP32-C3`.
    public let name: String
    /// The id in image headers.
    public let id: UInt16
    /// Where the second-stage bootloader stands in flash.
    public let bootloaderOffset: UInt32
    /// Addresses at which the cache shows flash as data.
    public let mappedData: Range<UInt32>
    /// Addresses at which the cache shows flash as instructions; may be those of ``mappedData``.
    public let mappedInstructions: Range<UInt32>
    /// Where RAM is that a bootloader can fill; the first is the data RAM.
    public let memory: [Range<UInt32>]

    /// The pages in which the cache maps flash, in bytes.
    public static let mapPageSize: UInt32 = 0x1_0000

    /// Whether a segment at `address` is not copied, but mapped.
    public func isMapped(_ address: UInt32) -> Bool {
        mappedData.contains(address) || mappedInstructions.contains(address)
    }

    /// Whether `count` bytes at `address` fit into one of the chip's memories.
    public func canLoad(_ count: Int, at address: UInt32) -> Bool {
        (memory + [mappedData, mappedInstructions]).contains {
            $0.contains(address) && UInt64(count) <= UInt64($0.upperBound - address)
        }
    }

    /// ESP32.
    public static let esp32 = ImageChip(
        name: "ESP32", id: 0, bootloaderOffset: 0x1000,
        mappedData: 0x3F40_0000..<0x3F80_0000, mappedInstructions: 0x400D_0000..<0x4040_0000,
        memory: [
            0x3FFA_E000..<0x4000_0000, 0x3FF8_0000..<0x3FF8_2000, 0x4007_0000..<0x400C_0000, 0x400C_0000..<0x400C_2000,
            0x5000_0000..<0x5000_2000,
        ])
    /// ESP32-S2.
    public static let esp32s2 = ImageChip(
        name: "ESP32-S2", id: 2, bootloaderOffset: 0x1000,
        mappedData: 0x3F00_0000..<0x3F3F_0000, mappedInstructions: 0x4008_0000..<0x40B8_0000,
        memory: [
            0x3FFB_0000..<0x4000_0000, 0x3FF9_E000..<0x3FFA_0000, 0x4002_0000..<0x4007_2000, 0x5000_0000..<0x5000_2000,
        ])
    /// ESP32-S3.
    public static let esp32s3 = ImageChip(
        name: "ESP32-S3", id: 9, bootloaderOffset: 0,
        mappedData: 0x3C00_0000..<0x3E00_0000, mappedInstructions: 0x4200_0000..<0x4400_0000,
        memory: [
            0x3FC8_8000..<0x3FD0_0000, 0x4037_0000..<0x403E_0000, 0x600F_E000..<0x6010_0000, 0x5000_0000..<0x5000_2000,
        ])
    /// ESP32-C2.
    public static let esp32c2 = ImageChip(
        name: "ESP32-C2", id: 12, bootloaderOffset: 0,
        mappedData: 0x3C00_0000..<0x3C40_0000, mappedInstructions: 0x4200_0000..<0x4240_0000,
        memory: [0x3FCA_0000..<0x3FCE_0000, 0x4037_C000..<0x403C_0000])
    /// ESP32-C3.
    public static let esp32c3 = ImageChip(
        name: "ESP32-C3", id: 5, bootloaderOffset: 0,
        mappedData: 0x3C00_0000..<0x3C80_0000, mappedInstructions: 0x4200_0000..<0x4280_0000,
        memory: [0x3FC8_0000..<0x3FCE_0000, 0x4037_C000..<0x403E_0000, 0x5000_0000..<0x5000_2000])
    /// ESP32-C5.
    public static let esp32c5 = ImageChip(
        name: "ESP32-C5", id: 23, bootloaderOffset: 0x2000,
        mappedData: 0x4200_0000..<0x4400_0000, mappedInstructions: 0x4200_0000..<0x4400_0000,
        memory: [0x4080_0000..<0x4086_0000, 0x5000_0000..<0x5000_4000])
    /// ESP32-C6.
    public static let esp32c6 = ImageChip(
        name: "ESP32-C6", id: 13, bootloaderOffset: 0,
        mappedData: 0x4280_0000..<0x4300_0000, mappedInstructions: 0x4200_0000..<0x4280_0000,
        memory: [0x4080_0000..<0x4088_0000, 0x5000_0000..<0x5000_4000])
    /// ESP32-H2.
    public static let esp32h2 = ImageChip(
        name: "ESP32-H2", id: 16, bootloaderOffset: 0,
        mappedData: 0x4280_0000..<0x4300_0000, mappedInstructions: 0x4200_0000..<0x4280_0000,
        memory: [0x4080_0000..<0x4088_0000, 0x5000_0000..<0x5000_4000])
    /// ESP32-P4.
    public static let esp32p4 = ImageChip(
        name: "ESP32-P4", id: 18, bootloaderOffset: 0x2000,
        mappedData: 0x4000_0000..<0x4C00_0000, mappedInstructions: 0x4000_0000..<0x4C00_0000,
        memory: [0x4FF0_0000..<0x4FFA_0000, 0x5010_8000..<0x5011_0000])

    /// All known chips.
    public static let all: [ImageChip] = [
        .esp32, .esp32s2, .esp32s3, .esp32c2, .esp32c3, .esp32c5, .esp32c6, .esp32h2, .esp32p4,
    ]

    /// The chip with `id` in its image headers.
    public static func withID(_ id: UInt16) -> ImageChip? {
        all.first { $0.id == id }
    }
}
