import Foundation

/// The paths of files as continuous integration shows them: relative to the repository's root.
struct SourcePaths: Sendable {
    private let workingFolder: String?
    private let root: String?

    /// The paths in this environment; outside continuous integration files keep their names.
    init(_ environment: Environment) {
        workingFolder = environment.workingFolder
        var root: String?
        if environment.isContinuousIntegration {
            for name in ["GITHUB_WORKSPACE", "CI_PROJECT_DIR", "WORKSPACE"] {
                guard let folder = environment.variables[name], !folder.isEmpty else { continue }
                root = folder
                break
            }
        }
        self.root = root.map { URL(filePath: $0).resolvingSymlinksInPath().path }
    }

    /// The file at `path`, as named from the working folder, relative to the root if it is in it.
    @Sendable func relative(_ path: String) -> String {
        guard let root, let workingFolder else { return path }
        let file = URL(filePath: path, relativeTo: URL(filePath: workingFolder, directoryHint: .isDirectory))
            .standardizedFileURL.resolvingSymlinksInPath().path
        return file.hasPrefix(root + "/") ? String(file.dropFirst(root.count + 1)) : path
    }
}
