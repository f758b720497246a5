/// When a log file has reached its size, and how its former ones are renamed: `FILE` becomes `FILE.1`, `FILE.1` becomes
/// `FILE.2`, and the one after the last is removed.
public struct LogRotation: Hashable, Sendable {
    /// A step on files.
    public enum Step: Hashable, Sendable {
        /// Removes a file.
        case remove(String)
        /// Renames a file.
        case rename(String, to: String)
    }

    /// Of a log for which nothing else was asked: 100 MiB hold more than a night of most consoles, and six such files are
    /// a bound.
    public static let standard = LogRotation(maximumSize: 100 << 20, kept: 5)

    /// How many former files can be kept: each rotation renames them all.
    public static let keepable = 0...1000

    /// The largest size of a file in bytes; `nil`: without limit.
    public let maximumSize: Int?
    /// How many former files are kept.
    public let kept: Int

    /// Rotation at `maximumSize`, with `kept` former files.
    public init(maximumSize: Int?, kept: Int) {
        self.maximumSize = maximumSize
        self.kept = min(max(kept, Self.keepable.lowerBound), Self.keepable.upperBound)
    }

    /// The bytes that still go into a file of `size`: whole lines of `bytes`, as many as fit; the first line always goes
    /// into a file that has only its `heading`, of so many bytes.
    public func part(of bytes: ArraySlice<UInt8>, size: Int, heading: Int = 0) -> ArraySlice<UInt8> {
        guard let maximumSize, size + bytes.count > maximumSize else { return bytes }
        let room = max(0, maximumSize - size)
        if let end = bytes.prefix(room).lastIndex(of: 0x0A) { return bytes[...end] }
        guard size <= heading else { return bytes.prefix(0) }
        return bytes.firstIndex(of: 0x0A).map { bytes[...$0] } ?? bytes
    }

    /// The steps before a new file is begun at `path`: former files move up to the first number that is free.
    ///
    /// - Parameter exists: whether there is a file at a path.
    public func steps(_ path: String, exists: (String) -> Bool) -> [Step] {
        guard kept > 0 else { return [.remove(path)] }
        let free = (1...kept).first { !exists("\(path).\($0)") }
        var steps: [Step] = free == nil ? [.remove("\(path).\(kept)")] : []
        for number in stride(from: (free ?? kept) - 1, to: 0, by: -1) {
            steps.append(.rename("\(path).\(number)", to: "\(path).\(number + 1)"))
        }
        return steps + [.rename(path, to: "\(path).1")]
    }
}
