import BenchModel
import SystemPackage

extension ProjectFinder {
    /// The name of folders in which every YAML file is a suite; case-insensitive.
    private static let suiteFolder = "suites"
    /// Other folders of a sketch in which suites are searched.
    private static let testFolders: Set<String> = ["test", "tests"]

    /// The files of suites that a command's arguments name: files, folders, sketches (by name or `.ino`). Without
    /// arguments: every suite of the project. Paths are as the user wrote them, or relative to the working folder.
    ///
    /// - Throws: ``ProjectError`` with every argument that names no suite.
    public func suites(_ arguments: [String]) throws(ProjectError) -> [String] {
        guard !arguments.isEmpty else { return try suites(of: try current()).map(shown) }
        var found: [String] = []
        var faults: [String] = []
        for argument in arguments {
            let place = place(argument)
            if let sketch = try sketchOfSuites(argument) {
                let beside = try suites(beside: sketch)
                if beside.isEmpty {
                    faults.append(
                        "no suite of the sketch '\(argument)': expected .yaml files in \(shown(sketch.folder))/Suites")
                }
                found += beside.map(shown)
                continue
            }
            switch files.kind(of: place.string) {
            case nil:
                faults.append(absence(of: place, argument))
                continue
            case .file, .other:
                // Errors in these files are reported when they are read.
                found.append(argument)
                continue
            case .folder: break
            }
            do throws(ProjectError) {
                let inside = try suites(below: place)
                if inside.isEmpty { faults.append(try emptiness(of: place, argument)) }
                found += inside.map { file in
                    var rest = FilePath(file)
                    _ = rest.removePrefix(place)
                    return FilePath(argument).lexicallyNormalized().pushing(rest).lexicallyNormalized().string
                }
            } catch {
                faults.append(error.description)
            }
        }
        guard faults.isEmpty else { throw ProjectError(.noSuite, faults.joined(separator: "\n")) }
        return found.uniqued
    }

    /// The sketch named by an argument that is neither a suite nor a folder.
    private func sketchOfSuites(_ argument: String) throws(ProjectError) -> FoundSketch? {
        let place = place(argument)
        if place.extension == "ino" || place.lastComponent?.string == SketchFolder.platformIO {
            return SketchFolder.sketch(place.removingLastComponent(), files).map { FoundSketch($0) }
        }
        guard files.kind(of: place.string) == nil else { return nil }
        return try sketch(named: argument, of: try current())?.sketch
    }

    private func absence(of place: FilePath, _ argument: String) -> String {
        let beside = ((try? files.entries(in: place.removingLastComponent().string)) ?? []).map(\.name).sorted()
        return
            "no suite '\(argument)'\(Suggestion.text(for: place.lastComponent?.string ?? "", in: beside)): expected a file or a folder at \(place)"
    }

    private func emptiness(of folder: FilePath, _ argument: String) throws(ProjectError) -> String {
        let isEmpty = ((try? files.entries(in: folder.string)) ?? []).isEmpty
        return
            "no suite in '\(argument)'\(isEmpty ? ", which is empty" : ""): expected a .yaml file with the keys 'suite' and 'cases' in \(folder) or below it"
    }

    /// Every suite of a project, as absolute paths: suites beside its sketches, then suites that the project's file
    /// names.
    func suites(of project: ProjectFolder) throws(ProjectError) -> [String] {
        var found: [String] = []
        let sketches = try sketches(of: project)
        for sketch in sketches.sorted(by: { $0.folder < $1.folder }) {
            found += try suites(beside: FilePath(sketch.folder))
        }
        for path in project.file?.suites ?? [] {
            var matches: [String] = []
            for match in try PathPattern(text: path.text).matches(in: project.path, files) {
                if files.kind(of: match.string) == .folder {
                    matches += try suites(below: match)
                } else {
                    matches.append(match.string)
                }
            }
            guard !matches.isEmpty else {
                throw ProjectError(
                    .invalidProject,
                    "\(project.place(of: path)): no suite in '\(path.text)': expected .yaml files with the keys 'suite' and 'cases'"
                )
            }
            found += matches
        }
        guard !found.isEmpty else {
            let places =
                sketches.isEmpty
                ? "it has no sketches (folders with an .ino of their name, or with \(SketchFolder.platformIO))"
                : "expected .yaml files in \(sketches.map { shown($0.folder + "/Suites") }.joined(separator: ", "))"
            throw ProjectError(.noSuite, "no suite in the project \(project.root): \(places)")
        }
        return found.uniqued
    }

    /// The suites of one sketch of the project, as absolute paths.
    ///
    /// - Throws: ``ProjectError`` when its folder cannot be read.
    public func suites(beside sketch: FoundSketch) throws(ProjectError) -> [String] {
        try suites(beside: FilePath(sketch.folder))
    }

    /// The suites of one sketch: in its folder, and in its folders for suites and tests.
    private func suites(beside sketch: FilePath) throws(ProjectError) -> [String] {
        let entries: [FileEntry]
        do throws(FileFault) {
            entries = try files.entries(in: sketch.string).sorted { $0.name < $1.name }
        } catch {
            throw ProjectError(.fileSystem, "\(sketch) could not be read: \(error)")
        }
        var found = entries.filter { $0.kind == .file }.map { sketch.appending($0.name) }
            .filter { isSuite($0) }.map(\.string)
        for entry in entries where entry.kind == .folder {
            let name = entry.name.lowercased()
            guard name == Self.suiteFolder || Self.testFolders.contains(name) else { continue }
            found += try suites(below: sketch.appending(entry.name))
        }
        return found
    }

    /// The suites in a folder and below it.
    func suites(below folder: FilePath) throws(ProjectError) -> [String] {
        var found: [FilePath] = []
        try FolderWalk(files: files).visit(folder) { (inner, entries) throws(ProjectError) in
            // In a folder of suites, an entry that is not a regular file is listed too, so that reading it reports the
            // error.
            found += entries.filter { $0.kind != .folder }.map { inner.appending($0.name) }.filter { isSuite($0) }
            return entries.map(\.name).filter { $0 != "node_modules" }
        }
        return found.map(\.string).sorted()
    }

    /// True if a file is a suite: a YAML file in a folder of suites, or one with a key that only suites have.
    private func isSuite(_ file: FilePath) -> Bool {
        guard let name = file.lastComponent?.string, !name.hasPrefix("."), name != "sketch.yaml",
            !ProjectFile.names.contains(name), ["yaml", "yml"].contains(file.extension)
        else { return false }
        if file.removingLastComponent().lastComponent?.string.lowercased() == Self.suiteFolder { return true }
        guard let text = try? files.text(of: file.string) else { return false }
        return text.split(whereSeparator: \.isNewline).contains { line in
            ["suite:", "cases:"].contains { line.hasPrefix($0) }
        }
    }
}

extension [String] {
    /// The elements without duplicates, in the same order.
    var uniqued: [String] {
        var known: Set<String> = []
        return filter { known.insert($0).inserted }
    }
}
