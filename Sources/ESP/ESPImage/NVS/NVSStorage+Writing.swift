/// Adding, replacing and erasing items, and freeing space for them (`nvs_storage.cpp`, `nvs_pagemanager.cpp`).
extension NVSStorage {
    /// Every value's first or only entry, in the order in which they were stored; not the namespaces.
    var heads: [(key: ItemKey, item: ItemLocation)] {
        let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        return items.filter { $0.key.namespace != 0 && $0.value.entry.type != .blobData }
            .map { (key: $0.key, item: $0.value) }
            .sorted { (places[$0.item.page] ?? 0, $0.item.index) < (places[$1.item.page] ?? 0, $1.item.index) }
    }

    // MARK: Items

    /// Adds an item, then erases the one it replaces.
    mutating func replace(with entry: NVSEntry, content: ArraySlice<UInt8>) throws(NVSError) {
        let new = try append(entry, content: content)
        let key = ItemKey(namespace: entry.namespace, key: entry.key)
        let old = items.updateValue(new, forKey: key)
        if let old { try erase(old, of: key) }
    }

    /// Writes the chunks of a blob with numbers that the old one does not use, then its index, then erases the old one.
    mutating func setBlob(_ bytes: ArraySlice<UInt8>, _ name: [UInt8], _ namespace: UInt8) throws(NVSError) {
        let limit = min(pages.count - 1, Self.chunkLimit) * NVSPage.contentLimit
        guard bytes.count <= limit else {
            throw NVSError(.valueTooLong, "expected a blob of at most \(limit) bytes, got \(bytes.count)")
        }
        let key = ItemKey(namespace: namespace, key: name)
        let old = items[key]?.entry
        let first = old?.type == .blobIndex && old?.blobIndex.chunks.lowerBound == 0 ? 0x80 : 0
        var count = 0
        do throws(NVSError) {
            var rest = bytes
            repeat {
                let piece = rest.prefix(try chunkRoom(for: rest.count, isFirst: count == 0))
                guard count < Self.chunkLimit else { throw NVSError(.notEnoughSpace, "the blob needs too many chunks") }
                let chunk = UInt8(first + count)
                let entry = NVSEntry(namespace: namespace, type: .blobData, key: name, chunk: chunk, content: piece)
                items[ItemKey(namespace: namespace, key: name, chunk: chunk)] = try append(entry, content: piece)
                rest = rest.dropFirst(piece.count)
                count += 1
            } while !rest.isEmpty
            let index = littleEndianBytes(UInt32(bytes.count)) + [UInt8(count), UInt8(first)]
            try replace(
                with: NVSEntry(namespace: namespace, type: .blobIndex, key: name, data: index), content: [])
        } catch {
            if error.code == .notEnoughSpace { try eraseChunks(first..<first + count, of: key) }
            throw error
        }
    }

    private static var chunkLimit: Int { 127 }

    /// The maximum size of the next chunk, in bytes; activates a new page if the current one is almost full.
    private mutating func chunkRoom(for count: Int, isFirst: Bool) throws(NVSError) -> Int {
        var room = currentRoom
        let content = (room - 1) * NVSEntry.size
        if room == 0 || content < count && content < (isFirst ? NVSPage.contentLimit / 10 : 1) {
            try makeRoom(for: count == 0 ? 1 : 2)
            room = currentRoom
        }
        return (room - 1) * NVSEntry.size
    }

    /// Erases the value of `key`, of whatever type.
    mutating func erase(_ key: ItemKey) throws(NVSError) {
        if let item = items.removeValue(forKey: key) { try erase(item, of: key) }
    }

    /// Erases an item that is no longer in `items`; erases a blob's index first, so that an interruption leaves only
    /// chunks without an index.
    private mutating func erase(_ item: ItemLocation, of key: ItemKey) throws(NVSError) {
        try pages[item.page].erase(item.range, flash: &flash)
        if item.entry.type == .blobIndex { try eraseChunks(item.entry.blobIndex.chunks, of: key) }
    }

    private mutating func eraseChunks(_ chunks: Range<Int>, of key: ItemKey) throws(NVSError) {
        for chunk in chunks {
            let chunkKey = ItemKey(namespace: key.namespace, key: key.key, chunk: UInt8(truncatingIfNeeded: chunk))
            if let item = items[chunkKey], item.entry.type == .blobData { try erase(chunkKey) }
        }
    }

    /// The value in an item; `nil` when a chunk is missing or damaged, or the type is not known.
    func value(of item: ItemLocation, _ key: ItemKey) throws(NVSError) -> NVSValue? {
        let entry = item.entry
        switch entry.type {
        case .string:
            guard let bytes = try content(of: item), bytes.last == 0 else { return nil }
            return .string(Array(bytes.dropLast()))
        case .legacyBlob:
            return try content(of: item).map { .blob($0) }
        case .blobIndex:
            let (size, chunks) = entry.blobIndex
            var bytes: [UInt8] = []
            for chunk in chunks {
                let chunkKey = ItemKey(
                    namespace: key.namespace, key: key.key, chunk: UInt8(truncatingIfNeeded: chunk))
                guard let item = items[chunkKey], item.entry.type == .blobData, let piece = try content(of: item)
                else { return nil }
                bytes += piece
            }
            return bytes.count == size ? .blob(bytes) : nil
        default:
            return NVSValue(integer: entry.data[...], type: entry.type)
        }
    }

    private func content(of item: ItemLocation) throws(NVSError) -> [UInt8]? {
        try pages[item.page].content(of: item.entry, at: item.index, flash: flash)
    }

    // MARK: Room

    /// The number of entries that can be added to the current page.
    private var currentRoom: Int { order.last.map { pages[$0].room } ?? 0 }

    /// Writes an item to the current page, or to a new one; does not add it to `items`.
    private mutating func append(_ entry: NVSEntry, content: ArraySlice<UInt8>) throws(NVSError) -> ItemLocation {
        if currentRoom < Int(entry.span) { try makeRoom(for: Int(entry.span)) }
        guard let page = order.last else { throw NVSError(.notEnoughSpace, "there is no page") }
        let index = try pages[page].append(entry, content: content, flash: &flash)
        return ItemLocation(page: page, index: index, entry: entry)
    }

    /// Activates a new page with space for `count` entries. If it was the last free page, copies the items of the least
    /// used page to it and erases that page.
    private mutating func makeRoom(for count: Int) throws(NVSError) {
        var source: Int?
        if free.count < 2 {
            source = order.min { pages[$0].usedCount < pages[$1].usedCount }
            guard let source, !free.isEmpty, NVSPage.entryCount - pages[source].usedCount >= count else {
                throw NVSError(.notEnoughSpace, "expected room for \(count) entries in one page, got less")
            }
        }
        if let last = order.last, pages[last].state == .active { try pages[last].mark(.full, flash: &flash) }
        guard let source else { return try activatePage() }
        try pages[source].mark(.freeing, flash: &flash)
        try move(source)
    }

    /// Copies the items of a page in the state "freeing" to a new page, and erases it.
    mutating func move(_ source: Int) throws(NVSError) {
        try activatePage()
        guard let target = order.last else { return }
        var index = 0
        while index < NVSPage.entryCount {
            guard
                pages[source].entryState(index) == .written,
                let entry = try pages[source].entry(at: index, flash: flash)
            else {
                index += 1
                continue
            }
            let data = try pages[source].dataEntries(of: entry, at: index, flash: flash)
            let copy = try pages[target].append(entry, content: data[...], flash: &flash)
            let key = ItemKey(namespace: entry.namespace, key: entry.key, chunk: entry.chunk)
            if let item = items[key], item.page == source, item.index == index {
                items[key] = ItemLocation(page: target, index: copy, entry: entry)
            }
            index += Int(entry.span)
        }
        try pages[source].erase(flash: &flash)
        order.removeAll { $0 == source }
        free.append(source)
    }

    private mutating func activatePage() throws(NVSError) {
        guard let page = free.first else { throw NVSError(.noFreePages, "every page is in use") }
        let sequence = order.last.map { pages[$0].sequence &+ 1 } ?? 0
        try pages[page].activate(sequence: sequence, flash: &flash)
        free.removeFirst()
        order.append(page)
    }
}

/// Mounting: builds the table of items from flash; completes or reverts interrupted operations.
extension NVSStorage {
    mutating func mount() throws(NVSError) {
        for offset in stride(from: 0, to: flash.size - NVSPage.size + 1, by: NVSPage.size) {
            pages.append(try NVSPage(offset: offset, flash: &flash))
        }
        order = pages.indices.filter { !pages[$0].isFree }.sorted { pages[$0].sequence < pages[$1].sequence }
        free = pages.indices.filter { pages[$0].isFree }
        try undoMove()
        for page in order {
            for (index, entry) in try pages[page].repair(flash: &flash) {
                try register(ItemLocation(page: page, index: index, entry: entry))
            }
        }
        // Pages whose items must still be moved: their copies, if any, have just been erased.
        for page in order where pages[page].state == .freeing { try move(page) }
        guard !free.isEmpty else {
            throw NVSError(.noFreePages, "expected at least one of \(pages.count) pages to be free, got none")
        }
        try eraseIncompleteBlobs()
        for (key, item) in items where key.namespace == 0 && item.entry.type == .uint8 {
            let index = item.entry.data[0]
            if (1..<255).contains(index) { namespaces.append((String(decoding: key.key, as: UTF8.self), index)) }
        }
        namespaces.sort { $0.index < $1.index }
    }

    /// Erases the page to which items were being copied at the power loss: the originals still exist.
    private mutating func undoMove() throws(NVSError) {
        guard
            order.contains(where: { pages[$0].state == .freeing }), let target = order.last,
            pages[target].state == .active
        else { return }
        try pages[target].erase(flash: &flash)
        order.removeLast()
        free.append(target)
    }

    /// Adds an item to the table; an earlier one with the same key is older, and is erased.
    private mutating func register(_ item: ItemLocation) throws(NVSError) {
        let chunk = item.entry.type == .blobData ? item.entry.chunk : NVSEntry.noChunk
        let key = ItemKey(namespace: item.entry.namespace, key: item.entry.key, chunk: chunk)
        if let older = items.updateValue(item, forKey: key) {
            try pages[older.page].erase(older.range, flash: &flash)
        }
    }

    /// Erases chunks without an index, and indexes with missing chunks.
    private mutating func eraseIncompleteBlobs() throws(NVSError) {
        for (key, item) in heads where item.entry.type == .blobIndex {
            let (size, chunks) = item.entry.blobIndex
            let lengths = chunks.map { chunk in
                items[ItemKey(namespace: key.namespace, key: key.key, chunk: UInt8(truncatingIfNeeded: chunk))]?
                    .entry.contentLength
            }
            if lengths.contains(nil) || lengths.reduce(0, { $0 + ($1 ?? 0) }) != size { try erase(key) }
        }
        let orphans = items.filter { key, item in
            guard item.entry.type == .blobData else { return false }
            let head = items[ItemKey(namespace: key.namespace, key: key.key)]?.entry
            return head?.type != .blobIndex || head?.blobIndex.chunks.contains(Int(key.chunk)) != true
        }
        for (key, _) in orphans.sorted(by: { ($0.value.page, $0.value.index) < ($1.value.page, $1.value.index) }) {
            try erase(key)
        }
    }
}
