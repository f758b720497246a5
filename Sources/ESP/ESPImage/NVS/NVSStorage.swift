/// An NVS partition in ESP-IDF's format: Espressif's tools can read data that a sketch stored, and vice versa.
///
/// An item is written before the one it replaces is erased, and mounting completes or reverts interrupted operations:
/// after a power loss at any operation a key has its old or its new value. Changes of several keys are not atomic.
public struct NVSStorage<Flash: NVSFlash> {
    /// The flash that contains the partition.
    public internal(set) var flash: Flash
    var pages: [NVSPage] = []
    /// The active pages in the order of their activation; entries are added to the last one.
    var order: [Int] = []
    /// The other pages, in the order in which they will be used.
    var free: [Int] = []
    var items: [ItemKey: ItemLocation] = [:]
    var namespaces: [(name: String, index: UInt8)] = []
    private var isMounted = true

    /// The unique key of an item: a key of a namespace, or a chunk of its blob.
    struct ItemKey: Hashable {
        var namespace: UInt8
        var key: [UInt8]
        var chunk = NVSEntry.noChunk
    }

    struct ItemLocation {
        var page: Int
        var index: Int
        var entry: NVSEntry

        var range: Range<Int> { index..<index + Int(entry.span) }
    }

    /// Mounts the partition in `flash`; an erased flash is an empty partition. Completes or reverts interrupted
    /// operations, which may write to the flash.
    ///
    /// - Throws: ``NVSError``: `noFreePages`, `newVersionFound`, `flashOperationFailed`.
    public init(mounting flash: Flash) throws(NVSError) {
        self.flash = flash
        try mount()
    }

    /// Runs `body`; after a flash error all further operations fail until the next mount.
    private mutating func change<Result>(
        _ body: (inout Self) throws(NVSError) -> Result
    ) throws(NVSError) -> Result {
        guard isMounted else { throw NVSError(.notInitialized, "the flash failed before: mount the partition again") }
        do throws(NVSError) {
            return try body(&self)
        } catch {
            if error.code == .flashOperationFailed { isMounted = false }
            throw error
        }
    }

    // MARK: Namespaces

    /// Opens a namespace; creates it unless `readOnly`.
    ///
    /// - Throws: ``NVSError``: `notFound` when the namespace does not exist and `readOnly` is true; `invalidName`,
    ///   `keyTooLong`, `notEnoughSpace`, `flashOperationFailed`.
    public mutating func openNamespace(_ name: String, readOnly: Bool) throws(NVSError) -> NVSNamespace {
        try change { (storage) throws(NVSError) in
            if let index = storage.namespaces.first(where: { $0.name == name })?.index {
                return NVSNamespace(index: index, isReadOnly: readOnly)
            }
            guard !readOnly else { throw NVSError(.notFound, "there is no namespace \"\(name)\"") }
            let key = try Self.checked(name, "namespace")
            guard let index = (1..<255).first(where: { index in !storage.namespaces.contains { $0.index == index } })
            else { throw NVSError(.notEnoughSpace, "all 254 namespaces are in use") }
            try storage.replace(
                with: NVSEntry(namespace: 0, type: .uint8, key: key, data: [UInt8(index)]), content: [])
            storage.namespaces.append((name, UInt8(index)))
            return NVSNamespace(index: UInt8(index), isReadOnly: false)
        }
    }

    // MARK: Values

    /// Stores `value`; replaces an old value of `key`, whatever its type. An equal value is not written again.
    ///
    /// - Throws: ``NVSError``: `readOnly`, `invalidName`, `keyTooLong`, `valueTooLong`, `notEnoughSpace`,
    ///   `flashOperationFailed`. After an error the old value is kept; after `flashOperationFailed`, the next mount
    ///   decides which value is kept.
    public mutating func set(_ key: String, to value: NVSValue, in namespace: NVSNamespace) throws(NVSError) {
        try change { (storage) throws(NVSError) in
            try namespace.requireWritable()
            let name = try Self.checked(key, "key")
            if let stored = try? storage.value(of: key, type: value.type, in: namespace), stored == value { return }
            switch value {
            case .blob(let bytes):
                try storage.setBlob(bytes[...], name, namespace.index)
            case .string:
                let content = value.bytes
                guard content.count <= NVSPage.contentLimit else {
                    throw NVSError(
                        .valueTooLong, "\(key): expected at most 3999 bytes, got \(content.count - 1)")
                }
                try storage.replace(
                    with: NVSEntry(namespace: namespace.index, type: .string, key: name, content: content[...]),
                    content: content[...])
            default:
                try storage.replace(
                    with: NVSEntry(namespace: namespace.index, type: value.type, key: name, data: value.bytes),
                    content: [])
            }
        }
    }

    /// The value of `key`.
    ///
    /// - Throws: ``NVSError``: `notFound` when the value is missing, has another type, or is damaged; `notInitialized`,
    ///   `flashOperationFailed`.
    public func value(of key: String, type: NVSType, in namespace: NVSNamespace) throws(NVSError) -> NVSValue {
        guard isMounted else { throw NVSError(.notInitialized, "the flash failed before: mount the partition again") }
        let itemKey = ItemKey(namespace: namespace.index, key: Array(key.utf8))
        if let item = items[itemKey], let value = try value(of: item, itemKey), value.type == type { return value }
        throw NVSError(.notFound, "there is no \"\(key)\" of that type")
    }

    /// The type of the value of `key`; `nil` when there is none.
    public func type(of key: String, in namespace: NVSNamespace) -> NVSType? {
        items[ItemKey(namespace: namespace.index, key: Array(key.utf8))].map { Self.visibleType($0.entry.type) }
    }

    /// Erases a key.
    ///
    /// - Throws: ``NVSError``: `readOnly`, `notFound`, `flashOperationFailed`.
    public mutating func erase(_ key: String, in namespace: NVSNamespace) throws(NVSError) {
        try change { (storage) throws(NVSError) in
            try namespace.requireWritable()
            let itemKey = ItemKey(namespace: namespace.index, key: Array(key.utf8))
            guard storage.items[itemKey] != nil else { throw NVSError(.notFound, "there is no \"\(key)\"") }
            try storage.erase(itemKey)
        }
    }

    /// Erases every key of a namespace, one after the other; keeps the namespace.
    ///
    /// - Throws: ``NVSError``: `readOnly`, `flashOperationFailed`.
    public mutating func eraseAll(in namespace: NVSNamespace) throws(NVSError) {
        try change { (storage) throws(NVSError) in
            try namespace.requireWritable()
            for (key, _) in storage.heads where key.namespace == namespace.index { try storage.erase(key) }
        }
    }

    // MARK: Contents

    /// Every key, in the order in which the values were stored.
    public var contents: [NVSItem] {
        heads.compactMap { key, item in
            guard let name = namespaces.first(where: { $0.index == key.namespace })?.name else { return nil }
            return NVSItem(
                namespace: name, key: String(decoding: key.key, as: UTF8.self), type: Self.visibleType(item.entry.type))
        }
    }

    /// The use of the partition.
    public var statistics: NVSStatistics {
        let total = pages.count * NVSPage.entryCount
        let used = order.reduce(0) { $0 + pages[$1].usedCount }
        return NVSStatistics(
            usedEntries: used, freeEntries: total - used, totalEntries: total, namespaceCount: namespaces.count)
    }

    private static func visibleType(_ type: NVSType) -> NVSType {
        type == .blobIndex || type == .legacyBlob ? .blob : type
    }

    private static func checked(_ name: String, _ kind: String) throws(NVSError) -> [UInt8] {
        let bytes = Array(name.utf8)
        guard !bytes.isEmpty, !bytes.contains(0) else { throw NVSError(.invalidName, "\(kind) \"\(name)\"") }
        guard bytes.count <= NVSEntry.nameLength else {
            throw NVSError(
                .keyTooLong, "\(kind) \"\(name)\": expected at most \(NVSEntry.nameLength) bytes, got \(bytes.count)")
        }
        return bytes
    }
}

/// Why an NVS operation failed, with ESP-IDF's code and name (`nvs.h`, `esp_err.h`).
public struct NVSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An `esp_err_t`; an open set.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number that a sketch receives.
        public let rawValue: Int32

        /// A code by number.
        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        /// `ESP_ERR_NVS_NOT_INITIALIZED`: a flash operation failed before; the partition must be mounted again.
        public static let notInitialized = Code(rawValue: 0x1101)
        /// `ESP_ERR_NVS_NOT_FOUND`: no such namespace, or no such key of that type.
        public static let notFound = Code(rawValue: 0x1102)
        /// `ESP_ERR_NVS_READ_ONLY`: a write to a namespace that was opened read-only.
        public static let readOnly = Code(rawValue: 0x1104)
        /// `ESP_ERR_NVS_NOT_ENOUGH_SPACE`
        public static let notEnoughSpace = Code(rawValue: 0x1105)
        /// `ESP_ERR_NVS_INVALID_NAME`: an empty name.
        public static let invalidName = Code(rawValue: 0x1106)
        /// `ESP_ERR_NVS_KEY_TOO_LONG`: a key or namespace of more than 15 bytes.
        public static let keyTooLong = Code(rawValue: 0x1109)
        /// `ESP_ERR_NVS_NO_FREE_PAGES`: there is no free page, as in a truncated partition.
        public static let noFreePages = Code(rawValue: 0x110D)
        /// `ESP_ERR_NVS_VALUE_TOO_LONG`: a string of more than 3999 bytes, or a blob that no partition of this size can hold.
        public static let valueTooLong = Code(rawValue: 0x110E)
        /// `ESP_ERR_NVS_NEW_VERSION_FOUND`: a format newer than version 2.
        public static let newVersionFound = Code(rawValue: 0x1110)
        /// `ESP_ERR_FLASH_OP_FAIL`: a flash operation failed, for example because of a power loss.
        public static let flashOperationFailed = Code(rawValue: 0x6001)

        /// ESP-IDF's name of the code.
        public var name: String {
            switch self {
            case .notInitialized: "ESP_ERR_NVS_NOT_INITIALIZED"
            case .notFound: "ESP_ERR_NVS_NOT_FOUND"
            case .readOnly: "ESP_ERR_NVS_READ_ONLY"
            case .notEnoughSpace: "ESP_ERR_NVS_NOT_ENOUGH_SPACE"
            case .invalidName: "ESP_ERR_NVS_INVALID_NAME"
            case .keyTooLong: "ESP_ERR_NVS_KEY_TOO_LONG"
            case .noFreePages: "ESP_ERR_NVS_NO_FREE_PAGES"
            case .valueTooLong: "ESP_ERR_NVS_VALUE_TOO_LONG"
            case .newVersionFound: "ESP_ERR_NVS_NEW_VERSION_FOUND"
            case .flashOperationFailed: "ESP_ERR_FLASH_OP_FAIL"
            default: hexadecimal(UInt32(bitPattern: rawValue))
            }
        }
    }

    /// The kind of fault.
    public var code: Code
    /// The expected and the found content, one line.
    public var detail: String

    /// A fault.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// One line: the code's name and the detail.
    public var description: String { "\(code.name): \(detail)" }
}

/// The part of a flash chip that contains an NVS partition: NOR flash, where programming only clears bits and erasing
/// sets all bits of a sector.
///
/// Each ``program(_:at:)`` and ``eraseSector(at:)`` is a point where a power loss can occur: the operation is then
/// incomplete or not begun, and throws.
public protocol NVSFlash {
    /// The size in bytes; a multiple of 4096.
    var size: Int { get }

    /// The `count` bytes at `offset`.
    ///
    /// - Throws: ``NVSError``: `flashOperationFailed`.
    func read(at offset: Int, count: Int) throws(NVSError) -> [UInt8]

    /// Clears, from `offset` on, the bits that are 0 in `bytes`.
    ///
    /// - Throws: ``NVSError``: `flashOperationFailed`.
    mutating func program(_ bytes: [UInt8], at offset: Int) throws(NVSError)

    /// Sets every bit of the 4096 bytes at `offset`, a multiple of 4096.
    ///
    /// - Throws: ``NVSError``: `flashOperationFailed`.
    mutating func eraseSector(at offset: Int) throws(NVSError)
}

/// An open namespace (`nvs_handle_t`).
public struct NVSNamespace: Hashable, Sendable {
    let index: UInt8
    /// True if it was opened read-only.
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

    /// Statistics with these counts.
    public init(usedEntries: Int, freeEntries: Int, totalEntries: Int, namespaceCount: Int) {
        self.usedEntries = usedEntries
        self.freeEntries = freeEntries
        self.totalEntries = totalEntries
        self.namespaceCount = namespaceCount
    }

    /// Free entries that can be used: one page always stays free.
    public var availableEntries: Int { max(0, freeEntries - NVSPage.entryCount) }
}
