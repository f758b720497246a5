/// An Arduino library on disk (arduino-cli, library specification).
struct Library: Hashable, Sendable {
    /// `name` of `library.properties`, or the folder's name.
    let name: String
    /// `version` of `library.properties`; empty without one.
    let version: String
    /// Its folder; absolute.
    let folder: String
    /// `architectures` of `library.properties`; `["*"]` without an entry.
    let architectures: [String]
    /// The names in `depends` of `library.properties`.
    let dependencies: [String]
    /// The folders of its headers: `src`, or the folder itself. PlatformIO's libraries may have `include`, too.
    let includeFolders: [String]
    /// `utility` of the old layout, in the include path of the library's own files only.
    let utilityFolder: String?
    /// True if subfolders of the source folder are compiled, too: with a `src` folder, and in every PlatformIO library.
    let isRecursive: Bool
    /// True for a library of PlatformIO, which finds libraries also by a header in a subfolder: `#include <led/led.h>`.
    let isPlatformIO: Bool
    /// True if its code is in archives for the chip (`precompiled`).
    let isPrecompiled: Bool
    /// Entries of `library.properties` that are for the chip's linker and thus ignored: a line each.
    let unused: [String]
    /// The headers by which a sketch selects the library.
    let headers: Set<String>

    /// The library in `folder`; `nil` when the folder has neither `library.properties` nor a header.
    ///
    /// - Parameter isPlatformIO: whether the folder belongs to a PlatformIO project.
    /// - Throws: ``FirmwareBuildError`` when a folder or file cannot be read.
    init?(folder: String, isPlatformIO: Bool = false) throws(FirmwareBuildError) {
        let path = folder + "/library.properties"
        let text = FileTree.isFile(path) ? try FileTree.text(of: path) : ""
        let properties = Self.properties(text)
        let isDescribed = !properties.isEmpty || FileTree.isFile(folder + "/library.json")
        func list(_ key: String) -> [String] {
            (properties[key] ?? "").split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
        }
        self.folder = folder
        let own = properties["name"] ?? ""
        name = own.isEmpty ? folder.fileName : own
        version = properties["version"] ?? ""
        let named = list("architectures")
        architectures = named.isEmpty ? ["*"] : named
        // "Name (>=1.0.0)"
        dependencies = list("depends").map { String($0.prefix { $0 != "(" }).trimmed }
        let hasSource = FileTree.isFolder(folder + "/src")
        let isInSource = hasSource && (isDescribed || isPlatformIO || !Self.hasHeader(in: folder))
        let main = isInSource ? folder + "/src" : folder
        isRecursive = isInSource || (isPlatformIO && properties.isEmpty)
        self.isPlatformIO = isPlatformIO
        includeFolders = [main] + [folder + "/include"].filter(FileTree.isFolder)
        utilityFolder = !isRecursive && FileTree.isFolder(folder + "/utility") ? folder + "/utility" : nil
        isPrecompiled = ["true", "full"].contains(properties["precompiled"] ?? "")
        unused = [("ldflags", "no linker flags of libraries"), ("precompiled", "the library's sources, no archives")]
            .compactMap { key, used in
                guard let value = properties[key], !["", "false"].contains(value) else { return nil }
                let line = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                    .lastIndex { Self.properties(String($0))[key] != nil }
                return
                    "\(path):\((line ?? 0) + 1): warning: \(key)=\(value) is not used on the virtual board, which is linked with \(used) for the chip"
            }
        var headers: Set<String> = []
        for folder in includeFolders {
            for entry in try FileTree.entries(of: folder) where SourceFiles.headers.contains(entry.name.fileExtension) {
                headers.insert(entry.name)
            }
        }
        guard isDescribed || isPlatformIO || !headers.isEmpty else { return nil }
        self.headers = headers
    }

    private static func hasHeader(in folder: String) -> Bool {
        let entries = (try? FileTree.entries(of: folder)) ?? []
        return entries.contains { SourceFiles.headers.contains($0.name.fileExtension) }
    }

    /// `key=value` lines; others are skipped, as arduino-cli does.
    private static func properties(_ text: String) -> [String: String] {
        var properties: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let line = String(line).trimmed
            guard !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else { continue }
            properties[String(line[..<equals]).trimmed] = String(line[line.index(after: equals)...]).trimmed
        }
        return properties
    }

    /// The files to compile, in order of path.
    func sourceFiles() throws(FirmwareBuildError) -> [String] {
        var files = try FileTree.filesBelow(includeFolders[0], isRecursive: isRecursive)
        if let utilityFolder { files += try FileTree.filesBelow(utilityFolder, isRecursive: false) }
        let left = includeFolders[0] == folder ? Self.notCompiled.map { "\(folder)/\($0)/" } : []
        return files.filter { file in SourceFiles.isCompiled(file) && !left.contains(where: file.hasPrefix) }
    }

    /// Folders that are not compiled in a PlatformIO library without `src`.
    private static let notCompiled = ["example", "examples", "test", "tests"]

    /// The files that may be included, in order of path.
    func headerFiles() throws(FirmwareBuildError) -> [String] {
        var files: [String] = []
        for (number, folder) in includeFolders.enumerated() {
            files += try FileTree.filesBelow(folder, isRecursive: isRecursive || number > 0)
        }
        if let utilityFolder { files += try FileTree.filesBelow(utilityFolder, isRecursive: false) }
        return files.filter(SourceFiles.isOther)
    }

    /// For messages: `Name 1.2.3`.
    var title: String { version.isEmpty ? name : "\(name) \(version)" }

    /// True if the library declares support of `architecture`, by name or by `*`.
    func isCompatible(with architecture: String) -> Bool { isOptimized(for: architecture) || isOptimized(for: "*") }

    func isOptimized(for architecture: String) -> Bool { architectures.contains(architecture) }
}

extension String {
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
