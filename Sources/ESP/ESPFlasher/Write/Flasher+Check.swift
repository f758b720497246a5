import ESPChips
public import ESPImage

extension Flasher {
    /// Validates `layout` for `board` as ``write(_:to:options:progress:)`` does before its first erase; for callers that
    /// erase by themselves.
    ///
    /// - Throws: ``FlasherError`` with code `misaligned`, `tooLarge`, `wrongChip`, `invalidImage`,
    ///   `hostImageOnRealBoard` or `encryptedFlash`; the flash is unchanged.
    public static func check(
        _ layout: FlashLayout, for board: ConnectedBoard, options: WriteOptions = WriteOptions()
    ) throws(FlasherError) {
        do throws(FlasherError) {
            try FlashPlan.check(layout, for: board, validatesImages: options.validatesImages)
            guard !board.isFlashEncrypted || options.allowsPlainOnEncrypted else {
                throw FlasherError(
                    .encryptedFlash,
                    "writing: the \(board.chip.name) encrypts its flash, and would not start plain data")
            }
        } catch {
            throw error.with(.unchanged)
        }
    }
}
