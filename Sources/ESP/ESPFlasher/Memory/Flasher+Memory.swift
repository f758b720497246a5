import ESPChips
public import ESPImage
import ESPProtocol

extension Flasher {
    /// Loads an image into RAM and runs it; the loader then ends.
    ///
    /// - Parameter image: an image whose segments all lie in the chip's RAM.
    /// - Throws: ``FlasherError`` with code `unsupported` when a segment is not in RAM or would overwrite the running stub,
    ///   `secureDownload`, or one of a command.
    public func runInRAM(_ image: FirmwareImage, on board: ConnectedBoard) async throws(FlasherError) {
        let context = "loading the program into RAM"
        try board.checkPermits(context)
        guard dialect == .rom else {
            throw FlasherError(
                .unsupported, "\(context): expected the loader in ROM, got a stub, which the program may overwrite")
        }
        for segment in image.segments where !board.chip.memory.hasRAM(segment.data.count, at: segment.address) {
            throw FlasherError(
                .unsupported,
                "\(context): expected segments in RAM, got \(segment.data.count) bytes at "
                    + "0x\(String(segment.address, radix: 16))")
        }
        for segment in image.segments { try await load(Array(segment.data), at: segment.address, context) }
        let end = MemoryEnd(entryPoint: image.header.entryPoint)
        do throws(FlasherError) {
            _ = try await connection.send(end, within: .milliseconds(500), "starting the program")
        } catch  where error.isTransient {
            // It may write over the answer.
        }
    }
}
