/// The product that a chip is sold as: package, and memory in it. By Espressif's datasheets.
extension Chip {
    /// The product's name, from words by address that hold the eFuses of ``EfuseMap/package``, the revision and the
    /// memory; `nil` for a product that is not known, and where the name would be the chip's.
    public func product(in words: [UInt32: UInt32]) -> String? {
        let package = Int(efuses.package.value(in: words))
        let names: [String?]
        switch self {
        case .esp32:
            let isThird = majorRevision(in: words) == 3
            let cores = Self.hasOneCore.value(in: words) == 1 ? "S" : "D"
            let suffix = isThird && cores == "D" ? "-V3" : ""
            names = [
                "ESP32-\(cores)0WDQ6\(suffix)", "ESP32-\(cores)0WD\(suffix)", "ESP32-D2WD", nil, "ESP32-U4WDH",
                isThird ? "ESP32-PICO-V3" : "ESP32-PICO-D4", "ESP32-PICO-V3-02", "ESP32-D0WDR2-V3",
            ]
        case .esp32s3: names = ["ESP32-S3 (QFN56)", "ESP32-S3-PICO-1 (LGA56)"]
        case .esp32c2: names = [nil, "ESP8684H"]
        case .esp32c3: names = ["ESP32-C3 (QFN32)", "ESP8685 (QFN28)", "ESP32-C3 AZ (QFN32)", "ESP8686 (QFN24)"]
        case .esp32c6:
            let flash = efuses.flashCapacity.flatMap { packageFlashMegabytes(code: $0.value(in: words)) }
            names = ["ESP32-C6 (QFN40)", flash.flatMap { $0 > 0 ? "ESP32-C6FH\($0) (QFN32)" : nil }]
        default: names = []
        }
        return names.indices.contains(package) ? names[package] : nil
    }

    /// The ESP32's eFuse that disables the second core (CHIP_VER_DIS_APP_CPU).
    private static let hasOneCore = RegisterField(0x3FF5_A00C, 0, 1)

    /// The megabytes of flash in the package, by the code of ``EfuseMap/flashCapacity``; `nil` for an unknown code.
    public func packageFlashMegabytes(code: UInt32) -> Int? {
        switch self {
        case .esp32s2: [0, 2, 4].at(code)
        case .esp32s3: [0, 8, 4].at(code)
        case .esp32c2: [0, 4, 2, 1].at(code)
        case .esp32c3: [0, 4, 2, 1, 8].at(code)
        case .esp32c5: [0, 4].at(code)
        case .esp32c6: [0, 4, 8].at(code)
        case .esp32h2: [0, 4, 2, 1].at(code)
        default: nil
        }
    }

    /// The megabytes of PSRAM in the package, by the code of ``EfuseMap/psramCapacity``; `nil` for an unknown code.
    public func packagePSRAMMegabytes(code: UInt32) -> Int? {
        switch self {
        case .esp32s2: [0, 2, 4].at(code)
        case .esp32s3: [0, 8, 2, 16, 4].at(code)
        case .esp32c5: [0, 4, 8].at(code)
        default: nil
        }
    }
}

extension [Int] {
    fileprivate func at(_ code: UInt32) -> Int? { code < count ? self[Int(code)] : nil }
}
