import YAMLReading
import BenchModel
import BenchSuites
import SystemPackage

extension ProjectFolder {
    /// Folders that hold no sketches of the project's own, but e.g. examples of libraries.
    private static let foreignFolders: Set<String> = [
        "libraries", "lib", "build", "node_modules", "managed_components",
    ]

    /// Throws a ``ProjectError`` with every path of the file that is not there.
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

    /// Where a path stands: `file:line:column`.
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
                // A folder of sketches.
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

    /// Sketches in `folder`, at any depth; a sketch's own folders are not looked through.
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
