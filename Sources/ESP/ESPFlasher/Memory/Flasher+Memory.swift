import ESPChips
public import ESPImage
import ESPProtocol

extension Flasher {
    /// Loads an image into RAM and runs it; the loader then ends. ``unreadOutput`` has the first bytes that it printed.
    ///
    /// - Parameter image: an image whose segments all lie in the chip's RAM.
    /// - Throws: ``FlasherError`` with code `wrongChip`, `notInRAM` when a segment is not in the chip's RAM, `stubRunning` when
    ///   a stub runs, which the program may overwrite, `secureDownload`, or one of a command.
    public func runInRAM(_ image: FirmwareImage, on board: ConnectedBoard) async throws(FlasherError) {
        let context = "loading the program into RAM"
        try board.checkPermits(context)
        guard image.header.chipID == board.chip.id else {
            let other = Chip.withID(image.header.chipID)?.name ?? "chip id \(image.header.chipID)"
            throw FlasherError(.wrongChip, "\(context): expected one for the \(board.chip.name), got one for \(other)")
        }
        guard dialect == .rom else {
            throw FlasherError(
                .stubRunning, "\(context): expected the loader in ROM, got a stub, which the program may overwrite")
        }
        for segment in image.segments where !board.chip.memory.hasRAM(segment.data.count, at: segment.address) {
            throw FlasherError(
                .notInRAM,
                "\(context): expected segments in RAM, got \(segment.data.count) bytes at "
                    + "0x\(String(segment.address, radix: 16))")
        }
        for segment in image.segments { try await load(Array(segment.data), at: segment.address, context) }
        let end = MemoryEnd(entryPoint: image.header.entryPoint)
        unreadOutput = try await connection.sendLast(end, within: .milliseconds(500), "starting the program")
    }
}
