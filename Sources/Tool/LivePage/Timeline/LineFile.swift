import Synchronization
import SystemPackage

/// The bytes of a timeline: a file, and the last bytes, which are not yet in it.
package final class LineFile: Sendable {
    private struct Tail {
        /// How many bytes are in the file.
        var written: Int64 = 0
        /// Those that follow.
        var bytes: [UInt8] = []
    }

    /// So many bytes are written at once.
    private static let chunkSize = 64 << 10

    private let descriptor: FileDescriptor
    private let tail: Mutex<Tail?>

    /// A file that is only read, or one that is empty and appended to; it is closed with this object.
    package init(_ descriptor: FileDescriptor, isAppended: Bool) {
        self.descriptor = descriptor
        tail = Mutex(isAppended ? Tail() : nil)
    }

    deinit { try? descriptor.close() }

    /// Adds bytes.
    ///
    /// - Throws: `Errno` if the file cannot be written; what was added before can be read even so.
    package func append(_ bytes: some Collection<UInt8>) throws {
        try tail.withLock { tail in
            guard var next = tail else { throw Errno.badFileDescriptor }
            tail = nil
            defer { tail = next }
            if next.bytes.count >= Self.chunkSize {
                try descriptor.writeAll(toAbsoluteOffset: next.written, next.bytes)
                next.written += Int64(next.bytes.count)
                next.bytes.removeAll(keepingCapacity: true)
            }
            next.bytes += bytes
        }
    }

    /// The bytes from `offset` on; fewer than `count` at the end of the file.
    ///
    /// What is in the file does not change: whoever appends waits for no reader.
    package func read(at offset: Int64, count: Int) throws -> [UInt8] {
        let (inFile, rest): (Int, ArraySlice<UInt8>) = tail.withLock { tail in
            guard let tail else { return (count, []) }
            let inFile = Int(max(0, min(Int64(count), tail.written - offset)))
            let start = Int(max(0, offset - tail.written))
            return (inFile, tail.bytes.dropFirst(start).prefix(count - inFile))
        }
        return try inFile > 0 ? readFile(at: offset, count: inFile) + rest : Array(rest)
    }

    private func readFile(at offset: Int64, count: Int) throws -> [UInt8] {
        var read = 0
        // One that a `[UInt8](unsafeUninitializedCapacity:)` throws out of keeps nothing.
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while read < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[read...])
                let size = try descriptor.read(fromAbsoluteOffset: offset + Int64(read), into: rest)
                if size == 0 { break }
                read += size
            }
            initialized = read
        }
    }

    /// Which file it is, and how many bytes it has now.
    package func stat() throws -> Stat { try descriptor.stat() }
}
