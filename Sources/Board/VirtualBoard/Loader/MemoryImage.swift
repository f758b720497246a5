/// What a flasher has loaded into RAM: never executed, but recognised.
struct MemoryImage {
    /// What starts at the entry point.
    enum Program: Hashable {
        /// A flasher stub.
        case stub
        /// A program whose first text that ends with a line feed is this; it greets with it, again and again.
        case greeting(String)
        /// Any other program.
        case silent
    }

    /// The most bytes kept: more than any chip has RAM.
    private static let limit = 2 << 20
    /// Stubs are 3.3 KB and more; the greeting alone is also in other programs that speak the protocol.
    private static let smallestStub = 2048
    /// The first frame of a stub, as a word.
    private static let stubGreeting: UInt32 = 0x4941_484F

    private var segments: [(address: UInt32, bytes: [UInt8])] = []

    private var count: Int { segments.reduce(0) { $0 + $1.bytes.count } }

    /// Begins a segment at `address`, or continues the last one if the address is in it or at its end.
    mutating func begin(at address: UInt32) {
        if let last = segments.last, address >= last.address, Int(address - last.address) <= last.bytes.count {
            segments[segments.count - 1].bytes.removeLast(last.bytes.count - Int(address - last.address))
            return
        }
        segments.append((address, []))
    }

    /// Appends to the current segment.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard let last = segments.indices.last, count + bytes.count <= Self.limit else { return }
        segments[last].bytes += bytes
    }

    /// The word that was loaded to `address`; `nil`: none was.
    func word(at address: UInt32) -> UInt32? {
        guard
            let segment = segments.last(where: {
                $0.address <= address && Int(address - $0.address) + 4 <= $0.bytes.count
            })
        else { return nil }
        return segment.bytes[Int(address - segment.address)...].prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// What starts at `entryPoint`.
    func program(entryPoint: UInt32) -> Program {
        let entry = segments.last { $0.address <= entryPoint && Int(entryPoint - $0.address) < $0.bytes.count }
        if let entry, entry.bytes.count >= Self.smallestStub, segments.contains(where: { Self.greets($0.bytes) }) {
            return .stub
        }
        return segments.lazy.compactMap { Self.text(in: $0.bytes) }.first.map { .greeting($0) } ?? .silent
    }

    /// Whether code or data contain `OHAI`: as literal, or as RISC-V code loads it, the upper 20 bits by LUI.
    private static func greets(_ bytes: [UInt8]) -> Bool {
        let literal = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: stubGreeting >> $0) }
        // The lower 12 bits are added with their sign.
        let upper = (stubGreeting + 0x800) >> 12
        return bytes.indices.dropLast(3).contains { index in
            if bytes[index] == literal[0], bytes[index..<index + 4].elementsEqual(literal) { return true }
            guard bytes[index] & 0x7F == 0x37, index.isMultiple(of: 2) else { return false }
            let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[index + $1]) << UInt32($1 * 8) }
            return word >> 12 == upper
        }
    }

    /// The first text of at least four characters, a line feed and a zero byte.
    private static func text(in bytes: [UInt8]) -> String? {
        var start = 0
        for (index, byte) in bytes.enumerated() {
            if byte == 0 {
                let candidate = bytes[start..<index]
                if candidate.count > 4, candidate.last == 0x0A { return String(decoding: candidate, as: UTF8.self) }
                start = index + 1
            } else if !(0x20...0x7E).contains(byte), byte != 0x0A, byte != 0x0D, byte != 0x09 {
                start = index + 1
            }
        }
        return nil
    }
}
