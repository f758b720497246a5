import PrivateFile

/// Stores keys in a file that only this user may read.
///
/// A new version is written to a temporary file and then renamed, so that a power cut leaves the old or the new
/// version. A file that cannot be read is never overwritten: ``load()`` fails, and a central that could not load its
/// keys saves nothing.
public struct BondFile: BondStore {
    private let path: String
    /// 1000 bonds take less than a third of what is read.
    private var file: PrivateFile { PrivateFile(path: path) }

    /// The file at `path`, which need not exist yet; its folder must exist.
    public init(path: String) {
        self.path = path
    }

    /// The keys in the file; none if it does not exist, or is empty, as a full disk leaves one.
    public func load() throws(BondStoreError) -> StoredKeys {
        let bytes: [UInt8]?
        do throws(PrivateFileError) {
            bytes = try file.read()
        } catch {
            throw BondStoreError(error)
        }
        guard let bytes, !bytes.isEmpty else { return StoredKeys() }
        return try BondFileText.keys(in: bytes, path: path)
    }

    /// Replaces the file.
    public func save(_ keys: StoredKeys) throws(BondStoreError) {
        do throws(PrivateFileError) {
            try file.replace(BondFileText.bytes(of: keys))
        } catch {
            throw BondStoreError(error)
        }
    }
}

extension BondStoreError {
    fileprivate init(_ error: PrivateFileError) {
        let code: Code = if case .system(let number) = error.code { .system(number) } else { .damaged }
        self.init(code, error.description("the file of keys"))
    }
}
