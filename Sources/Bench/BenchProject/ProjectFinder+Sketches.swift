import BenchModel
import BenchSuites
import SystemPackage

/// A sketch that was found, and its project.
public struct LocatedSketch: Hashable, Sendable {
    /// The sketch.
    public var sketch: FoundSketch
    /// The sketch's project.
    public var project: ProjectFolder
}

extension ProjectFinder {
    /// The sketch that a command's argument names: a folder, an `.ino` file, or the name of one of the project's
    /// sketches. Without argument: the sketch of the working folder, or the project's only sketch.
    ///
    /// - Throws: ``ProjectError`` with every place that was searched.
    public func sketch(_ argument: String?) throws(ProjectError) -> LocatedSketch {
        guard let argument else { return try onlySketch() }
        var tried: [String] = []
        if let found = try sketch(at: argument, in: FilePath(workingFolder), tried: &tried) { return found }
        let project = try current()
        if let found = try sketch(named: argument, of: project) { return found }
        throw ProjectError(.noSketch, try missing(argument, tried, project))
    }

    /// The sketch of the suite in `file`: the sketch that its key `sketch` names, by a path relative to the file or by
    /// a name; without that key, the sketch whose folder contains the file, or the project's only sketch.
    ///
    /// - Throws: ``ProjectError`` with the file's line and every place that was searched.
    public func sketch(
        _ reference: SketchReference?, ofSuite file: String
    ) throws(ProjectError) -> LocatedSketch {
        let folder = place(file).removingLastComponent()
        let project = try project(of: folder)
        let above = folder.andAbove.compactMap { SketchFolder.sketch($0, files) }
        guard let reference else {
            if let beside = above.first { return LocatedSketch(sketch: FoundSketch(beside), project: project) }
            let all = try sketches(of: project)
            if all.count == 1 { return LocatedSketch(sketch: all[0], project: project) }
            throw ProjectError(
                .noSketch,
                "\(file):1:1: the suite lacks the key 'sketch', and no folder above it is a sketch; \(list(all, project))"
            )
        }
        let place = "\(file):\(reference.position.line):\(reference.position.column): "
        do throws(ProjectError) {
            var tried: [String] = []
            if let found = try sketch(at: reference.name, in: folder, tried: &tried) { return found }
            if let beside = above.first(where: { $0.lastComponent?.string == reference.name }) {
                return LocatedSketch(sketch: FoundSketch(beside), project: project)
            }
            if let found = try sketch(named: reference.name, of: project) { return found }
            throw ProjectError(.noSketch, try missing(reference.name, tried, project))
        } catch {
            throw ProjectError(error.code, place + error.description)
        }
    }

    /// The sketch at a path; `nil` if there is none, with the reason added to `tried`.
    private func sketch(
        at path: String, in folder: FilePath, tried: inout [String]
    ) throws(ProjectError) -> LocatedSketch? {
        let place = Self.place(path, in: folder, files)
        let shown = place.string
        switch files.kind(of: place.string) {
        case .folder:
            if let sketch = SketchFolder.sketch(place, files) { return try located(sketch) }
            let inner = (try? ProjectFolder.sketches(below: place, files)) ?? []
            if inner.count == 1 { return try located(inner[0]) }
            guard inner.isEmpty else {
                let names = inner.map { self.shown($0.string) }.joined(separator: ", ")
                throw ProjectError(
                    .ambiguousSketch, "'\(path)' has \(inner.count) sketches: expected one of \(names)")
            }
            tried.append("\(shown) (\(SketchFolder.deficiency(of: place, files)))")
        case .file:
            let parent = place.removingLastComponent()
            if place.extension == "ino" || place.lastComponent?.string == SketchFolder.platformIO,
                let sketch = SketchFolder.sketch(parent, files)
            {
                return try located(sketch)
            }
            let reason =
                place.extension == "ino"
                ? SketchFolder.deficiency(of: parent, files) : "a file, but no .ino and no \(SketchFolder.platformIO)"
            tried.append("\(shown) (\(reason))")
        case .other: tried.append("\(shown) (a device, a pipe or a socket)")
        case nil: tried.append("\(shown) (nothing there)")
        }
        return nil
    }

    private func located(_ folder: FilePath) throws(ProjectError) -> LocatedSketch {
        LocatedSketch(sketch: FoundSketch(folder), project: try project(of: folder))
    }

    /// The sketches in a project's folder that `espbench.yaml` does not list.
    ///
    /// - Throws: ``ProjectError``.
    public func unnamedSketches(of project: ProjectFolder) throws(ProjectError) -> [FoundSketch] {
        let named = Set(try sketches(of: project))
        return try ProjectFolder.sketches(below: project.path, files).map { FoundSketch($0) }.filter {
            !named.contains($0)
        }
    }

    func sketch(named name: String, of project: ProjectFolder) throws(ProjectError) -> LocatedSketch? {
        // In a folder that is too large to search, sketches cannot be found by name.
        let found = ((try? sketches(of: project)) ?? []).filter { $0.name == name }
        guard found.count < 2 else {
            let places = found.map { shown($0.folder) }.joined(separator: " and ")
            throw ProjectError(
                .ambiguousSketch, "the name '\(name)' belongs to several sketches: expected the path of one, \(places)")
        }
        return found.first.map { LocatedSketch(sketch: $0, project: project) }
    }

    private func missing(
        _ name: String, _ tried: [String], _ project: ProjectFolder
    ) throws(ProjectError) -> String {
        let all: [FoundSketch]
        do throws(ProjectError) {
            all = try sketches(of: project)
        } catch {
            guard error.code == .noProject else { throw error }
            return "no sketch '\(name)': tried \(tried.joined(separator: ", ")); \(error)"
        }
        return
            "no sketch '\(name)'\(Suggestion.text(for: name, in: all.map(\.name))): tried \(tried.joined(separator: ", ")); \(list(all, project))"
    }

    private func list(_ sketches: [FoundSketch], _ project: ProjectFolder) -> String {
        sketches.isEmpty
            ? "the project \(project.root) has no sketches"
            : "the project \(project.root) has \(sketches.map(\.name).joined(separator: ", "))"
    }

    private func onlySketch() throws(ProjectError) -> LocatedSketch {
        let working = FilePath(workingFolder)
        let project = try current()
        for folder in working.andAbove {
            if let sketch = SketchFolder.sketch(folder, files) {
                return LocatedSketch(sketch: FoundSketch(sketch), project: project)
            }
            if folder == project.path { break }
        }
        let all = try sketches(of: project)
        switch all.count {
        case 1: return LocatedSketch(sketch: all[0], project: project)
        case 0:
            throw ProjectError(
                .noSketch,
                "no sketch in \(project.root): expected a folder with an .ino of its name, or with \(SketchFolder.platformIO)"
            )
        default:
            let names = all.map { sketch in
                all.count { $0.name == sketch.name } > 1 ? shown(sketch.folder) : sketch.name
            }
            throw ProjectError(
                .ambiguousSketch,
                "the project \(project.root) has \(all.count) sketches: expected one of \(names.joined(separator: ", "))"
            )
        }
    }
}
