import FoundationEssentials

/// An Arduino sketch on disk: a folder with a main `.ino` of the folder's name, and its other sources.
///
/// The rules are arduino-cli's: all `.ino` files of the folder are one translation unit, main file first and then by
/// name; C and C++ files of the folder itself and, at any depth, of `src/` are compiled beside it.
public struct Sketch: Hashable, Sendable {
    /// The folder's absolute path.
    public let folder: String
    /// The sketch's name: its folder's.
    public let name: String
    /// The `.ino` files, main file first; absolute paths.
    public let inoFiles: [String]
    /// The C and C++ files to compile beside them; absolute paths, in order of name.
    public let sourceFiles: [String]
    /// The headers of the folder and of `src/`; absolute paths, in order of name.
    public let headerFiles: [String]

    /// The file with the sketch's own compiler flags, one of ``headerFiles`` by its name only: arduino-esp32's
    /// `build_opt.h`, which is passed to the compiler as a response file. `nil` when there is none.
    public var buildOptions: String? { headerFiles.first { $0 == "\(folder)/build_opt.h" } }

    /// Finds the sketch given by `argument`: a folder, an `.ino` file, or a folder's name under `firmwareFolder`.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `sketchNotFound`.
    public init(_ argument: String, firmwareFolder: String) throws(FirmwareBuildError) {
        let candidates = [argument, firmwareFolder + "/" + argument]
        guard let found = candidates.lazy.compactMap(Self.folder(at:)).first else {
            throw FirmwareBuildError(
                .sketchNotFound,
                "no sketch '\(argument)': expected a folder with an .ino file of its name, an .ino file, or a folder under \(firmwareFolder)"
            )
        }
        folder = found
        name = URL(filePath: found).lastPathComponent
        let main = "\(folder)/\(name).ino"
        let top = Self.files(in: folder)
        let all = top + Self.filesBelow(folder + "/src")
        inoFiles = [main] + top.filter { $0.hasSuffix(".ino") && $0 != main }
        sourceFiles = all.filter { path in [".cpp", ".c", ".cc", ".cxx"].contains { path.hasSuffix($0) } }
        headerFiles = all.filter { path in [".h", ".hpp", ".hh"].contains { path.hasSuffix($0) } }
    }

    private static func folder(at path: String) -> String? {
        let url = URL(filePath: path).standardizedFileURL.absoluteURL
        let folder = url.pathExtension == "ino" ? url.deletingLastPathComponent() : url
        let main = folder.appending(path: folder.lastPathComponent + ".ino")
        return FileManager.default.fileExists(atPath: main.path) ? Self.withoutTrailingSlash(folder.path) : nil
    }

    private static func withoutTrailingSlash(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    private static func files(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }
    }

    private static func filesBelow(_ folder: String) -> [String] {
        files(in: folder).flatMap { path -> [String] in
            var isFolder = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return [] }
            return isFolder ? filesBelow(path) : [path]
        }
    }
}
