internal import ByteCodec

/// One page of 4096 bytes: a header, two bits of state for each entry, 126 entries (`nvs_page.cpp`).
struct NVSPage {
    /// The size of a page, one flash sector.
    static let size = 4096
    /// The number of entries in a page.
    static let entryCount = 126
    /// The maximum number of bytes in the data entries of one item.
    static let contentLimit = (entryCount - 1) * NVSEntry.size
    private static let statesOffset = 32
    private static let entriesOffset = 64

    /// The page's first word. Each state clears bits of the one before.
    enum State: UInt32 {
        /// Completely erased.
        case uninitialized = 0xFFFF_FFFF
        /// Entries are being added.
        case active = 0xFFFF_FFFE
        /// No more entries are added.
        case full = 0xFFFF_FFFC
        /// Its items are being copied to another page.
        case freeing = 0xFFFF_FFF8
        /// Unusable until it is erased.
        case corrupt = 0xFFFF_FFF0
    }

    enum EntryState: UInt8 {
        case erased = 0b00
        case illegal = 0b01
        case written = 0b10
        case empty = 0b11
    }

    /// The offset in the partition.
    let offset: Int
    private(set) var state = State.uninitialized
    /// The sequence number: the order in which pages were activated.
    private(set) var sequence: UInt32 = 0
    private var entryStates = [UInt8](repeating: 0xFF, count: 32)
    /// The index of the next entry; 126 when the page is full.
    private(set) var nextFree = 0
    private(set) var usedCount = 0

    var isFree: Bool { state == .uninitialized || state == .corrupt }
    /// The number of entries that can be added.
    var room: Int { state == .active ? Self.entryCount - nextFree : 0 }

    // MARK: Mounting

    /// Reads the header and the entries' states; marks entries whose writing was interrupted as erased.
    ///
    /// - Throws: ``NVSError``: `newVersionFound`, `flashOperationFailed`.
    init(offset: Int, flash: inout some NVSFlash) throws(NVSError) {
        self.offset = offset
        let header = try flash.read(at: offset, count: 64)
        let word = Self.word(header, 0)
        if word == State.uninitialized.rawValue {
            let bytes = try flash.read(at: offset, count: Self.size)
            state = bytes.allSatisfy { $0 == 0xFF } ? .uninitialized : .corrupt
            return
        }
        guard
            let read = State(rawValue: word), read != .corrupt,
            Self.word(header, 28) == CRC32.of(header[4..<28], start: 0)
        else {
            state = .corrupt
            return
        }
        guard header[8] >= 0xFE else {
            throw NVSError(
                .newVersionFound,
                "page at \(hexadecimal(UInt32(offset))): expected format version 1 or 2, got \(256 - Int(header[8]))")
        }
        state = read
        sequence = Self.word(header, 4)
        entryStates = Array(header[Self.statesOffset..<Self.statesOffset + 32])
        usedCount = (0..<Self.entryCount).count { entryState($0) == .written }
        nextFree = (0..<Self.entryCount).first { entryState($0) == .empty } ?? Self.entryCount
        guard state == .active else { return }
        // A power loss may have occurred after an entry was written, and before its state was written.
        while nextFree < Self.entryCount {
            guard try flash.read(at: address(nextFree), count: NVSEntry.size).contains(where: { $0 != 0xFF }) else {
                break
            }
            try setState(.erased, of: nextFree..<nextFree + 1, flash: &flash)
            nextFree = (nextFree..<Self.entryCount).first { entryState($0) == .empty } ?? Self.entryCount
        }
    }

    private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Erases incomplete items, and returns the complete ones in the order they were written.
    mutating func repair(flash: inout some NVSFlash) throws(NVSError) -> [(index: Int, entry: NVSEntry)] {
        var items: [(Int, NVSEntry)] = []
        var index = 0
        while index < Self.entryCount {
            switch entryState(index) {
            case .empty, .erased: index += 1
            case .illegal:
                try setState(.erased, of: index..<index + 1, flash: &flash)
                index += 1
            case .written:
                guard let entry = try entry(at: index, flash: flash), index + Int(entry.span) <= Self.entryCount else {
                    try setState(.erased, of: index..<index + 1, flash: &flash)
                    index += 1
                    continue
                }
                let range = index..<index + Int(entry.span)
                if range.allSatisfy({ entryState($0) == .written }) {
                    items.append((index, entry))
                } else {
                    try erase(range, flash: &flash)
                }
                index = range.upperBound
            }
        }
        return items
    }

    // MARK: Reading

    func entryState(_ index: Int) -> EntryState {
        EntryState(rawValue: entryStates[index / 4] >> UInt8(index % 4 * 2) & 0b11) ?? .illegal
    }

    private func address(_ index: Int) -> Int { offset + Self.entriesOffset + index * NVSEntry.size }

    /// The first entry of the item at `index`; `nil` when it is damaged.
    func entry(at index: Int, flash: some NVSFlash) throws(NVSError) -> NVSEntry? {
        NVSEntry(try flash.read(at: address(index), count: NVSEntry.size))
    }

    /// The bytes in the data entries of the item at `index`; `nil` when they are damaged.
    func content(of entry: NVSEntry, at index: Int, flash: some NVSFlash) throws(NVSError) -> [UInt8]? {
        let bytes = try flash.read(at: address(index + 1), count: entry.contentLength)
        return CRC32.of(bytes[...], start: 0) == entry.contentChecksum ? bytes : nil
    }

    /// The raw data entries of the item at `index`.
    func dataEntries(of entry: NVSEntry, at index: Int, flash: some NVSFlash) throws(NVSError) -> [UInt8] {
        try flash.read(at: address(index + 1), count: (Int(entry.span) - 1) * NVSEntry.size)
    }

    // MARK: Writing

    /// Activates an erased page with the number `sequence`.
    mutating func activate(sequence: UInt32, flash: inout some NVSFlash) throws(NVSError) {
        if state != .uninitialized { try erase(flash: &flash) }
        let fields = littleEndianBytes(sequence) + [0xFE] + [UInt8](repeating: 0xFF, count: 19)
        try flash.program(
            littleEndianBytes(State.active.rawValue) + fields + littleEndianBytes(CRC32.of(fields[...], start: 0)),
            at: offset)
        self.sequence = sequence
        state = .active
    }

    /// Adds an item; there must be room for it. The first entry becomes valid before its data: an interruption between
    /// them leaves an item with missing entries, which ``repair(flash:)`` erases.
    @discardableResult
    mutating func append(
        _ entry: NVSEntry, content: ArraySlice<UInt8>, flash: inout some NVSFlash
    ) throws(NVSError) -> Int {
        let index = nextFree
        try flash.program(entry.bytes, at: address(index))
        try setState(.written, of: index..<index + 1, flash: &flash)
        if !content.isEmpty {
            let range = index + 1..<index + Int(entry.span)
            let padding = range.count * NVSEntry.size - content.count
            try flash.program(content + [UInt8](repeating: 0xFF, count: padding), at: address(index + 1))
            try setState(.written, of: range, flash: &flash)
        }
        nextFree = index + Int(entry.span)
        return index
    }

    /// Erases entries, the last one first: the first entry of an item locates the others.
    mutating func erase(_ range: Range<Int>, flash: inout some NVSFlash) throws(NVSError) {
        try setState(.erased, of: range, flash: &flash)
        nextFree = max(nextFree, range.upperBound)
    }

    /// Changes to a later state.
    mutating func mark(_ state: State, flash: inout some NVSFlash) throws(NVSError) {
        try flash.program(littleEndianBytes(state.rawValue), at: offset)
        self.state = state
    }

    /// Erases the whole page.
    mutating func erase(flash: inout some NVSFlash) throws(NVSError) {
        // An interrupted erasure must not leave a page in the state "freeing".
        if state != .corrupt, state != .uninitialized { try mark(.corrupt, flash: &flash) }
        try flash.eraseSector(at: offset)
        state = .uninitialized
        entryStates = [UInt8](repeating: 0xFF, count: 32)
        nextFree = 0
        usedCount = 0
    }

    /// Programs the states of `range`, one word of 16 states at a time, the last word first.
    private mutating func setState(
        _ state: EntryState, of range: Range<Int>, flash: inout some NVSFlash
    ) throws(NVSError) {
        var upper = range.upperBound
        while upper > range.lowerBound {
            let word = (upper - 1) / 16
            let lower = max(range.lowerBound, word * 16)
            for index in lower..<upper {
                usedCount += (state == .written ? 1 : 0) - (entryState(index) == .written ? 1 : 0)
                entryStates[index / 4] &= ~(0b11 << UInt8(index % 4 * 2)) | state.rawValue << UInt8(index % 4 * 2)
            }
            try flash.program(
                Array(entryStates[word * 4..<word * 4 + 4]), at: offset + Self.statesOffset + word * 4)
            upper = lower
        }
    }
}

/// The first 32 bytes of an item: its type and key, and either its value or the description of its data entries
/// (`nvs_types.hpp`).
struct NVSEntry {
    /// The size of every entry, in bytes.
    static let size = 32
    /// The longest name, in bytes, without the NUL.
    static let nameLength = 15
    /// The chunk index of entries that are not chunks of a blob.
    static let noChunk: UInt8 = 0xFF

    var namespace: UInt8
    var type: NVSType
    /// The number of entries, this one included.
    var span: UInt8
    var chunk: UInt8
    var key: [UInt8]
    /// The 8 bytes of the value, or of its description.
    var data: [UInt8]

    init(namespace: UInt8, type: NVSType, key: [UInt8], chunk: UInt8 = noChunk, data: [UInt8], span: Int = 1) {
        self.namespace = namespace
        self.type = type
        self.span = UInt8(truncatingIfNeeded: span)
        self.chunk = chunk
        self.key = key
        self.data = data + [UInt8](repeating: 0xFF, count: max(0, 8 - data.count))
    }

    /// The first entry of an item with `content` in the following data entries.
    init(namespace: UInt8, type: NVSType, key: [UInt8], chunk: UInt8 = noChunk, content: ArraySlice<UInt8>) {
        let description =
            littleEndianBytes(UInt16(truncatingIfNeeded: content.count)) + [0xFF, 0xFF]
            + littleEndianBytes(CRC32.of(content, start: 0))
        self.init(
            namespace: namespace, type: type, key: key, chunk: chunk, data: description,
            span: 1 + (content.count + Self.size - 1) / Self.size)
    }

    /// The entry in `bytes`; `nil` when the checksum is wrong or a field is not allowed.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        let checksum = bytes[4..<8].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let name = bytes[8..<24]
        guard
            checksum == CRC32.of(bytes[0..<4], bytes[8..<32], start: 0), bytes[2] > 0,
            let end = name.firstIndex(of: 0)
        else { return nil }
        namespace = bytes[0]
        type = NVSType(rawValue: bytes[1])
        span = bytes[2]
        chunk = bytes[3]
        key = Array(name[..<end])
        data = Array(bytes[24..<32])
        guard !type.hasData || span == 1 + (contentLength + Self.size - 1) / Self.size else { return nil }
    }

    var bytes: [UInt8] {
        let head = [namespace, type.rawValue, span, chunk]
        let rest = key + [UInt8](repeating: 0, count: max(0, 16 - key.count)) + data
        return head + littleEndianBytes(CRC32.of(head[...], rest[...], start: 0)) + rest
    }

    /// The number of bytes in the data entries.
    var contentLength: Int { Int(data[0]) | Int(data[1]) << 8 }
    /// The checksum of the bytes in the data entries.
    var contentChecksum: UInt32 { data[4..<8].reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    /// The content of a blob's index: the size of the blob, and its chunks.
    var blobIndex: (size: Int, chunks: Range<Int>) {
        let size = data[0..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
        return (size, Int(data[5])..<Int(data[5]) + Int(data[4]))
    }
}
