/// Recognises output that was received at another rate than it was sent: most of its bytes are no text. A pure state
/// machine.
public struct GarbageDetector: Sendable {
    /// The number of bytes that are judged together.
    private static let length = 128
    /// More faulty bytes than this, of ``length``, are no text: random bytes have some 80, text with colours none.
    private static let limit = 40

    private var bytes: [UInt8] = []
    private var isDone = false

    /// A detector for one connection.
    public init() {}

    /// Adds received bytes; returns true once, when they are garbage.
    public mutating func receive(_ received: [UInt8]) -> Bool {
        guard !isDone else { return false }
        for byte in received {
            bytes.append(byte)
            guard bytes.count == Self.length else { continue }
            isDone = Self.faults(bytes) > Self.limit
            bytes.removeAll(keepingCapacity: true)
            if isDone { return true }
        }
        return false
    }

    /// The number of bytes that belong to no text in UTF-8: control characters, and sequences that are not valid.
    private static func faults(_ bytes: [UInt8]) -> Int {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.count { scalar in
            switch scalar {
            case "\t", "\n", "\r", "\u{1B}": false
            case "\u{FFFD}", "\u{0}"..<" ", "\u{7F}"..."\u{9F}": true
            default: false
            }
        }
    }
}
