import BLECore
import BLEHost
import ByteCodec

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
        return text + Array("check \(checksum(text[...]))\n".utf8)
    }

    static func keys(in bytes: [UInt8], path: String) throws(BondStoreError) -> StoredKeys {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count >= 4, lines.removeLast().isEmpty, let check = lines.popLast() else {
            throw damaged(path, "expected lines of keys and a checksum, got \(bytes.count) bytes that are none")
        }
        guard String(decoding: lines[0], as: UTF8.self) == title else {
            throw damaged(path, "expected \"\(title)\" in the first line, got something else")
        }
        guard String(decoding: check, as: UTF8.self) == "check \(checksum(bytes[..<check.startIndex]))" else {
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

    /// FNV-1a, 64 bits: detects corruption; no protection against a user who can write the file.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> String {
        String(bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
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
