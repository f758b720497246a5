import ByteCodec
import Crypto
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The hashes of files in one build: each file is read once.
///
/// A file that is changed while it is compiled would be recorded with contents that the compiler has not read: its
/// results must not be stored (``areSettled(_:)``).
final class FileHashes: Sendable {
    private struct Contents {
        var hashes: [String: String] = [:]
        /// Files changed at or after this moment are not settled, except in the state that they had before it.
        var beginning: FileState.Moment?
        var settled: [String: FileState] = [:]
        var unsettled: [String: FileState] = [:]
    }

    private let contents = Mutex(Contents())

    /// The hash of the file at `path`; `nil` when it cannot be read.
    func hash(of path: String) -> String? {
        if let known = contents.withLock({ $0.hashes[path] }) { return known }
        guard let bytes = try? FileTree.contents(of: path) else { return nil }
        var hash = ContentHash()
        hash.add(bytes)
        let text = hash.text
        contents.withLock { $0.hashes[path] = text }
        return text
    }

    /// Begins to compile: forgets the hashes, and accepts the present state of files that were not settled.
    ///
    /// - Parameter folder: where a file is written to learn the time of the file system.
    func begin(in folder: String) throws(FirmwareBuildError) {
        let stamp = FileTree.temporaryPath(for: folder + "/begin")
        try FileTree.write("", to: stamp)
        defer { FileTree.remove(stamp) }
        let beginning = FileState(stamp)?.changed
        contents.withLock { contents in
            let settled = contents.unsettled.filter { FileState($0.key) == $0.value }
            contents = Contents(beginning: beginning, settled: settled)
        }
    }

    /// True if none of the files has been changed since compiling began; they must have been hashed before.
    func areSettled(_ paths: [String]) -> Bool {
        contents.withLock { contents in
            guard let beginning = contents.beginning else { return true }
            var areSettled = true
            for path in paths {
                guard let state = FileState(path), state.changed >= beginning, contents.settled[path] != state else {
                    continue
                }
                contents.unsettled[path] = state
                areSettled = false
            }
            return areSettled
        }
    }

    /// A file that was not settled, the first by its path.
    var unsettled: String? { contents.withLock { $0.unsettled.keys.min() } }
}

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
        Hexadecimal.string(Array(hash.finalize().prefix(8)))
    }
}

/// The identity of the file at a path and the time of its last change: equal states mean equal contents.
struct FileState: Equatable, Sendable {
    /// A time of the file system's clock.
    struct Moment: Comparable, Sendable {
        var seconds: Int
        var nanoseconds: Int

        static func < (left: Moment, right: Moment) -> Bool {
            (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
        }
    }

    /// The time at which the contents were changed last, or the file was moved there.
    var changed: Moment
    private var number: UInt64
    private var size: Int

    /// The state of the file at `path`; `nil` when no file exists there.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_ctimespec
        #else
            let time = status.st_ctim
        #endif
        changed = Moment(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
        number = UInt64(status.st_ino)
        size = Int(status.st_size)
    }
}
