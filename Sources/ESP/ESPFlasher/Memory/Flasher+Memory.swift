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
        guard !board.isInSecureDownloadMode else {
            throw FlasherError(
                .secureDownload, "\(context): the chip is in secure download mode, which permits only writing")
        }
        guard dialect == .rom else {
            throw FlasherError(
                .unsupported, "\(context): expected the loader in ROM, got a stub, which the program may overwrite")
        }
        for segment in image.segments {
            let size = UInt64(segment.data.count)
            let address = segment.address
            let isInRAM = board.chip.memory.ram.contains {
                $0.contains(address) && size <= UInt64($0.upperBound - address)
            }
            guard isInRAM else {
                throw FlasherError(
                    .unsupported,
                    "\(context): expected segments in RAM, got \(size) bytes at 0x\(String(address, radix: 16))")
            }
        }
        for segment in image.segments { try await load(Array(segment.data), at: segment.address, context) }
        let end = MemoryEnd(entryPoint: image.header.entryPoint)
        do throws(FlasherError) {
            _ = try await connection.send(end, within: .milliseconds(500), "starting the program")
        } catch  where error.isTransient {
            // It may write over the answer.
        }
    }

    /// Reads `count` bytes of the address space, word by word.
    ///
    /// - Parameter progress: called with the number of bytes read so far.
    /// - Throws: ``FlasherError`` with code `misaligned` when address or count is no multiple of 4, `secureDownload`, or
    ///   one of a command.
    public func readMemory(
        at address: UInt32, count: Int, of board: ConnectedBoard, progress: (Int) -> Void = { _ in }
    ) async throws(FlasherError) -> [UInt8] {
        let context = "reading memory at 0x\(String(address, radix: 16))"
        guard !board.isInSecureDownloadMode else {
            throw FlasherError(
                .secureDownload, "\(context): the chip is in secure download mode, which permits only writing")
        }
        guard address % 4 == 0, count >= 0, count % 4 == 0, UInt64(address) + UInt64(count) <= 1 << 32 else {
            throw FlasherError(
                .misaligned, "\(context): expected an address and a count that are multiples of 4, got \(count) bytes")
        }
        var result: [UInt8] = []
        result.reserveCapacity(count)
        while result.count < count {
            let word = try await readRegister(address + UInt32(result.count))
            result += word.bytes.reversed()
            if result.count % 1024 == 0 || result.count == count { progress(result.count) }
        }
        return result
    }
}
