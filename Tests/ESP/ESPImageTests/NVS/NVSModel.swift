import ESPImage
import MonotonicTime

/// The expected content of a partition, and random changes to it.
struct NVSModel: Equatable {
    struct Key: Hashable {
        var namespace: String
        var key: String
    }

    enum Change {
        case set(Key, NVSValue)
        case erase(Key)
        case eraseAll(String)
    }

    var values: [Key: NVSValue] = [:]

    /// The content of `storage`; unreadable values are missing.
    init(_ storage: NVSStorage<SimulatedFlash>) throws(NVSError) {
        var storage = storage
        for item in storage.contents {
            let namespace = try storage.openNamespace(item.namespace, readOnly: true)
            values[Key(namespace: item.namespace, key: item.key)] = try? storage.value(
                of: item.key, type: item.type, in: namespace)
        }
    }

    static func apply(_ change: Change, to storage: inout NVSStorage<SimulatedFlash>) throws(NVSError) {
        switch change {
        case .set(let key, let value):
            let namespace = try storage.openNamespace(key.namespace, readOnly: false)
            try storage.set(key.key, to: value, in: namespace)
        case .erase(let key):
            let namespace = try storage.openNamespace(key.namespace, readOnly: false)
            try storage.erase(key.key, in: namespace)
        case .eraseAll(let name):
            let namespace = try storage.openNamespace(name, readOnly: false)
            try storage.eraseAll(in: namespace)
        }
    }

    mutating func apply(_ change: Change) {
        switch change {
        case .set(let key, let value): values[key] = value
        case .erase(let key): values[key] = nil
        case .eraseAll(let name): values = values.filter { $0.key.namespace != name }
        }
    }

    /// Whether `other` is a possible result of this change after an interruption: each key has the old or the new
    /// value, and only one key at a time differs.
    func mayBecome(_ other: NVSModel, by change: Change) -> Bool {
        var changed = self
        changed.apply(change)
        if other == self || other == changed { return true }
        guard case .eraseAll(let name) = change else { return false }
        return other.values.allSatisfy { values[$0.key] == $0.value }
            && values.allSatisfy { $0.key.namespace == name || other.values[$0.key] == $0.value }
    }

    static func randomChange(_ random: inout SeededRandom) -> Change {
        let key = Key(
            namespace: ["nimble_bond", "lock", "x"][Int(random.next() % 3)],
            key: ["our_sec_1", "peer_sec_1", "state", "k"][Int(random.next() % 4)])
        let word = random.next()
        switch random.next() % 16 {
        case 0: return .set(key, .uint8(UInt8(truncatingIfNeeded: word)))
        case 1: return .set(key, .int8(Int8(truncatingIfNeeded: word)))
        case 2: return .set(key, .uint16(UInt16(truncatingIfNeeded: word)))
        case 3: return .set(key, .int16(Int16(truncatingIfNeeded: word)))
        case 4: return .set(key, .uint32(UInt32(truncatingIfNeeded: word)))
        case 5: return .set(key, .int32(Int32(truncatingIfNeeded: word)))
        case 6: return .set(key, .uint64(word))
        case 7: return .set(key, .int64(Int64(bitPattern: word)))
        case 8, 9: return .set(key, .string((0..<Int(word % 300)).map { UInt8($0 % 255 + 1) }))
        case 10, 11: return .set(key, .blob(random.bytes(Int(word % 120))))
        // Erased flash looks like this, and every length up to several pages.
        case 12: return .set(key, .blob([UInt8](repeating: 0xFF, count: Int(word % 5000))))
        case 13: return .set(key, .blob(random.bytes(Int(word % 3000))))
        case 14: return .erase(key)
        default: return word % 4 == 0 ? .eraseAll(key.namespace) : .erase(key)
        }
    }
}
