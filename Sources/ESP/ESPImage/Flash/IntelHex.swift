import ByteCodec

/// Data with their addresses, from a file in Intel's hexadecimal object format ("Hexadecimal Object File Format
/// Specification", Intel 1988).
///
/// Records 00 (data), 01 (end), 02 and 04 (segment and linear base address) are read; 03 and 05 (start addresses) are
/// checked and ignored.
public struct IntelHex: Hashable, Sendable {
    /// A run of data without gaps.
    public struct Block: Hashable, Sendable {
        /// The address of the first byte.
        public var address: UInt32
        /// The data.
        public var bytes: [UInt8]

        /// The first address after it.
        public var end: UInt64 { UInt64(address) + UInt64(bytes.count) }
    }

    /// The most data that a file may hold, in bytes.
    public static let limit = 16 << 20
    /// The first address beyond the largest flash.
    public static let addressLimit: UInt64 = 128 << 20

    /// The data, by address; the blocks are separated by gaps.
    public let blocks: [Block]

    /// True if `bytes` begin like such a file: with a colon and at least the ten digits of a record.
    public static func isLikely(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 11 && bytes[0] == UInt8(ascii: ":") && bytes[1..<11].allSatisfy { digit($0) != nil }
    }

    /// Parses the text of a file.
    ///
    /// - Throws: ``ImageError`` with code `hexFile`, or `checksum`; the subject is the line.
    public init(_ text: [UInt8]) throws(ImageError) {
        var found: [Block] = []
        var (base, isLinear, total, number, hasEnded) = (UInt32(0), true, 0, 0, false)
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let line = Self.trimmed(line)
            guard !line.isEmpty else { continue }
            guard !hasEnded else { throw Self.error(number, "expected nothing after the end record, got a line") }
            let record = try Record(line, number)
            switch record.kind {
            case 0:
                guard !record.data.isEmpty else { continue }
                // The offset of a segment's address wraps within its 64 KB.
                let end = UInt64(record.offset) + UInt64(record.data.count)
                guard isLinear || end <= 0x1_0000 else {
                    throw Self.error(
                        number, "expected data that end within the segment, got an end at \(hexadecimal(end))")
                }
                let address = UInt64(base) + UInt64(record.offset)
                guard address + UInt64(record.data.count) <= Self.addressLimit else {
                    throw Self.error(
                        number,
                        "expected addresses of a flash, below \(hexadecimal(Self.addressLimit)), got \(hexadecimal(address))"
                    )
                }
                total += record.data.count
                guard total <= Self.limit else {
                    throw Self.error(number, "expected at most \(Self.limit) bytes of data, got more")
                }
                if let last = found.indices.last, found[last].end == address {
                    found[last].bytes.append(contentsOf: record.data)
                } else {
                    found.append(Block(address: UInt32(address), bytes: record.data))
                }
            case 1:
                try record.expectLength(0, number)
                hasEnded = true
            case 2, 4:
                try record.expectLength(2, number)
                let value = UInt32(record.data[0]) << 8 | UInt32(record.data[1])
                (base, isLinear) = record.kind == 2 ? (value << 4, false) : (value << 16, true)
            case 3, 5: try record.expectLength(4, number)
            default:
                throw Self.error(number, "expected a record type 00 to 05, got \(hexadecimal(record.kind, digits: 2))")
            }
        }
        guard hasEnded else { throw Self.error(number, "expected the end record :00000001FF, got the file's end") }
        guard !found.isEmpty else { throw Self.error(number, "expected data, got none") }
        blocks = try Self.joined(found)
    }

    /// The data as regions of a flash. A gap within a sector is filled with `FF`, since a sector is erased as a whole.
    public func regions(name: String) -> [FlashLayout.Region] {
        var result: [FlashLayout.Region] = []
        for block in blocks {
            if let last = result.indices.last,
                (result[last].end - 1) / FlashLayout.sectorSize == UInt64(block.address) / FlashLayout.sectorSize
            {
                let gap = Int(UInt64(block.address) - result[last].end)
                result[last].bytes.append(contentsOf: repeatElement(0xFF, count: gap))
                result[last].bytes.append(contentsOf: block.bytes)
            } else {
                result.append(FlashLayout.Region(name: name, offset: block.address, bytes: block.bytes))
            }
        }
        return result
    }

    /// The blocks by address, with neighbours joined.
    private static func joined(_ blocks: [Block]) throws(ImageError) -> [Block] {
        var result: [Block] = []
        for block in blocks.sorted(by: { $0.address < $1.address }) {
            guard let last = result.indices.last, result[last].end >= block.address else {
                result.append(block)
                continue
            }
            guard result[last].end == block.address else {
                throw ImageError(
                    .hexFile, "Intel HEX",
                    "expected each address once, got data at \(hexadecimal(block.address)) twice")
            }
            result[last].bytes.append(contentsOf: block.bytes)
        }
        return result
    }

    /// The text of a file with the data of `layout`: records of 16 bytes with linear base addresses, and the end
    /// record.
    public static func text(_ layout: FlashLayout) -> String {
        var lines: [String] = []
        var base: UInt32?
        for region in layout.regions {
            var rest = region.bytes[...]
            var address = region.offset
            while !rest.isEmpty {
                if base != address >> 16 {
                    base = address >> 16
                    lines.append(record(4, 0, [UInt8(address >> 24), UInt8(address >> 16 & 0xFF)]))
                }
                // A record ends at the latest with its 64 KB.
                let count = min(16, rest.count, 0x1_0000 - Int(address & 0xFFFF))
                lines.append(record(0, UInt16(truncatingIfNeeded: address), rest.prefix(count)))
                rest = rest.dropFirst(count)
                // Cannot overflow: a layout ends at the latest at `addressLimit`.
                address += UInt32(count)
            }
        }
        return (lines + [record(1, 0, [])]).joined(separator: "\n") + "\n"
    }

    private static func record(_ kind: UInt8, _ offset: UInt16, _ data: some Collection<UInt8>) -> String {
        let bytes = [UInt8(data.count), UInt8(offset >> 8), UInt8(offset & 0xFF), kind] + Array(data)
        return ":" + Hexadecimal.string(bytes + [0 &- bytes.reduce(0, &+)]).uppercased()
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        while let last = line.last, [0x0D, 0x20, 0x09].contains(last) { line.removeLast() }
        return line
    }

    fileprivate static func error(_ line: Int, _ detail: String) -> ImageError {
        ImageError(.hexFile, "Intel HEX, line \(line)", detail)
    }

    fileprivate static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// A line of an Intel HEX file.
private struct Record {
    let offset: UInt16
    let kind: UInt8
    let data: [UInt8]

    init(_ line: ArraySlice<UInt8>, _ number: Int) throws(ImageError) {
        guard line.first == UInt8(ascii: ":") else {
            throw IntelHex.error(number, "expected a record, which begins with a colon, got another character")
        }
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in line.dropFirst() {
            guard let digit = IntelHex.digit(character) else {
                throw IntelHex.error(
                    number, "expected hexadecimal digits, got the byte \(hexadecimal(character, digits: 2))")
            }
            if let upper = high {
                bytes.append(upper << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        // Length, two bytes of offset, type and checksum.
        let expected = 5 + Int(bytes.first ?? 0)
        guard high == nil, bytes.count == expected else {
            throw IntelHex.error(number, "expected \(2 * expected) digits, got \(line.count - 1)")
        }
        let sum = bytes.dropLast().reduce(0, &+)
        guard 0 &- sum == bytes[expected - 1] else {
            throw ImageError(
                .checksum, "Intel HEX, line \(number)",
                "expected checksum \(hexadecimal(0 &- sum, digits: 2)), got \(hexadecimal(bytes[expected - 1], digits: 2))"
            )
        }
        offset = UInt16(bytes[1]) << 8 | UInt16(bytes[2])
        kind = bytes[3]
        data = Array(bytes[4..<expected - 1])
    }

    func expectLength(_ length: Int, _ number: Int) throws(ImageError) {
        guard data.count == length else {
            throw IntelHex.error(
                number,
                "expected \(length) bytes in a record of type \(hexadecimal(kind, digits: 2)), got \(data.count)")
        }
    }
}

/// Files in Microsoft's UF2 format, which are not read.
public enum UF2 {
    /// The words at the beginning of each block of 512 bytes.
    private static let magic: [UInt8] = [0x55, 0x46, 0x32, 0x0A, 0x57, 0x51, 0x5D, 0x9E]

    /// True if `bytes` are such a file.
    public static func isLikely(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }
}
