import BLECore
public import BLEHost
import ByteCodec
import MonotonicTime
import PrivateFile
import Synchronization

/// Stores keys in a file that only this user may read.
///
/// A new version is written to a temporary file and then renamed, so that a power cut leaves the old or the new
/// version. A file that cannot be read is never overwritten: ``load()`` fails, and a central that could not load its
/// keys saves nothing.
public struct BondFile: BondStore {
    private let path: String
    /// The file of 1000 bonds needs less than a third of the maximum size that is read.
    private var file: PrivateFile { PrivateFile(path: path) }

    /// The file at `path`, which need not exist yet; its folder must exist.
    public init(path: String) {
        self.path = path
    }

    /// The keys in the file; no keys if the file does not exist or is empty, e.g. after a full disk.
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

/// The text of a ``BondFile``: a first line that names the format, one line per key set, and a checksum at the end.
enum BondFileText {
    private static let title = "espbench keys 1"
    private static let none = "-"

    static func bytes(of keys: StoredKeys) -> [UInt8] {
        var lines = [title, "identity \(field(keys.identityKey))"]
        for bond in keys.bonds {
            let fields = [
                "\(bond.peer.kind)", "\(bond.peer)", field(bond.peerIRK), field(bond.peerCSRK), field(bond.localCSRK),
                field(bond.peerKey), field(bond.localKey),
            ]
            lines.append("bond " + fields.joined(separator: " "))
        }
        let text = Array((lines.joined(separator: "\n") + "\n").utf8)
        return text + Array("check \(String(stableHash(text), radix: 16))\n".utf8)
    }

    static func keys(in bytes: [UInt8], path: String) throws(BondStoreError) -> StoredKeys {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count >= 4, lines.removeLast().isEmpty, let check = lines.popLast() else {
            throw damaged(path, "expected lines of keys and a checksum, got \(bytes.count) other bytes")
        }
        guard String(decoding: lines[0], as: UTF8.self) == title else {
            throw damaged(path, "expected \"\(title)\" in the first line, got something else")
        }
        guard
            String(decoding: check, as: UTF8.self)
                == "check \(String(stableHash(bytes[..<check.startIndex]), radix: 16))"
        else {
            throw damaged(path, "the checksum in the last line is not that of the lines before")
        }
        var keys = StoredKeys()
        for (number, line) in lines.enumerated().dropFirst() {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")[...]
            guard read(words, into: &keys) else {
                throw damaged(path, "line \(number + 1): expected an identity or a bond, got something else")
            }
        }
        return keys
    }

    private static func damaged(_ path: String, _ detail: String) -> BondStoreError {
        BondStoreError(.damaged, "\(path): \(detail)")
    }

    // MARK: Lines

    private static func read(_ words: ArraySlice<Substring>, into keys: inout StoredKeys) -> Bool {
        let fields = words.dropFirst()
        switch words.first {
        case "identity":
            guard fields.count == 1, let field = fields.first, let key = key(field) else { return false }
            keys.identityKey = key.value
        case "bond":
            guard let bond = bond(Array(fields)) else { return false }
            keys.bonds.append(bond)
        default: return false
        }
        return true
    }

    private static func bond(_ fields: [Substring]) -> Bond? {
        guard fields.count == 7, let kind: DeviceAddress.Kind = kind(fields[0]),
            let peer = DeviceAddress(fields[1], kind), let peerIRK = key(fields[2]), let peerCSRK = key(fields[3]),
            let localCSRK = key(fields[4]), let peerKey = longTermKey(fields[5]), let localKey = longTermKey(fields[6])
        else { return nil }
        return Bond(
            peer: peer, peerIRK: peerIRK.value, peerCSRK: peerCSRK.value, localCSRK: localCSRK.value,
            peerKey: peerKey.value, localKey: localKey.value)
    }

    private static func kind(_ field: Substring) -> DeviceAddress.Kind? {
        switch field {
        case "public": .public
        case "random": .random
        default: nil
        }
    }

    // MARK: Fields

    /// A parsed field, whose value may be absent.
    private struct Read<Value> {
        var value: Value?
    }

    private static func field(_ key: [UInt8]?) -> String {
        key.map { Hexadecimal.string($0) } ?? none
    }

    private static func key(_ field: Substring) -> Read<[UInt8]>? {
        if field == none { return Read(value: nil) }
        guard let bytes = Hexadecimal.bytes(field), bytes.count == 16 else { return nil }
        return Read(value: bytes)
    }

    private static func field(_ key: LongTermKey?) -> String {
        guard let key else { return none }
        let kind = (key.isAuthenticated ? "a" : "u") + (key.isSecureConnections ? "s" : "l")
        return [
            field(key.value), String(key.ediv, radix: 16), String(key.rand, radix: 16), String(key.size), kind,
        ].joined(separator: "/")
    }

    private static func longTermKey(_ field: Substring) -> Read<LongTermKey>? {
        if field == none { return Read(value: nil) }
        let parts = field.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, let value = key(parts[0])?.value, let ediv = UInt16(parts[1], radix: 16),
            let rand = UInt64(parts[2], radix: 16), let size = Int(parts[3]), (7...16).contains(size),
            ["al", "as", "ul", "us"].contains(parts[4])
        else { return nil }
        return Read(
            value: LongTermKey(
                value: value, ediv: ediv, rand: rand, size: size, isAuthenticated: parts[4].first == "a",
                isSecureConnections: parts[4].last == "s"))
    }
}

/// The keys that a central stores persistently.
public struct StoredKeys: Hashable, Sendable {
    /// The central's own Identity Resolving Key, 16 bytes; `nil` before it was first powered on.
    public var identityKey: [UInt8]?
    /// The central's bonds, oldest first.
    public var bonds: [Bond]

    /// The given keys; by default no keys.
    public init(identityKey: [UInt8]? = nil, bonds: [Bond] = []) {
        self.identityKey = identityKey
        self.bonds = bonds
    }
}

/// The storage of a central's keys.
public protocol BondStore: Sendable {
    /// The stored keys; no keys if nothing was stored.
    func load() throws(BondStoreError) -> StoredKeys

    /// Replaces the stored keys by `keys`, atomically.
    func save(_ keys: StoredKeys) throws(BondStoreError)
}

/// Why keys could not be loaded or stored.
public struct BondStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// The file is damaged or has another format.
        case damaged
        /// The operating system refused; its error number.
        case system(Int32)
    }

    /// The kind of fault.
    public var code: Code
    /// The failure, with what was expected, what was found, and in which file; one line.
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

    /// A store with these keys; by default no keys.
    public init(_ keys: StoredKeys = StoredKeys()) {
        self.keys = Mutex(keys)
    }

    /// The stored keys.
    public func load() -> StoredKeys { keys.withLock { $0 } }

    /// Replaces the stored keys.
    public func save(_ keys: StoredKeys) { self.keys.withLock { $0 = keys } }
}
