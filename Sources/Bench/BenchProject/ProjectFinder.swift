import YAMLReading
import BenchModel
import BenchSuites
import Synchronization
import SystemPackage

/// Finds projects, and in them sketches, suites and libraries.
///
/// A file belongs to the project whose `espbench.yaml` is in a folder above it. Otherwise the project is the first of
/// these that exists: the project of the working folder; the repository (a folder with `.git`) or else the sketch
/// around the file; the same around the working folder; the file's folder.
public final class ProjectFinder: Sendable {
    let files: any ProjectFiles
    /// The working folder, absolute; relative paths are relative to it.
    public let workingFolder: String
    /// The project that the user chose; `nil`: projects are searched.
    private let selected: ProjectFolder?
    private let projects = Mutex<[String: ProjectFolder]>([:])
    private let foundSketches = Mutex<[ProjectFolder: [FoundSketch]]>([:])

    /// A finder for commands in `workingFolder`.
    ///
    /// - Parameter project: the folder or the file of the project to use for everything.
    /// - Throws: ``ProjectError`` when that is not a project.
    public init(
        files: any ProjectFiles, workingFolder: String, project: String? = nil
    ) throws(ProjectError) {
        self.files = files
        self.workingFolder = workingFolder
        guard let project else {
            selected = nil
            return
        }
        let path = Self.place(project, in: FilePath(workingFolder), files)
        switch files.kind(of: path.string) {
        case .folder:
            selected =
                try Self.project(in: path, files, workingFolder) ?? ProjectFolder(root: path.string, file: nil)
        case .file:
            selected = try Self.project(path, files, workingFolder)
        case .other, nil:
            throw ProjectError(
                .noProject,
                "no project '\(project)': expected a folder, or its \(ProjectFile.names[0]), at \(path)")
        }
    }

    /// The project of the working folder.
    public func current() throws(ProjectError) -> ProjectFolder {
        try project(of: FilePath(workingFolder))
    }

    /// The project to which a file or folder belongs.
    func project(of path: FilePath) throws(ProjectError) -> ProjectFolder {
        if let selected { return selected }
        if let known = projects.withLock({ $0[path.string] }) { return known }
        let working = FilePath(workingFolder)
        var found = try Self.project(above: path, files, workingFolder)
        if found == nil { found = try Self.project(above: working, files, workingFolder) }
        let project = found ?? ProjectFolder(root: rootWithoutFile(of: path).string, file: nil)
        projects.withLock { $0[path.string] = project }
        return project
    }

    /// The folder in which sketches are searched if there is no `espbench.yaml`.
    private func rootWithoutFile(of path: FilePath) -> FilePath {
        for start in [path, FilePath(workingFolder)] {
            let folders = start.andAbove.filter { files.kind(of: $0.string) == .folder }
            let root =
                folders.first { files.kind(of: $0.appending(".git").string) != nil }
                ?? folders.first { SketchFolder.sketch($0, files) != nil }
            if let root { return root }
        }
        return path.andAbove.first { files.kind(of: $0.string) == .folder } ?? path
    }

    private static func project(
        above path: FilePath, _ files: any ProjectFiles, _ workingFolder: String
    ) throws(ProjectError) -> ProjectFolder? {
        // Tries the names that the user sees first, then the resolved ones.
        var folders = path.andAbove
        if let real = files.realPath(path.string).map({ FilePath($0) }), real != path { folders += real.andAbove }
        for folder in folders {
            if let project = try project(in: folder, files, workingFolder) { return project }
        }
        return nil
    }

    private static func project(
        in folder: FilePath, _ files: any ProjectFiles, _ workingFolder: String
    ) throws(ProjectError) -> ProjectFolder? {
        let found = ProjectFile.names.map { folder.appending($0) }.filter { files.kind(of: $0.string) != nil }
        guard let first = found.first else { return nil }
        guard found.count == 1 else {
            throw ProjectError(
                .invalidProject, "\(folder) has \(ProjectFile.names.joined(separator: " and ")): expected one of them")
        }
        return try project(first, files, workingFolder)
    }

    /// The project of the file at `path`.
    private static func project(
        _ path: FilePath, _ files: any ProjectFiles, _ workingFolder: String
    ) throws(ProjectError) -> ProjectFolder {
        let name = path.shown(in: FilePath(workingFolder))
        let text: String
        do throws(FileFault) {
            text = try files.text(of: path.string)
        } catch {
            throw ProjectError(.invalidProject, "\(name) could not be read: \(error)")
        }
        let file: ProjectFile
        do throws(SuiteError) {
            file = try ProjectFile(yaml: text, file: name)
        } catch {
            throw ProjectError(.invalidProject, error.description)
        }
        let project = ProjectFolder(root: path.removingLastComponent().string, file: file)
        try project.check(files)
        return project
    }

    /// Every sketch of a project, in order of name.
    ///
    /// - Throws: ``ProjectError``.
    public func sketches(of project: ProjectFolder) throws(ProjectError) -> [FoundSketch] {
        if let known = foundSketches.withLock({ $0[project] }) { return known }
        let found = try project.sketches(files)
        foundSketches.withLock { $0[project] = found }
        return found
    }

    /// The absolute path of `path`, relative to the working folder.
    func place(_ path: String) -> FilePath { Self.place(path, in: FilePath(workingFolder), files) }

    /// The absolute path of `path`, relative to `folder`, without `..`.
    static func place(_ path: String, in folder: FilePath, _ files: any ProjectFiles) -> FilePath {
        let joined = folder.pushing(FilePath(path))
        let normal = joined.lexicallyNormalized()
        // The system resolves symbolic links before `..`.
        guard joined.components.contains(where: { $0.kind == .parentDirectory }),
            let real = files.realPath(joined.string), real != files.realPath(normal.string)
        else { return normal }
        return FilePath(real)
    }

    /// The absolute path of `path`, relative to the working folder.
    public func absolute(_ path: String) -> String { place(path).string }

    /// The folder of the nearest project's file in `folder` or above it; `nil` when there is none.
    public func projectRoot(above folder: String) throws(ProjectError) -> String? {
        try Self.project(above: FilePath(folder), files, workingFolder)?.root
    }

    /// `folder` and the folders above it.
    public static func folders(above path: String) -> [String] { FilePath(path).andAbove.map(\.string) }

    /// A path as messages show it: relative to the working folder if that is short.
    public func shown(_ path: String) -> String { FilePath(path).shown(in: FilePath(workingFolder)) }
}
