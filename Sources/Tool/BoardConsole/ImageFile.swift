import CommandSupport
import ESPImage
import FirmwareBuild

/// A file for `flash --image`.
package enum ImageFile {
    /// The layout for the image in the file at `path`: a whole flash at address 0, or an application at the offset of
    /// the Arduino partition table.
    ///
    /// An invalid image is treated as an application: the flasher reports the error.
    ///
    /// - Throws: ``CommandFailure`` when it is neither.
    package static func layout(_ path: String) throws -> FlashLayout {
        let bytes: [UInt8]
        do throws(FirmwareBuildError) {
            bytes = try FileTree.contents(of: path)
        } catch {
            throw CommandFailure(.flashFailed, error.detail)
        }
        try refuseUF2(path, bytes)
        let image = try? FirmwareImage(bytes[...])
        let isApplication = image?.kind == .application
        if !isApplication, (try? PartitionTable(bytes.dropFirst(Int(PartitionTable.offset)))) != nil {
            return try FlashLayout([FlashLayout.Region(name: "flash", offset: 0, bytes: bytes)])
        }
        guard bytes.first == ImageHeader.magic else {
            throw CommandFailure(
                .flashFailed,
                "\(path): expected an application image (it begins with E9) or a whole flash image (with a partition table at 0x8000), got \(bytes.count) bytes that are neither",
                code: "flash.invalidImage")
        }
        if let image, !isApplication {
            throw CommandFailure(
                .flashFailed,
                "\(path): expected an application (esp_app_desc_t, magic 0xabcd5432, at the start of the first segment, which is mapped from flash), got \(image.kind); nothing was written",
                code: "flash.notAnApplication")
        }
        return try FlashLayout([FlashLayout.Region(name: "application", offset: applicationOffset, bytes: bytes)])
    }

    /// Throws if the file at `path` is in the UF2 format, whose blocks are no data for a flash.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput`.
    package static func refuseUF2(_ path: String, _ bytes: [UInt8]) throws(CommandFailure) {
        guard UF2.isLikely(bytes) else { return }
        throw CommandFailure(
            .badInput, "\(path): expected an image or data, got a UF2 file, which is for USB mass storage",
            code: "file.isUF2")
    }

    private static let applicationOffset: UInt32 = 0x1_0000
}
