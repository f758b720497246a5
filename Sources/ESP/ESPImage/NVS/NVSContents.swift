/// An open namespace (`nvs_handle_t`).
public struct NVSNamespace: Hashable, Sendable {
    let index: UInt8
    /// Whether it was opened read-only.
    public let isReadOnly: Bool

    func requireWritable() throws(NVSError) {
        if isReadOnly { throw NVSError(.readOnly, "the namespace was opened for reading only") }
    }
}

/// A key that has a value (`nvs_entry_info_t`).
public struct NVSItem: Hashable, Sendable {
    /// The name of its namespace.
    public var namespace: String
    /// The key.
    public var key: String
    /// The type of the value.
    public var type: NVSType

    /// A key of a namespace.
    public init(namespace: String, key: String, type: NVSType) {
        self.namespace = namespace
        self.key = key
        self.type = type
    }
}

/// The use of a partition, in entries of 32 bytes (`nvs_stats_t`).
public struct NVSStatistics: Hashable, Sendable {
    /// Entries in use.
    public var usedEntries: Int
    /// Empty or erased entries.
    public var freeEntries: Int
    /// All entries.
    public var totalEntries: Int
    /// The number of namespaces.
    public var namespaceCount: Int

    /// These counts.
    public init(usedEntries: Int, freeEntries: Int, totalEntries: Int, namespaceCount: Int) {
        self.usedEntries = usedEntries
        self.freeEntries = freeEntries
        self.totalEntries = totalEntries
        self.namespaceCount = namespaceCount
    }

    /// Free entries that can be used: one page always stays free.
    public var availableEntries: Int { max(0, freeEntries - NVSPage.entryCount) }
}
