public import BLEHost
import Synchronization

/// What a central keeps from one run to the next.
public struct KeptKeys: Hashable, Sendable {
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

/// Where a central keeps its keys.
public protocol BondStore: Sendable {
    /// What has been kept; no keys when nothing has.
    func load() throws(BondStoreError) -> KeptKeys

    /// Keeps `keys` in place of what was kept: all of it or nothing, whatever happens meanwhile.
    func save(_ keys: KeptKeys) throws(BondStoreError)
}

/// Why keys could not be read or kept.
public struct BondStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// The file is not one of keys, or is damaged.
        case damaged
        /// The operating system refused; its error number.
        case system(Int32)
    }

    /// The kind of fault.
    public var code: Code
    /// What failed, what was expected, what came, in which file; one line.
    public var detail: String

    /// A fault with its one line of detail.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The detail.
    public var description: String { detail }
}

/// Keeps keys as long as it lives.
public final class MemoryBondStore: BondStore {
    private let keys: Mutex<KeptKeys>

    /// A store that has kept `keys`; by default none.
    public init(_ keys: KeptKeys = KeptKeys()) {
        self.keys = Mutex(keys)
    }

    /// What has been kept.
    public func load() -> KeptKeys { keys.withLock { $0 } }

    /// Keeps `keys`.
    public func save(_ keys: KeptKeys) { self.keys.withLock { $0 = keys } }
}
