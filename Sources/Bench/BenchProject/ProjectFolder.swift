import BenchModel
import BenchSuites
import SystemPackage
import YAMLReading

/// A project: the folder with its `espbench.yaml`, or without this file a folder in which sketches are searched.
public struct ProjectFolder: Hashable, Sendable {
    /// The folder, absolute.
    public let root: String
    /// The project's `espbench.yaml`; `nil`: default settings.
    public let file: ProjectFile?

    /// The folder as a path.
    var path: FilePath { FilePath(root) }
}

/// A sketch of a project.
public struct FoundSketch: Hashable, Sendable {
    /// The sketch's name, which is its folder's.
    public var name: String
    /// The sketch's folder, absolute.
    public var folder: String

    init(_ folder: FilePath) {
        name = folder.lastComponent?.string ?? ""
        self.folder = folder.string
    }
}

/// The files that make a folder a sketch.
enum SketchFolder {
    /// The file that makes a folder a PlatformIO project.
    static let platformIO = "platformio.ini"

    /// The sketch in a folder with these entries; `nil`: the folder is not a sketch.
    static func sketch(_ folder: FilePath, _ entries: [FileEntry], _ files: any ProjectFiles) -> FilePath? {
        let mayBe = entries.contains { $0.kind == .file && ($0.name.hasSuffix(".ino") || $0.name == platformIO) }
        return mayBe ? sketch(folder, files) : nil
    }

    /// The sketch in a folder: the folder itself, by its real name if only the real name matches an `.ino` file; `nil`:
    /// the folder is not a sketch.
    static func sketch(_ folder: FilePath, _ files: any ProjectFiles) -> FilePath? {
        func isSketch(_ folder: FilePath) -> Bool {
            guard let name = folder.lastComponent?.string else { return false }
            return files.kind(of: folder.appending(name + ".ino").string) == .file
                || files.kind(of: folder.appending(platformIO).string) == .file
        }
        if isSketch(folder) { return folder }
        guard let real = files.realPath(folder.string).map({ FilePath($0) }), real != folder, isSketch(real) else {
            return nil
        }
        return real
    }

    /// The reason why a folder is not a sketch.
    static func deficiency(of folder: FilePath, _ files: any ProjectFiles) -> String {
        let name = folder.lastComponent?.string ?? ""
        let expected = "expected \(name).ino or \(platformIO) in it"
        do throws(FileFault) {
            let entries = try files.entries(in: folder.string)
            let main = entries.map(\.name).filter { $0.hasSuffix(".ino") }.sorted()
            if entries.isEmpty { return "\(expected), it is empty" }
            return main.isEmpty ? expected : "\(expected), it has \(main.joined(separator: ", "))"
        } catch {
            return "it could not be read: \(error)"
        }
    }
}

extension ProjectFolder {
    /// Folders without sketches of the project; they contain e.g. examples of libraries.
    private static let foreignFolders: Set<String> = [
        "libraries", "lib", "build", "node_modules", "managed_components",
    ]

    /// Throws a ``ProjectError`` with every path in the project's file that does not exist.
    func check(_ files: any ProjectFiles) throws(ProjectError) {
        guard let file else { return }
        let diagnostics = DiagnosticCollector(file: file.file)
        for path in (file.sketches ?? []) + file.suites {
            guard try PathPattern(text: path.text).matches(in: self.path, files).isEmpty else { continue }
            diagnostics.report(missing(path, "a folder or file", files), at: path.position)
        }
        for path in file.libraries ?? [] {
            let folders = try PathPattern(text: path.text).matches(in: self.path, files)
            guard !folders.isEmpty else {
                diagnostics.report(missing(path, "a folder with libraries", files), at: path.position)
                continue
            }
            for folder in folders where files.kind(of: folder.appending("library.properties").string) == .file {
                diagnostics.report(
                    "'\(path.text)' is a library: expected the folder that holds libraries, '\(path.text)/..'",
                    at: path.position)
            }
        }
        do throws(SuiteError) {
            try diagnostics.finish()
        } catch {
            throw ProjectError(.invalidProject, error.description)
        }
    }

    private func missing(_ path: ProjectFile.Path, _ what: String, _ files: any ProjectFiles) -> String {
        let place = self.path.pushing(FilePath(path.text)).lexicallyNormalized()
        if PathPattern(text: path.text).isGlob { return "nothing matches '\(path.text)' in \(root)" }
        let beside = (try? files.entries(in: place.removingLastComponent().string)) ?? []
        let name = place.lastComponent?.string ?? ""
        let suggestion = Suggestion.text(for: name, in: beside.map(\.name).sorted())
        return "expected \(what) at \(place), there is nothing\(suggestion)"
    }

    /// The place of a path in the file: `file:line:column`.
    func place(of path: ProjectFile.Path) -> String {
        "\(file?.file ?? ""):\(path.position.line):\(path.position.column)"
    }

    /// Every sketch, in order of name.
    func sketches(_ files: any ProjectFiles) throws(ProjectError) -> [FoundSketch] {
        var found: [FilePath] = []
        if let paths = file?.sketches {
            for path in paths {
                let pattern = PathPattern(text: path.text)
                let matches = try pattern.matches(in: self.path, files)
                var sketches = matches.compactMap { SketchFolder.sketch($0, files) }
                // The path is a folder that contains sketches.
                if sketches.isEmpty, !pattern.isGlob, let folder = matches.first {
                    sketches = try Self.sketches(below: folder, files)
                }
                guard !sketches.isEmpty else {
                    let what = pattern.isGlob ? "no sketch matches '\(path.text)'" : "no sketch in '\(path.text)'"
                    throw ProjectError(
                        .invalidProject,
                        "\(place(of: path)): \(what): expected folders with an .ino of their name, or with \(SketchFolder.platformIO)"
                    )
                }
                found += sketches
            }
        } else {
            found = try Self.sketches(below: path, files)
        }
        var folders: Set<String> = []
        return found.filter { folders.insert($0.string).inserted }.map { FoundSketch($0) }.sorted {
            ($0.name, $0.folder) < ($1.name, $1.folder)
        }
    }

    /// Sketches in `folder`, at any depth; folders of a sketch are not searched.
    static func sketches(below folder: FilePath, _ files: any ProjectFiles) throws(ProjectError) -> [FilePath] {
        var found: [FilePath] = []
        try FolderWalk(files: files).visit(folder) { (inner, entries) throws(ProjectError) in
            if let sketch = SketchFolder.sketch(inner, entries, files) {
                found.append(sketch)
                return []
            }
            return entries.map(\.name).filter { !foreignFolders.contains($0) }
        }
        return found
    }

    /// The folders of the project's libraries; absolute.
    public func libraryFolders(_ files: any ProjectFiles) throws(ProjectError) -> [String] {
        guard let paths = file?.libraries else { return [path.appending("libraries").string] }
        var folders: [String] = []
        for path in paths { folders += try PathPattern(text: path.text).matches(in: self.path, files).map(\.string) }
        return folders
    }
}

extension FilePath {
    /// The path, its parent folder, and all folders above up to the root.
    var andAbove: [FilePath] {
        var paths = [self]
        while let path = paths.last, !path.components.isEmpty { paths.append(path.removingLastComponent()) }
        return paths
    }

    /// The path as messages show it: relative to `folder` if it is in `folder` or in one of the three folders above;
    /// otherwise absolute.
    func shown(in folder: FilePath) -> String {
        guard self != folder else { return "." }
        for (steps, ancestor) in folder.andAbove.prefix(4).enumerated() where !ancestor.components.isEmpty {
            guard starts(with: ancestor), let rest = removingPrefix(ancestor) else { continue }
            return String(repeating: "../", count: steps) + rest.string
        }
        return string
    }

    private func removingPrefix(_ folder: FilePath) -> FilePath? {
        var path = self
        return path.removePrefix(folder) ? path : nil
    }
}

/// A walk through a folder and the folders below it, the nearest first and then by name.
///
/// Hidden folders are skipped. Symbolic links are followed; each folder is visited once, even if links form a cycle.
struct FolderWalk {
    /// Deeper folders are not visited.
    static let maximumDepth = 10
    /// A folder with more subfolders is not a project, but e.g. a home folder.
    static let maximumFolders = 10_000

    let files: any ProjectFiles

    /// Calls `body` with each folder and its entries in order of name; `body` returns the names of the folders to
    /// visit.
    ///
    /// - Throws: ``ProjectError`` when `root` cannot be read, or there are too many folders. Folders below `root` that
    ///   cannot be read are skipped.
    func visit(
        _ root: FilePath, _ body: (_ folder: FilePath, _ entries: [FileEntry]) throws(ProjectError) -> [String]
    ) throws(ProjectError) {
        var level = [root]
        var visited: Set<String> = []
        for depth in 0...Self.maximumDepth where !level.isEmpty {
            var next: [FilePath] = []
            for folder in level {
                guard let real = files.realPath(folder.string), visited.insert(real).inserted else { continue }
                guard visited.count <= Self.maximumFolders else {
                    throw ProjectError(
                        .noProject,
                        "more than \(Self.maximumFolders) folders below \(root): expected a project; name its sketches and suites in an \(ProjectFile.names[0])"
                    )
                }
                let entries: [FileEntry]
                do throws(FileFault) {
                    entries = try files.entries(in: folder.string).sorted { $0.name < $1.name }
                } catch {
                    if depth == 0 { throw ProjectError(.fileSystem, "\(root) could not be read: \(error)") }
                    continue
                }
                let wanted = Set(try body(folder, entries))
                next += entries.filter { $0.kind == .folder && !$0.name.hasPrefix(".") && wanted.contains($0.name) }
                    .map { folder.appending($0.name) }
            }
            level = next
        }
    }
}
