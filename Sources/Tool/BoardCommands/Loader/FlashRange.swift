import BoardConsole
import CommandSupport
import ESPFlasher
import ESPImage
import FirmwareBuild
import SerialPort

/// A part of a board's flash, as a command line names it.
enum FlashRange: Sendable {
    /// The whole flash.
    case whole
    /// These addresses.
    case addresses(Range<UInt64>)
    /// The partition of this name.
    case partition(String)

    /// The help text of arguments with a range.
    static let help =
        "A partition's name, an address and a size (0x9000 0x5000), an address and its end (0x9000-0xe000), or all."

    /// Reads the arguments of a command: none or `all`, a name, an address and a size, or two addresses with a hyphen.
    ///
    /// - Throws: ``CommandFailure`` with exit code `usage`.
    init(_ words: [String]) throws(CommandFailure) {
        switch words.count {
        case 0: self = .whole
        case 1 where words[0].lowercased() == "all": self = .whole
        case 1 where FlashAddress(words[0]) == nil:
            let parts = words[0].split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let start = FlashAddress(String(parts[0]))?.value,
                let end = FlashAddress(String(parts[1]))?.value
            else {
                self = .partition(words[0])
                return
            }
            guard start < end else {
                throw CommandFailure(
                    .usage, "expected a range that ends behind its start, such as 0x9000-0xe000, got '\(words[0])'",
                    code: "usage.range")
            }
            self = .addresses(UInt64(start)..<UInt64(end))
        case 2... where !FlashAddress.isNumber(words[0]):
            throw CommandFailure(
                .usage, "expected one range, got '\(words.joined(separator: " "))'", code: "usage.oneRange")
        case 2:
            guard let start = FlashAddress(words[0])?.value else {
                throw CommandFailure(
                    .usage, "expected an address such as 0x9000, got '\(words[0])'", code: "usage.range")
            }
            guard words[1].lowercased() != "all" else {
                self = .addresses(UInt64(start)..<UInt64.max)
                return
            }
            guard let size = FlashAddress(words[1])?.value, size > 0 else {
                throw CommandFailure(
                    .usage, "expected a size such as 0x5000 or 20K, got '\(words[1])'", code: "usage.range")
            }
            self = .addresses(UInt64(start)..<UInt64(start) + UInt64(size))
        default:
            throw CommandFailure(
                .usage,
                "expected a partition's name, an address and a size, or all, got '\(words.joined(separator: " "))'",
                code: "usage.range")
        }
    }

    /// The addresses on a board.
    ///
    /// - Throws: ``CommandFailure`` with exit code `refused` for addresses beyond the flash, or if the chip's mode
    ///   prevents finding them; `badInput` if there is no such partition.
    func addresses(in session: borrowing BoardSession) async throws -> Range<UInt64> {
        guard let size = session.board.flashSize else {
            if case .addresses(let range) = self, range.upperBound < .max { return range }
            if case .partition(let name) = self {
                try session.board.checkPermits("finding the partition '\(name)'")
            }
            try session.board.checkPermits("finding the size of the flash")
            throw CommandFailure(
                .flashFailed, "the size of the flash is not known: give an address and a size", code: "flash.noFlash")
        }
        switch self {
        case .whole: return 0..<size
        case .addresses(let range):
            let end = range.upperBound == .max ? size : range.upperBound
            guard range.lowerBound < end, end <= size else {
                throw CommandFailure(
                    .refused,
                    "expected addresses in a flash of 0x\(String(size, radix: 16)) bytes, got 0x\(String(range.lowerBound, radix: 16)) to 0x\(String(end, radix: 16))",
                    code: "flash.beyondEnd")
            }
            return range.lowerBound..<end
        case .partition(let name):
            let table = try await session.partitionTable()
            guard let partition = table.named(name) else {
                let names = table.partitions.map { DeviceText.withoutControls($0.name) }
                throw CommandFailure(
                    .badInput,
                    "no partition '\(name)' on the board, expected one of: \(names.joined(separator: ", "))",
                    code: "flash.noPartition")
            }
            guard partition.end <= size else {
                throw CommandFailure(
                    .refused,
                    """
                    partition \(name): expected an end within the flash of \(size) bytes, got \
                    0x\(String(partition.end, radix: 16))
                    """,
                    code: "flash.beyondEnd")
            }
            return UInt64(partition.offset)..<partition.end
        }
    }
}

extension BoardSession {
    /// The partition table in the board's flash.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput` when there is none.
    func partitionTable() async throws -> PartitionTable {
        let start = UInt64(PartitionTable.offset)
        let bytes = try await flasher.read(start..<start + 0x1000, of: board)
        do throws(ImageError) {
            return try PartitionTable(bytes[...])
        } catch {
            throw CommandFailure(
                .badInput, "the board's partition table at 0x8000: \(error)", code: "flash.noPartitionTable")
        }
    }
}
