/// An Arduino sketch on disk: a folder with a main `.ino` of the folder's name, and its other sources; or a PlatformIO
/// project.
///
/// The rules are arduino-cli's (sketch specification): all `.ino` and `.pde` files of the folder are one translation
/// unit, main file first and then by name; C, C++ and assembly files of the folder itself and, at any depth, of `src/`
/// are compiled beside it. In a PlatformIO project, the sources are the files in `src/`, or in its `src_dir`.
public struct Sketch: Hashable, Sendable {
    /// The layout of its folder.
    public enum Layout: Hashable, Sendable {
        /// A folder with a main file of its name.
        case arduino
        /// A folder with `platformio.ini`, and sources in `src/` or the folder that it names.
        case platformIO
    }

    /// The folder's absolute path.
    public let folder: String
    /// The sketch's name: the name of its folder.
    public let name: String
    /// The layout of its folder.
    public let layout: Layout
    /// The `.ino` files, main file first; absolute paths. A PlatformIO project may have none.
    public let inoFiles: [String]
    /// The C, C++ and assembly files to compile beside them; absolute paths, in order of path.
    public let sourceFiles: [String]
    /// The other files that they may include; absolute paths, in order of path.
    public let headerFiles: [String]
    /// The folders of libraries that belong to the sketch; only a PlatformIO project has any.
    public let libraryFolders: [String]
    /// The include folders of its files, besides a file's own folder.
    let includeFolders: [String]
    /// The compiler flags for its files, its libraries and NimBLE's settings: `build_flags` of `platformio.ini`, or
    /// arduino-esp32's `build_opt.h`.
    let flags: [String]
    /// Further flags of its own files only: `build_src_flags` of `platformio.ini`.
    let sourceFlags: [String]
    /// The parts of the project that are not used, a line each.
    let remarks: [String]
    /// Why the virtual board cannot run it; `nil`: it can.
    let fault: String?

    /// Finds the sketch given by `argument`: a folder, an `.ino` file, or a folder's name under `firmwareFolder`.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `sketchNotFound`, `invalidPlatformIO` for a faulty `platformio.ini`,
    ///   or `invalidFlags` for a faulty `build_opt.h`.
    public init(_ argument: String, firmwareFolder: String) throws(FirmwareBuildError) {
        let candidates = [argument, firmwareFolder + "/" + argument]
        guard let place = candidates.lazy.compactMap(SketchPlace.init).first else {
            throw SketchPlace.notFound(argument, firmwareFolder)
        }
        folder = place.folder
        name = place.name
        guard !folder.contains(where: \.isNewline) else {
            throw FirmwareBuildError(
                .sketchNotFound,
                """
                \(folder.debugDescription): expected a path without line breaks (for #line directives): rename the \
                folder
                """
            )
        }
        layout = place.main == nil ? .platformIO : .arduino
        let project = layout == .platformIO ? try PlatformIOProject(folder: folder) : nil
        let source = project?.sourceFolder ?? folder
        let top = try FileTree.filesBelow(source, isRecursive: false)
        let sketches = top.filter { SourceFiles.sketch.contains($0.fileExtension) && $0 != place.main }
        inoFiles = [place.main].compactMap { $0 } + sketches
        let below = try FileTree.filesBelow(project?.sourceFolder ?? folder + "/src")
        let all = project == nil ? top + below : below
        sourceFiles = all.filter(SourceFiles.isCompiled)
        if let project {
            headerFiles = (try FileTree.filesBelow(project.includeFolder) + all).filter(SourceFiles.isOther)
            libraryFolders = project.libraryFolders
            includeFolders = [project.includeFolder, source]
            flags = project.flags
            sourceFlags = project.sourceFlags
            remarks = project.remarks
            fault = project.fault
        } else {
            headerFiles = all.filter(SourceFiles.isOther)
            libraryFolders = []
            fault = nil
            includeFolders = [folder, folder + "/src"]
            flags = try Self.options(folder)
            sourceFlags = []
            remarks = []
        }
    }

    /// The flags of `build_opt.h`, if there is one.
    private static func options(_ folder: String) throws(FirmwareBuildError) -> [String] {
        let path = folder + "/build_opt.h"
        guard FileTree.isFile(path) else { return [] }
        let flags = BuildFlags(try FileTree.text(of: path), folder: folder)
        if let first = flags.refused.first {
            let refused = flags.refused.map {
                $0.flag.debugDescription + ($0.reason.isEmpty ? "" : " (\($0.reason))")
            }
            throw FirmwareBuildError(
                .invalidFlags,
                "\(path):\(first.line): expected flags that define, include, warn or optimise (-D, -U, -I, -include, -W…, -O…, -std=…, some of -f…), got \(refused.joined(separator: ", ")): remove it; the file has no comments"
            )
        }
        return flags.accepted
    }
}

/// The files of sketches and libraries by their names' extensions, as arduino-cli sorts them.
enum SourceFiles {
    /// Files of the Arduino language.
    static let sketch: Set<String> = ["ino", "pde"]
    /// Files to compile.
    static let compiled: Set<String> = ["c", "cpp", "cxx", "cc", "S"]
    /// Files by which a library is found.
    static let headers: Set<String> = ["h", "hpp", "hh"]

    /// True if the file is compiled, or is a sketch file or header.
    static func isSource(_ path: String) -> Bool {
        sketch.union(compiled).union(headers).contains(path.fileExtension)
    }

    static func isCompiled(_ path: String) -> Bool { compiled.contains(path.fileExtension) }

    /// True for all other files, which may be included: `.h`, `.ipp`, `.inl`, …
    static func isOther(_ path: String) -> Bool {
        !isCompiled(path) && !sketch.contains(path.fileExtension)
    }
}

/// The place of a sketch.
struct SketchPlace {
    /// The sketch's folder, absolute.
    var folder: String
    /// The name of the folder.
    var name: String
    /// The main file; `nil` for a PlatformIO project.
    var main: String?

    /// The sketch at `path`, a folder or a file in it; `nil` when no sketch is there.
    init?(_ path: String) {
        guard let real = FileTree.realPath(path) else { return nil }
        // The given name of the folder comes first: a symbolic link may have the name of the sketch.
        let given = Self.absolute(path)
        let folders = FileTree.isFolder(path) ? [given, real] : [given.folderPath, real.folderPath]
        for folder in folders {
            for suffix in ["ino", "pde"] where FileTree.isFile("\(folder)/\(folder.fileName).\(suffix)") {
                self.init(folder: folder, name: folder.fileName, main: "\(folder)/\(folder.fileName).\(suffix)")
                return
            }
        }
        let roots = FileTree.isFolder(path) ? [real] : [real.folderPath, real.folderPath.folderPath]
        for root in roots where FileTree.isFile(root + "/platformio.ini") {
            self.init(folder: root, name: root.fileName, main: nil)
            return
        }
        return nil
    }

    private init(folder: String, name: String, main: String?) {
        self.folder = folder
        self.name = name
        self.main = main
    }

    /// `path` without `.`, `..` and double slashes. A relative path starts from the working folder.
    static func absolute(_ path: String) -> String {
        let full = path.hasPrefix("/") ? path : (FileTree.realPath(".") ?? "") + "/" + path
        var parts: [Substring] = []
        for part in full.split(separator: "/") where part != "." {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// The reason why `argument` is not a sketch.
    static func notFound(_ argument: String, _ firmwareFolder: String) -> FirmwareBuildError {
        let folder =
            SourceFiles.sketch.contains(argument.fileExtension) ? absolute(argument).folderPath : absolute(argument)
        let files = ((try? FileTree.filesBelow(folder, isRecursive: false)) ?? []).filter {
            SourceFiles.sketch.contains($0.fileExtension)
        }
        guard files.isEmpty else {
            let names = files.map(\.fileName).joined(separator: ", ")
            return FirmwareBuildError(
                .sketchNotFound,
                """
                \(folder) has \(names), but no \(folder.fileName).ino: rename the main file or the folder; both must \
                have the same name
                """
            )
        }
        return FirmwareBuildError(
            .sketchNotFound,
            "no sketch '\(argument)': expected a folder with an .ino file of its name or a platformio.ini, an .ino file, or a folder under \(firmwareFolder)"
        )
    }
}
