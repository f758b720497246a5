/// Where a sketch is.
struct SketchPlace {
    /// The sketch's folder, absolute.
    var folder: String
    /// The name of the folder.
    var name: String
    /// The main file; `nil` for a PlatformIO project.
    var main: String?

    /// The sketch at `path`, a folder or a file in it; `nil` when there is none.
    init?(_ path: String) {
        guard let real = FileTree.realPath(path) else { return nil }
        // The folder's name as it was given comes first: a symbolic link may have the name of the sketch.
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

    /// `path` without `.`, `..` and double slashes. A relative path is one in the working folder.
    static func absolute(_ path: String) -> String {
        let full = path.hasPrefix("/") ? path : (FileTree.realPath(".") ?? "") + "/" + path
        var parts: [Substring] = []
        for part in full.split(separator: "/") where part != "." {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// Why there is no sketch at `argument`.
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
                "\(folder) has \(names), but no \(folder.fileName).ino: rename the main file or the folder, which must have one name"
            )
        }
        return FirmwareBuildError(
            .sketchNotFound,
            "no sketch '\(argument)': expected a folder with an .ino file of its name or a platformio.ini, an .ino file, or a folder under \(firmwareFolder)"
        )
    }
}
