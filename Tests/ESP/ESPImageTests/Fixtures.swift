import ByteCodec
import ESPChips
import ESPImage

/// Common test data.
enum Fixtures {
    static let description = AppDescription(
        version: "1.2.3", projectName: "Calculator", time: "12:34:56", date: "Nov 21 2026", idfVersion: "v5.5.1",
        elfHash: Array(0..<32))

    static let bootloaderDescription = BootloaderDescription(
        version: 1, idfVersion: "v5.5.1", dateTime: "Nov 21 2026 12:34:56")

    static let key = HostProgramKey(Array(repeating: 0x42, count: HostProgramKey.length))

    static let program = HostProgram(
        abi: "x86_64-linux-gnu", layoutVersion: 3, program: Array(repeating: 0xA5, count: 70_001)[...])

    /// `count` bytes whose pattern has no period of a power of two.
    static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    /// An image with a description, and the host program when there is a key.
    static func appImage(for chip: Chip = .esp32, key: HostProgramKey? = key) throws -> [UInt8] {
        var builder = ImageBuilder(for: chip)
        builder.addMapped(description.bytes + bytes(300))
        if let key { builder.addMapped(program.seal(key: key, description: description)[...]) }
        return try builder.build()
    }
}

extension ImageBuilder {
    mutating func addMapped(_ bytes: [UInt8]) { addMapped(bytes[...]) }
}

extension ImageError {
    /// The code of the error that `body` throws; `nil` when it does not throw.
    static func code(_ body: () throws -> Void) rethrows -> Code? {
        do {
            try body()
            return nil
        } catch let error as ImageError {
            return error.code
        }
    }
}
