internal import BLECentral
import BLECore
import ByteCodec
import Console
import LogFiles
internal import MonotonicTime
import PrivateFile

/// The file with the state of a central, locked as long as the central exists.
package struct RestorationFile: Sendable {
    /// Larger than any central's state.
    private static let maximumSize = 16 << 20

    private let file: PrivateFile
    private let lock: PrivateFileLock

    var path: String { file.path }

    /// Opens the file of an identifier, in a folder with rights for this user only; creates the folder if it does not
    /// exist.
    ///
    /// - Throws: `invalidIdentifier`, `inUse`, `storage`.
    package init(_ identifier: String, in folder: String) throws(RestorationError) {
        let allowed = identifier.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        guard allowed, (1...64).contains(identifier.utf8.count) else {
            throw RestorationError(
                .invalidIdentifier,
                "identifier of a central: expected 1...64 of A-Z, a-z, 0-9, '-' and '_', got \"\(identifier)\"")
        }
        do throws(PrivateFileError) {
            try PrivateFolder.make(folder)
            file = PrivateFile(
                path: "\(folder)/\(identifier).central", maximumSize: Self.maximumSize, hasOneWriter: true)
            lock = try PrivateFileLock("\(folder)/\(identifier).lock")
        } catch {
            guard error.code == .locked else { throw RestorationError(error) }
            throw RestorationError(
                .inUse, "the central \"\(identifier)\" in \(folder): expected nobody to use it, \(error.reason)")
        }
    }

    func load() throws(RestorationError) -> [RestorablePeripheral] {
        let bytes: [UInt8]?
        do throws(PrivateFileError) {
            bytes = try file.read()
        } catch {
            throw RestorationError(error)
        }
        guard let bytes else { return [] }
        return try RestorationText.peripherals(in: bytes, path: path)
    }

    package func save(_ peripherals: [RestorablePeripheral]) throws(RestorationError) {
        do throws(PrivateFileError) {
            try file.replace(RestorationText.bytes(of: peripherals))
        } catch {
            throw RestorationError(error)
        }
    }
}

/// The text of a restoring central's file: a line that names the format and its version, a line for each peripheral, each of
/// its subscriptions and each operation, and a checksum at the end.
///
/// ```
/// espbench central 1
/// peripheral public 24:0A:C4:00:01:10 - - Test%20Peripheral
/// subscription notifications FF00 0 FF03 0
/// read FF00 0 FF01 0
/// write withResponse FF00 0 FF01 0 0102
/// check 85944171f73967e8
/// ```
package enum RestorationText {
    private static let format = "espbench central "
    private static let version = "1"
    private static let none: Substring = "-"

    // MARK: Writing

    package static func bytes(of peripherals: [RestorablePeripheral]) -> [UInt8] {
        var lines = [format + version]
        for peripheral in peripherals {
            let identity = peripheral.identity.map(words) ?? "\(none) \(none)"
            lines.append(
                "peripheral \(words(peripheral.peer)) \(identity) \(peripheral.name.map(escaped) ?? String(none))")
            lines += peripheral.subscriptions.map { "subscription \($0.kind.rawValue) \(words($0.path))" }
            lines += peripheral.unfinished.map(line)
        }
        let text = Array((lines.joined(separator: "\n") + "\n").utf8)
        return text + Array("check \(String(stableHash(text), radix: 16))\n".utf8)
    }

    private static func line(_ operation: CentralOperation) -> String {
        switch operation.kind {
        case .read: "read \(words(operation.path))"
        case .write(let value, let kind):
            "write \(kind.rawValue) \(words(operation.path)) \(value.isEmpty ? String(none) : Hexadecimal.string(value))"
        }
    }

    private static func words(_ path: CharacteristicPath) -> String {
        "\(path.service) \(path.serviceIndex) \(path.characteristic) \(path.index)"
    }

    private static func words(_ peer: PeerID) -> String {
        let text = peer.text
        let space = text.firstIndex(of: " ") ?? text.endIndex
        return "\(text[..<space]) \(escaped(String(text[space...].dropFirst())))"
    }

    /// A text without spaces, control characters or a lone hyphen.
    private static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if (0x21...0x7E).contains(byte), byte != UInt8(ascii: "%"), text != none {
                bytes.append(byte)
            } else {
                bytes += Array("%".utf8) + Array(Hexadecimal.string([byte]).utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Reading

    /// Reads a file.
    ///
    /// - Throws: `damaged`, naming the line.
    package static func peripherals(in bytes: [UInt8], path: String) throws(RestorationError) -> [RestorablePeripheral]
    {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        func fault(_ line: Int, _ expected: String, _ got: String) -> RestorationError {
            RestorationError(.damaged, "\(path): line \(line): expected \(expected), got \(got)")
        }
        let first = String(decoding: lines[0].prefix(64), as: UTF8.self)
        guard first == format + version else { throw fault(1, "\"\(format)\(version)\"", "\"\(first)\"") }
        guard lines.count >= 3, lines.removeLast().isEmpty, let check = lines.popLast() else {
            throw fault(lines.count, "whole lines up to a checksum", "the end of the file")
        }
        guard
            String(decoding: check, as: UTF8.self)
                == "check \(String(stableHash(bytes[..<check.startIndex]), radix: 16))"
        else {
            throw fault(lines.count + 1, "the checksum of the lines before", "something else")
        }
        var result: [RestorablePeripheral] = []
        for (number, line) in lines.enumerated().dropFirst() {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard read(words[...], into: &result) else {
                throw fault(
                    number + 1, "a peripheral, a subscription, a read or a write", "\"\(words.joined(separator: " "))\""
                )
            }
        }
        return result
    }

    private static func read(_ words: ArraySlice<Substring>, into all: inout [RestorablePeripheral]) -> Bool {
        let fields = Array(words.dropFirst())
        if words.first == "peripheral" {
            guard fields.count == 5, let peer = peer(fields[0], fields[1]) else { return false }
            var peripheral = RestorablePeripheral(peer)
            if fields[2] != none || fields[3] != none {
                guard let identity = Self.peer(fields[2], fields[3]) else { return false }
                peripheral.identity = identity
            }
            if fields[4] != none {
                guard let name = unescaped(fields[4]) else { return false }
                peripheral.name = name
            }
            all.append(peripheral)
            return all.count <= RestorationState.peripheralLimit
        }
        guard let last = all.indices.last else { return false }
        switch words.first {
        case "subscription":
            guard fields.count == 5, let kind = Subscription(rawValue: String(fields[0])), kind != .none,
                let path = path(fields[1...])
            else { return false }
            all[last].subscriptions.append(RestorablePeripheral.SubscribedCharacteristic(path, kind))
        case "read":
            guard fields.count == 4, let path = path(fields[...]) else { return false }
            all[last].unfinished.append(CentralOperation(.read, path))
        case "write":
            guard fields.count == 6, let kind = WriteKind(rawValue: String(fields[0])), let path = path(fields[1...4]),
                let value = fields[5] == none ? [] : Hexadecimal.bytes(fields[5])
            else { return false }
            all[last].unfinished.append(CentralOperation(.write(value, kind), path))
        default: return false
        }
        return max(all[last].subscriptions.count, all[last].unfinished.count) <= RestorationState.entryLimit
    }

    private static func peer(_ kind: Substring, _ name: Substring) -> PeerID? {
        unescaped(name).flatMap { PeerID(text: "\(kind) \($0)") }
    }

    private static func path(_ fields: ArraySlice<Substring>) -> CharacteristicPath? {
        let fields = Array(fields)
        guard fields.count == 4, let service = BLEUUID(fields[0]), let serviceIndex = index(fields[1]),
            let characteristic = BLEUUID(fields[2]), let index = index(fields[3])
        else { return nil }
        return CharacteristicPath(
            service: service, serviceIndex: serviceIndex, characteristic: characteristic, index: index)
    }

    private static func index(_ field: Substring) -> Int? { UInt16(field).map { Int($0) } }

    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let code = Hexadecimal.bytes(String(decoding: rest.prefix(2), as: UTF8.self)), code.count == 1 else {
                return nil
            }
            bytes += code
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// The events of a restoring central, line by line, in the log of a long-running program.
struct RestorationLog: Sendable {
    private let identifier: String
    private let log: TimedLog

    init(_ identifier: String, _ log: TimedLog) {
        self.identifier = identifier
        self.log = log
    }

    /// Writes one line; makes control characters in peers' names visible.
    private func write(_ text: String) { log.write("\(identifier): \(VisibleText.make(Array(text.utf8)))") }

    /// Writes the peripherals kept by the former process.
    func begin(_ restored: [RestorablePeripheral]) {
        write("restored \(restored.count) peripheral\(restored.count == 1 ? "" : "s")")
        for record in restored {
            let parts =
                [Self.name(record.peer, record.name)] + record.subscriptions.map { "subscribed \($0.path)" }
                + record.unfinished.map { operation in
                    let what = if case .read = operation.kind { "read" } else { "write" }
                    return "a \(what) of \(operation.path) had not ended"
                }
            write(parts.joined(separator: ", "))
        }
    }

    /// Writes an event of the central, except single reads and writes.
    func record(_ entry: RestorationEntry) {
        switch entry {
        case .connected(let peer, let name): write("connected to \(Self.name(peer, name))")
        case .secured(let peer): write("the security of \(peer) has changed")
        case .disconnected(let peer): write("\(peer) is no longer wanted")
        case .subscribed(let peer, let path, .none): write("\(path) of \(peer) is no longer subscribed")
        case .subscribed(let peer, let path, let kind): write("subscribed to \(kind) of \(path) of \(peer)")
        case .began, .ended: break
        }
    }

    /// A connection has ended.
    func record(_ end: Disconnection) {
        let reason = end.reason.map { ", reason \(Hexadecimal.number($0, digits: 2, uppercase: true))" }
        write("the connection to \(end.peer) ended\(reason ?? "")\(end.isPurposeful ? ", as it was to" : "")")
    }

    /// Writes whether a peripheral was restored.
    func record(_ restoration: Restoration) {
        switch restoration {
        case .connected(let restored):
            write("took up \(Self.name(restored.peripheral.id, restored.record.name))")
            for (path, error) in restored.failures.sorted(by: { "\($0.key)" < "\($1.key)" }) {
                write("did not restore \(path) of \(restored.peripheral.id): \(error)")
            }
        case .failed(let record, let error): write("did not restore \(Self.name(record.peer, record.name)): \(error)")
        }
    }

    /// Writes an error of the file.
    func record(_ error: RestorationError) { write("error: \(error)") }

    private static func name(_ peer: PeerID, _ name: String?) -> String { name.map { "\($0) (\(peer))" } ?? "\(peer)" }
}
