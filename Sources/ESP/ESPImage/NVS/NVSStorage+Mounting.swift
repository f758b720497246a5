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
