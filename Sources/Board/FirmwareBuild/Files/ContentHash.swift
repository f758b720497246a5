import Crypto

/// A hash of contents: equal contents in equal order give equal names.
struct ContentHash {
    private var hash = SHA256()

    mutating func add(_ text: String) {
        // The length prefix distinguishes ("ab", "c") from ("a", "bc").
        withUnsafeBytes(of: UInt64(text.utf8.count).littleEndian) { hash.update(bufferPointer: $0) }
        hash.update(data: Array(text.utf8))
    }

    mutating func add(_ bytes: [UInt8]) {
        withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update(bufferPointer: $0) }
        hash.update(data: bytes)
    }

    mutating func add(contentsOf path: String) throws(FirmwareBuildError) {
        add(path)
        hash.update(data: try FileTree.contents(of: path))
    }

    mutating func add(flags: [String]) {
        add("\(flags.count) flags")
        flags.forEach { add($0) }
    }

    /// Sixteen hexadecimal digits.
    var text: String {
        hash.finalize().prefix(8).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
