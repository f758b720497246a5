import BLECore
import BLEHost

/// Keys of one direction of a bond as NimBLE stores them: `struct ble_store_value_sec` of `ble_store.h` in the ESP32's
/// memory layout.
struct NimBLESecurityRecord: NimBLERecord {
    static let size = 88

    var peer: DeviceAddress
    /// Increases with each bond: the order of their creation.
    var bondCount: UInt16
    var key: LongTermKey?
    var irk: [UInt8]?
    var csrk: [UInt8]?
    var isAuthenticated: Bool
    var isSecureConnections: Bool

    var subject: DeviceAddress { peer }

    private enum Offset {
        static let bondCount = 8, keySize = 10, ediv = 12, random = 16
        static let key = 24, irk = 41, csrk = 58, signCounter = 76, flags = 80
    }

    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.size)
        bytes.put(NimBLEAddress.bytes(peer), at: 0)
        bytes.put(littleEndian: bondCount, at: Offset.bondCount)
        if let key {
            bytes[Offset.keySize] = UInt8(truncatingIfNeeded: key.size)
            bytes.put(littleEndian: key.ediv, at: Offset.ediv)
            bytes.put(littleEndian: key.rand, at: Offset.random)
        }
        for (value, offset) in [(key?.value, Offset.key), (irk, Offset.irk), (csrk, Offset.csrk)] {
            guard let value else { continue }
            bytes.put(value.prefix(16), at: offset)
            bytes[offset + 16] = 1
        }
        bytes[Offset.flags] = (isAuthenticated ? 1 : 0) | (isSecureConnections ? 2 : 0)
        return bytes
    }
}

extension NimBLESecurityRecord {
    /// `nil` when the bytes are not such a record.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, let peer = NimBLEAddress.address(bytes[0..<7]) else { return nil }
        self.peer = peer
        bondCount = UInt16(truncatingIfNeeded: bytes.number(at: Offset.bondCount, count: 2))
        isAuthenticated = bytes[Offset.flags] & 1 != 0
        isSecureConnections = bytes[Offset.flags] & 2 != 0
        let values = [Offset.key, Offset.irk, Offset.csrk].map { offset in
            bytes[offset + 16] & 1 == 0 ? nil : Array(bytes[offset..<offset + 16])
        }
        irk = values[1]
        csrk = values[2]
        let size = Int(bytes[Offset.keySize])
        guard let value = values[0] else { return }
        guard (7...16).contains(size) else { return nil }
        key = LongTermKey(
            value: value, ediv: UInt16(truncatingIfNeeded: bytes.number(at: Offset.ediv, count: 2)),
            rand: bytes.number(at: Offset.random, count: 8), size: size, isAuthenticated: isAuthenticated,
            isSecureConnections: isSecureConnections)
    }
}

/// `struct ble_store_value_cccd`.
extension StoredSubscription: NimBLERecord {
    private static let size = 16
    static let isWrittenAnew = false

    struct Subject: Hashable {
        var peer: DeviceAddress
        var valueHandle: UInt16
    }

    var subject: Subject { Subject(peer: peer, valueHandle: valueHandle) }

    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.size)
        bytes.put(NimBLEAddress.bytes(peer), at: 0)
        bytes.put(littleEndian: valueHandle, at: 8)
        bytes.put(littleEndian: flags, at: 10)
        bytes[12] = hasChanged ? 1 : 0
        return bytes
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, let peer = NimBLEAddress.address(bytes[0..<7]) else { return nil }
        self.init(
            peer: peer, valueHandle: UInt16(truncatingIfNeeded: bytes.number(at: 8, count: 2)),
            flags: UInt16(truncatingIfNeeded: bytes.number(at: 10, count: 2)), hasChanged: bytes[12] & 1 != 0)
    }
}

/// `struct ble_store_value_csfc`.
extension StoredFeatures: NimBLERecord {
    private static let size = 8

    var subject: DeviceAddress { peer }
    var bytes: [UInt8] { NimBLEAddress.bytes(peer) + [features] }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, let peer = NimBLEAddress.address(bytes[0..<7]) else { return nil }
        self.init(peer: peer, features: bytes[7])
    }
}

/// The device's own Identity Resolving Key as NimBLE stores it: `struct ble_store_value_local_irk`.
struct NimBLEIdentityRecord: NimBLERecord {
    static let size = 23

    var address: DeviceAddress
    var irk: [UInt8]

    var subject: DeviceAddress { address }
    var bytes: [UInt8] { NimBLEAddress.bytes(address) + irk.prefix(16) }
}

extension NimBLEIdentityRecord {
    /// `nil` when the bytes are not such a record.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, let address = NimBLEAddress.address(bytes[0..<7]) else { return nil }
        self.init(address: address, irk: Array(bytes[7...]))
    }
}

/// `ble_addr_t`: the type, then six bytes, least significant first.
private enum NimBLEAddress {
    static func bytes(_ address: DeviceAddress) -> [UInt8] {
        [address.kind.rawValue] + address.littleEndianBytes
    }

    static func address(_ bytes: ArraySlice<UInt8>) -> DeviceAddress? {
        guard let type = bytes.first, let kind = DeviceAddress.Kind(rawValue: type) else { return nil }
        return DeviceAddress(Array(bytes.dropFirst()).number(at: 0, count: 6), kind)
    }
}

extension [UInt8] {
    fileprivate mutating func put(_ bytes: some Sequence<UInt8>, at offset: Int) {
        for (index, byte) in bytes.enumerated() { self[offset + index] = byte }
    }

    fileprivate mutating func put(littleEndian value: some FixedWidthInteger, at offset: Int) {
        for index in 0..<type(of: value).bitWidth / 8 {
            self[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
        }
    }

    fileprivate func number(at offset: Int, count: Int) -> UInt64 {
        self[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
