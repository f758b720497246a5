import ByteCodec
internal import ESPChips
import ESPImage

/// A fault that ESP-IDF's bootloader finds in an application image, with its message.
struct AppImageFault: Error {
    /// The log tag.
    let tag: String
    let line: String

    init(_ line: String, tag: String = "esp_image") {
        self.tag = tag
        self.line = line
    }
}

/// Verifies an application image as ESP-IDF's bootloader does, in the same order (`esp_image_format.c`).
struct AppImageVerifier {
    let flash: NORFlash
    let partition: Partition

    /// The chip's own revision: major × 100 + minor.
    private static let revision: UInt16 = 300

    /// The verified image.
    func verify() throws(AppImageFault) -> FirmwareImage {
        let start = Int(partition.offset)
        // As on the chip, reads may pass the end of the partition until the length is checked.
        guard start <= flash.size, let bytes = try? flash.read(at: start, count: flash.size - start) else {
            throw AppImageFault("bootloader_flash_read failed at \(hexadecimal(partition.offset, digits: 8))")
        }
        try checkHeader(bytes)
        let end = try checkSegments(bytes)
        let sums = try sums(of: bytes)
        guard sums.storedChecksum == sums.computedChecksum else {
            throw AppImageFault(
                "Checksum failed. Calculated \(hexadecimal(sums.computedChecksum)) "
                    + "read \(hexadecimal(sums.storedChecksum))")
        }
        guard end <= Int(partition.size), sums.imageLength <= Int(partition.size) else {
            throw AppImageFault(
                "Image length \(sums.imageLength) doesn't fit in partition length \(partition.size)")
        }
        guard sums.storedHash == sums.computedHash else {
            throw AppImageFault("Image hash failed - image is corrupt")
        }
        do {
            return try FirmwareImage(bytes[...], for: .esp32)
        } catch {
            throw AppImageFault("\(error)")
        }
    }

    private func checkHeader(_ bytes: [UInt8]) throws(AppImageFault) {
        guard bytes.count >= ImageHeader.length, bytes[0] == ImageHeader.magic else {
            throw AppImageFault(
                "image at \(hexadecimal(partition.offset)) has invalid magic byte (nothing flashed here?)")
        }
        let chipID = UInt16(bytes[12]) | UInt16(bytes[13]) << 8
        guard chipID == Chip.esp32.id else {
            throw AppImageFault(
                "mismatch chip ID, expected \(Chip.esp32.id), found \(chipID)", tag: "boot_comm")
        }
        let minimum = UInt16(bytes[15]) | UInt16(bytes[16]) << 8
        guard minimum <= Self.revision else {
            throw AppImageFault(
                "chip revision check failed. Required >= v\(minimum / 100).\(minimum % 100), "
                    + "found v\(Self.revision / 100).\(Self.revision % 100).", tag: "boot_comm")
        }
        guard bytes[1] <= ImageHeader.maximumSegmentCount else {
            throw AppImageFault(
                "image at \(hexadecimal(partition.offset)) segment count \(bytes[1]) "
                    + "exceeds max \(ImageHeader.maximumSegmentCount)")
        }
    }

    /// Checks each segment's header; returns the end of the last one.
    private func checkSegments(_ bytes: [UInt8]) throws(AppImageFault) -> Int {
        let chip = Chip.esp32
        var position = ImageHeader.length
        for index in 0..<Int(bytes[1]) {
            guard bytes.count - position >= ImageSegment.headerLength else {
                throw AppImageFault(
                    "bootloader_flash_read failed at \(hexadecimal(UInt32(Int(partition.offset) + position), digits: 8))"
                )
            }
            let address = word(bytes, position)
            let length = word(bytes, position + 4)
            position += ImageSegment.headerLength
            guard length % 4 == 0, length < ImageSegment.lengthLimit else {
                throw AppImageFault("invalid segment length \(hexadecimal(length))")
            }
            guard index > 0 || length >= AppDescription.length else {
                throw AppImageFault(
                    "Segment \(index): length \(hexadecimal(length)) is too short for app description")
            }
            let dataAddress = UInt32(Int(partition.offset) + position)
            if chip.memory.isMapped(address) {
                guard dataAddress % MemoryMap.flashPageSize == address % MemoryMap.flashPageSize else {
                    throw AppImageFault(
                        "Segment \(index) load address \(hexadecimal(address, digits: 8)), "
                            + "doesn't match data \(hexadecimal(dataAddress, digits: 8))")
                }
            } else if address >= Self.lowestLoadAddress, length > 0, !chip.memory.canLoad(Int(length), at: address) {
                throw AppImageFault(
                    "Segment \(index) \(hexadecimal(address, digits: 8))-"
                        + "\(hexadecimal(address &+ length, digits: 8)) invalid: bad load address range")
            }
            guard bytes.count - position >= Int(length) else {
                throw AppImageFault(
                    "bootloader_mmap(\(hexadecimal(dataAddress)), \(hexadecimal(length))) failed")
            }
            position += Int(length)
        }
        return position
    }

    /// Segments below this address are padding, and are not loaded.
    private static let lowestLoadAddress: UInt32 = 0x1000_0000

    private func sums(of bytes: [UInt8]) throws(AppImageFault) -> ImageReader.Sums {
        do throws(ImageError) {
            var reader = try ImageReader(bytes[...], for: .esp32)
            while try reader.nextSegment() != nil {}
            return try reader.sums()
        } catch {
            throw AppImageFault("\(error)")
        }
    }

    private func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
