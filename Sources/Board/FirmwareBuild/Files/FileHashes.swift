import Synchronization

/// The hashes of files in one build: each file is read once.
final class FileHashes: Sendable {
    private let hashes = Mutex<[String: String]>([:])

    /// The hash of the file at `path`; `nil` when it cannot be read.
    func hash(of path: String) -> String? {
        if let known = hashes.withLock({ $0[path] }) { return known }
        guard let bytes = try? FileTree.contents(of: path) else { return nil }
        var hash = ContentHash()
        hash.add(bytes)
        let text = hash.text
        hashes.withLock { $0[path] = text }
        return text
    }
}
