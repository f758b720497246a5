import FirmwareBuild
import Foundation

/// The machine as the doctor sees it: files below a root, the programs of a PATH, the user's groups. Tests have their own.
package struct Machine: Sendable {
    /// The root of the file system, without a slash at its end.
    package var root: String
    /// The environment variables.
    package var variables: [String: String]
    /// Whether the system is Linux.
    package var isLinux: Bool
    /// Whether the user is root.
    package var isRoot: Bool
    /// The names of the user's groups.
    package var groups: Set<String>
    /// The folders above the program, where it may have been built.
    package var programFolders: [String]

    /// A machine with these properties.
    package init(
        root: String = "", variables: [String: String], isLinux: Bool = true, isRoot: Bool = false,
        groups: Set<String> = [], programFolders: [String] = []
    ) {
        self.root = root
        self.variables = variables
        self.isLinux = isLinux
        self.isRoot = isRoot
        self.groups = groups
        self.programFolders = programFolders
    }

    /// This machine.
    init(_ environment: Environment) {
        self.init(
            variables: environment.variables, isRoot: getuid() == 0, groups: UserGroups.names,
            programFolders: Self.folders(above: environment.executable))
        #if !os(Linux)
            isLinux = false
        #endif
    }

    private static func folders(above path: String) -> [String] {
        var folders: [String] = []
        var url = URL(filePath: path).deletingLastPathComponent()
        while url.path.count > 1, folders.count < 8 {
            folders.append(url.path)
            url = url.deletingLastPathComponent()
        }
        return folders
    }

    // MARK: Files

    /// Whether there is a file, folder or device at `path`.
    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root + path) }

    /// The names in the folder at `path`, sorted; none if it does not exist.
    func names(in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: root + path)) ?? []).sorted()
    }

    /// The text of a file without white space around it; `nil` if it cannot be read.
    func text(of path: String) -> String? {
        guard let bytes = FileManager.default.contents(atPath: root + path) else { return nil }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Whether the user may read and write the file or device at `path`.
    func isUsable(_ path: String) -> Bool {
        FileManager.default.isReadableFile(atPath: root + path)
            && FileManager.default.isWritableFile(atPath: root + path)
    }

    // MARK: Programs

    /// The first of `names` in PATH.
    func program(_ names: String...) -> String? {
        let folders = (variables["PATH"] ?? "").split(separator: ":")
        for name in names {
            for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
                return "\(folder)/\(name)"
            }
        }
        return nil
    }

    /// Runs a program to its end; `nil` when it cannot be started or does not end in time.
    func run(_ path: String, _ arguments: [String], input: String = "") async -> ProgramOutcome? {
        await ProgramOutcome.of(path, arguments, variables: variables, input: input)
    }
}
