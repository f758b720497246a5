import ESPChips
import ESPImage
import ESPProtocol

/// Validates the data against the board, before anything is erased.
enum FlashPlan {
    private static let sectorSize: UInt32 = 0x1000
    /// The address range of the commands: 4 GB.
    private static let addressSpace: UInt64 = 1 << 32

    /// Throws when `layout` cannot or must not be written to `board`.
    ///
    /// - Throws: ``FlasherError`` with code `misaligned`, `tooLarge`, `wrongChip`, `invalidImage` or
    ///   `hostImageOnRealBoard`.
    static func check(
        _ layout: FlashLayout, for board: ConnectedBoard, validatesImages: Bool = true
    ) throws(FlasherError) {
        for region in layout.regions {
            let place = "\(region.name) at 0x\(String(region.offset, radix: 16))"
            guard region.offset % sectorSize == 0 else {
                throw FlasherError(.misaligned, "\(place): expected an address that is a multiple of 0x1000")
            }
            let size = board.flashSize ?? addressSpace
            if region.end > size {
                throw FlasherError(
                    .tooLarge,
                    "\(place): expected to end in a flash of \(size) bytes, got 0x\(String(region.end, radix: 16))")
            }
            if validatesImages { try checkImages(region, place, for: board) }
        }
    }

    private static func checkImages(
        _ region: FlashLayout.Region, _ place: String, for board: ConnectedBoard
    ) throws(FlasherError) {
        let chip = board.chip
        // A region may be one image, or a whole flash with images at the usual places.
        let inner = [chip.bootloaderOffset, usualAppOffset].compactMap { address in
            address > region.offset && UInt64(address) < region.end ? Int(address - region.offset) : nil
        }
        for start in [0] + inner {
            let bytes = region.bytes[start...]
            guard bytes.first == ImageHeader.magic else { continue }
            let image: FirmwareImage
            do {
                image = try FirmwareImage(bytes, for: chip)
            } catch {
                throw FlasherError(error.code == .wrongChip ? .wrongChip : .invalidImage, place, underlying: error)
            }
            if image.isVirtualBootloader, !board.isVirtual { throw refusal(place, board) }
        }
        if !board.isVirtual, HostProgram.occurs(in: region.bytes[...]) { throw refusal(place, board) }
    }

    private static func refusal(_ place: String, _ board: ConnectedBoard) -> FlasherError {
        FlasherError(
            .hostImageOnRealBoard,
            "\(place): it was built for the virtual board, and would not start on this real \(board.chip.name)")
    }

    private static let usualAppOffset: UInt32 = 0x1_0000
}
