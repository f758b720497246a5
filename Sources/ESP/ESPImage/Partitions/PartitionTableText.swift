/// The text form of a partition table: the CSV files of ESP-IDF and Arduino.
extension PartitionTable {
    /// Parses lines of `name, type, subtype, offset, size, flags`; `#` begins a comment.
    ///
    /// Numbers are decimal or begin with `0x`, and may end in `K` or `M`. A missing offset is the first aligned one
    /// after the previous partition; a negative size is the address where the partition ends.
    ///
    /// - Throws: ``ImageError`` with code `syntax`, which names the line.
    public init(csv: String) throws(ImageError) {
        partitions = []
        var next = Self.firstPartitionOffset
        for (index, line) in csv.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let text = line.prefix { $0 != "#" }
            guard !text.allSatisfy(\.isWhitespace) else { continue }
            let fields = text.split(separator: ",", omittingEmptySubsequences: false).map { field in
                String(field.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
            }
            let partition = try Self.partition(fields, next: next, line: index + 1)
            guard let end = UInt32(exactly: partition.end) else {
                throw Self.fault(index + 1, "the partition ends beyond 4 GB")
            }
            partitions.append(partition)
            next = end
        }
    }

    private static func partition(
        _ fields: [String], next: UInt32, line: Int
    ) throws(ImageError) -> Partition {
        guard (5...6).contains(fields.count) || (fields.count == 7 && fields[6].isEmpty) else {
            throw fault(line, "expected name, type, subtype, offset, size and flags, got \(fields.count) fields")
        }
        guard !fields[0].isEmpty, fields[0].utf8.count <= Partition.nameLimit else {
            throw fault(line, "expected a name of 1 to \(Partition.nameLimit) bytes, got \"\(fields[0])\"")
        }
        guard let kind = PartitionNames.kinds[fields[1]] ?? byte(fields[1]).map(Partition.Kind.init) else {
            throw fault(
                line,
                "expected the type app, data, bootloader, partition_table or a number from 0 to 255, got \"\(fields[1])\"")
        }
        let names = PartitionNames.subtypes(of: kind)
        // ESP-IDF: the subtype of data may be omitted, which is "undefined".
        let missing = kind == .data && fields[2].isEmpty ? names["undefined"] : nil
        guard let subtype = names[fields[2]] ?? byte(fields[2]) ?? missing else {
            throw fault(line, "expected a subtype of \(fields[1]) or a number from 0 to 255, got \"\(fields[2])\"")
        }
        let offset: UInt32
        if fields[3].isEmpty {
            let alignment = UInt64(kind.alignment)
            guard let fitting = UInt32(exactly: (UInt64(next) + alignment - 1) / alignment * alignment) else {
                throw fault(line, "the partition begins beyond 4 GB")
            }
            offset = fitting
        } else if let number = number(fields[3]) {
            offset = number
        } else {
            throw fault(line, "expected an offset such as 0x10000 or 64K, got \"\(fields[3])\"")
        }
        let size: UInt32
        if fields[4].hasPrefix("-"), let end = number(String(fields[4].dropFirst())), end > offset {
            size = end - offset
        } else if let number = number(fields[4]), number > 0 {
            size = number
        } else {
            throw fault(line, "expected a size such as 0x100000 or 1M, got \"\(fields[4])\"")
        }
        var flags: UInt32 = 0
        for flag in fields.count > 5 ? fields[5].split(separator: ":") : [] {
            switch flag {
            case "encrypted": flags |= 1
            case "readonly": flags |= 2
            default: throw fault(line, "expected the flags encrypted or readonly, got \"\(flag)\"")
            }
        }
        return Partition(name: fields[0], kind: kind, subtype: subtype, offset: offset, size: size, flags: flags)
    }

    private static func byte(_ text: String) -> UInt8? {
        number(text).flatMap { UInt8(exactly: $0) }
    }

    private static func number(_ text: String) -> UInt32? {
        var digits = text[...]
        var factor: UInt32 = 1
        if let last = digits.last, let unit = ["k": UInt32(1 << 10), "m": 1 << 20][last.lowercased()] {
            factor = unit
            digits = digits.dropLast()
        }
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        if isHexadecimal { digits = digits.dropFirst(2) }
        guard let first = digits.first, first != "+", first != "-",
            let value = UInt32(digits, radix: isHexadecimal ? 16 : 10)
        else { return nil }
        let (product, overflow) = value.multipliedReportingOverflow(by: factor)
        return overflow ? nil : product
    }

    private static func fault(_ line: Int, _ detail: String) -> ImageError {
        ImageError(.syntax, "partition table, line \(line)", detail)
    }
}
