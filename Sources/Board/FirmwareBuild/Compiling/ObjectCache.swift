import Foundation

/// Compiled files by the content of their sources, with the contents of the headers that they include.
struct ObjectCache: Sendable {
    /// A compiled file.
    struct Object: Sendable {
        var path: String
        /// Identifies all its inputs.
        var identity: String
        /// The files among its inputs, and their hashes.
        var inputs: [(path: String, hash: String)]
        var libraries: [CompileUnit.NeededLibrary]
        var warnings = ""
        var wasCached = true
    }

    let folder: String
    let fingerprint: String
    let nimble: NimBLE
    let hashes: FileHashes
    let seals: CacheSeals
    /// The folders of headers that the fingerprint covers.
    let excluded: [String]

    /// The key of `unit`: identifies all its inputs but the contents of the included headers.
    func key(_ unit: CompileUnit) throws(FirmwareBuildError) -> String {
        var hash = ContentHash()
        hash.add(fingerprint)
        hash.add(unit.owner == .sketch ? "sketch" : "library")
        hash.add(nimble.suffix)
        unit.includeFolders.forEach { hash.add($0) }
        hash.add(flags: unit.flags)
        unit.surroundings.forEach { hash.add($0) }
        guard let contents = hashes.hash(of: unit.source) else {
            // Throws the reason.
            try hash.add(contentsOf: unit.source)
            return hash.text
        }
        hash.add(unit.source)
        hash.add(contents)
        return hash.text
    }

    /// The object with `key`, if the headers and the answers of `index` have not changed.
    func object(_ key: String, _ index: LibraryIndex) -> Object? {
        let entry = "\(folder)/\(key)"
        guard let inputs = seals.contents(of: entry + "/inputs"), seals.isGenuine(entry + "/object.o") else {
            return nil
        }
        let text = String(decoding: inputs, as: UTF8.self)
        var identity = ContentHash()
        identity.add(key)
        var object = Object(path: entry + "/object.o", identity: "", inputs: [], libraries: [])
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 3 else { return nil }
            identity.add(fields[1])
            identity.add(fields[2])
            switch fields[0] {
            case "file":
                guard hashes.hash(of: fields[2]) == fields[1] else { return nil }
                object.inputs.append((fields[2], fields[1]))
            case "library":
                guard case .library(let library) = index.answer(for: fields[1]), library.folder == fields[2] else {
                    return nil
                }
                object.libraries.append(CompileUnit.NeededLibrary(header: fields[1], library: library))
            default: return nil
            }
        }
        object.identity = identity.text
        FileTree.touch(entry)
        return object
    }

    /// The headers that the compiler listed in `dependencies`.
    private func headers(of unit: CompileUnit, _ dependencies: String) throws(FirmwareBuildError) -> [String] {
        DependencyFile.paths(try FileTree.contents(of: dependencies)).filter { path in
            path != unit.source && !excluded.contains { path.hasPrefix($0 + "/") }
        }
    }

    /// True if the compiler has read the hashed contents: no file was changed since the build began.
    func areSettled(_ unit: CompileUnit, dependencies: String) throws(FirmwareBuildError) -> Bool {
        let headers = try headers(of: unit, dependencies)
        for header in headers { _ = hashes.hash(of: header) }
        return hashes.areSettled(headers + (unit.isWritten ? [] : [unit.source]))
    }

    /// Stores the object at `temporary`, whose dependencies the compiler wrote to `dependencies`, under `key`.
    func store(
        _ key: String, object temporary: String, dependencies: String, _ unit: CompileUnit, _ index: LibraryIndex
    ) throws(FirmwareBuildError) -> Object? {
        let paths = try headers(of: unit, dependencies)
        var lines = unit.libraries.map { "library\t\($0.header)\t\($0.library.folder)\n" }
        for path in Set(paths).sorted() {
            guard !path.contains(where: { $0 == "\n" || $0 == "\t" }), let hash = hashes.hash(of: path) else {
                continue
            }
            lines.append("file\t\(hash)\t\(path)\n")
        }
        let entry = "\(folder)/\(key)"
        try FileTree.makeFolder(entry)
        try seals.move(temporary, to: entry + "/object.o")
        // Written last: an entry that has this file is complete.
        try seals.write(lines.joined(), to: entry + "/inputs")
        var object = object(key, index)
        object?.wasCached = false
        return object
    }
}

/// A compiler's list of the files that an object depends on, in make's syntax.
enum DependencyFile {
    /// The paths behind the first colon. A space in a path is escaped with a backslash, a dollar sign doubled.
    static func paths(_ text: [UInt8]) -> [String] {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return [] }
        var paths: [String] = []
        var path: [UInt8] = []
        var index = colon + 1
        func next() -> UInt8? { index + 1 < text.count ? text[index + 1] : nil }
        func end() {
            if !path.isEmpty { paths.append(String(decoding: path, as: UTF8.self)) }
            path = []
        }
        while index < text.count {
            switch text[index] {
            case .backslash where next() == .newline:
                end()
                index += 1
            case .backslash where next() == .space || next() == UInt8(ascii: "#") || next() == UInt8(ascii: ":"):
                path.append(text[index + 1])
                index += 1
            case UInt8(ascii: "$") where next() == UInt8(ascii: "$"):
                path.append(text[index])
                index += 1
            case .newline, .space: end()
            default: path.append(text[index])
            }
            index += 1
        }
        end()
        return paths
    }
}

/// The host core's headers, compiled once: they are most of the text of a small sketch.
///
/// GCC ignores a precompiled header that does not match: when macros that it uses have other values on the command
/// line, or when other text precedes it.
enum PrecompiledHeader: CaseIterable {
    case arduino
    /// `Arduino.h` and `NimBLEDevice.h`.
    case bluetooth

    /// The headers that the unit includes.
    var include: String {
        switch self {
        case .arduino: "Arduino.h"
        case .bluetooth: "espbench-NimBLEDevice.h"
        }
    }

    /// The header's text. Each header is in a folder that is searched before the host core's.
    var text: String {
        switch self {
        case .arduino: "#include_next <Arduino.h>\n"
        case .bluetooth: "#include <Arduino.h>\n#include <NimBLEDevice.h>\n"
        }
    }

    /// True if the host core has the headers.
    func isOffered(_ toolchain: HostToolchain, _ nimble: NimBLE) -> Bool {
        self == .arduino || Self.isHeader("NimBLEDevice.h", toolchain, nimble)
    }

    /// True if the host core has the header `name`, for a program with `nimble`.
    private static func isHeader(_ name: String, _ toolchain: HostToolchain, _ nimble: NimBLE) -> Bool {
        toolchain.files.includeFolders(nimble).contains { FileTree.isFile("\($0)/\(name)") }
    }

    /// The precompiled header for a main file: ``bluetooth`` only when the file includes `NimBLEDevice.h` before any
    /// definition and any header of its own, so that no code changes its meaning.
    static func suitable(for text: [UInt8], _ toolchain: HostToolchain, _ nimble: NimBLE) -> PrecompiledHeader {
        guard toolchain.isGCC else { return .arduino }
        let source = SourceTokens(text)
        let firstToken = source.tokens.first?.range.lowerBound ?? text.count
        let opening = String(decoding: SourceTokens.withoutComments(text[..<firstToken]), as: UTF8.self)
        for line in opening.split(separator: "\n").map({ String($0).trimmed }) where !line.isEmpty {
            guard line.hasPrefix("#"), case let words = line.dropFirst().drop(while: \.isWhitespace),
                words.hasPrefix("include")
            else { return .arduino }
            let name = words.dropFirst("include".count).filter { !"<>\" \t".contains($0) }
            if name == "NimBLEDevice.h", bluetooth.isOffered(toolchain, nimble) { return .bluetooth }
            guard isHeader(name, toolchain, nimble) else { return .arduino }
        }
        return .arduino
    }
}

extension SourceTokens {
    /// `text`, which has no literals, without its comments.
    static func withoutComments(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            let pair = text[index..<min(index + 2, text.endIndex)]
            if pair.elementsEqual("/*".utf8) {
                index += 2
                while index < text.endIndex, !text[index...].starts(with: "*/".utf8) { index += 1 }
                index += 2
            } else if pair.elementsEqual("//".utf8) {
                while index < text.endIndex, text[index] != .newline { index += 1 }
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return result
    }
}

/// Limits the number of running programs to that of the machine's processors, over all builds of this process:
/// otherwise many simultaneous builds would start so many compilers that each takes minutes, and the machine runs out
/// of memory.
actor ProgramSlots {
    static let shared = ProgramSlots(max(2, ProcessInfo.processInfo.activeProcessorCount))

    private var free: Int
    /// The waiting tasks, in order of arrival.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        free = count
    }

    /// Runs `body` in one of the slots.
    func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
        defer {
            if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
        }
        return try await body()
    }
}
