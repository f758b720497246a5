public import BLEHost
import Synchronization

/// The keys that a central stores persistently.
public struct StoredKeys: Hashable, Sendable {
    /// The central's own Identity Resolving Key, 16 bytes; `nil` before it was first powered on.
    public var identityKey: [UInt8]?
    /// Its bonds, oldest first.
    public var bonds: [Bond]

    /// These keys; by default none.
    public init(identityKey: [UInt8]? = nil, bonds: [Bond] = []) {
        self.identityKey = identityKey
        self.bonds = bonds
    }
}

/// The storage of a central's keys.
public protocol BondStore: Sendable {
    /// The stored keys; none if nothing was stored.
    func load() throws(BondStoreError) -> StoredKeys

    /// Replaces the stored keys by `keys`, atomically.
    func save(_ keys: StoredKeys) throws(BondStoreError)
}

/// Why keys could not be loaded or stored.
public struct BondStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// The file has another format, or is damaged.
        case damaged
        /// The operating system refused; its error number.
        case system(Int32)
    }

    /// The kind of fault.
    public var code: Code
    /// What failed, what was expected, what was found, and in which file; one line.
    public var detail: String

    /// A fault with its one line of detail.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The detail.
    public var description: String { detail }
}

/// Stores keys in memory.
public final class MemoryBondStore: BondStore {
    private let keys: Mutex<StoredKeys>

    /// A store that holds `keys`; by default none.
    public init(_ keys: StoredKeys = StoredKeys()) {
        self.keys = Mutex(keys)
    }

    /// The stored keys.
    public func load() -> StoredKeys { keys.withLock { $0 } }

    /// Replaces the stored keys.
    public func save(_ keys: StoredKeys) { self.keys.withLock { $0 = keys } }
}
