/// Shows bytes as lines of 16: the offset since the beginning, hexadecimal, and ASCII.
///
/// ```
/// 00000010  48 65 6c 6c 6f 0d 0a                              |Hello..|
/// ```
public struct HexDump: Sendable {
    private static let width = 16
    private static let digits = Array("0123456789abcdef".utf8)

    private var pending: [UInt8] = []
    private var offset: UInt64 = 0

    /// A dump that begins at offset 0.
    public init() {}

    /// Adds bytes; returns the lines they complete, in ASCII without terminators.
    public mutating func append(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.width - pending.count)
            pending += part
            rest = rest.dropFirst(part.count)
            if pending.count == Self.width, let line = flush() { lines.append(line) }
        }
        return lines
    }

    /// Ends and returns the incomplete line, if there is one; the next line begins at its end.
    public mutating func flush() -> [UInt8]? {
        guard !pending.isEmpty else { return nil }
        defer {
            offset += UInt64(pending.count)
            pending.removeAll(keepingCapacity: true)
        }
        let space = UInt8(ascii: " ")
        var line: [UInt8] = []
        line.reserveCapacity(80)
        for shift in stride(from: UInt64(28), through: 0, by: -4) {
            line.append(Self.digits[Int(offset >> shift & 15)])
        }
        for index in 0..<Self.width {
            if index % 8 == 0 { line.append(space) }
            line.append(space)
            guard index < pending.count else {
                line += [space, space]
                continue
            }
            line += [Self.digits[Int(pending[index] >> 4)], Self.digits[Int(pending[index] & 15)]]
        }
        line += [space, space, UInt8(ascii: "|")]
        line += pending.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }
        line.append(UInt8(ascii: "|"))
        return line
    }
}
