import SystemPackage

/// A project: the folder with its file, or without one a folder in which sketches are looked for.
public struct ProjectFolder: Hashable, Sendable {
    /// The folder, absolute.
    public let root: String
    /// Its file; `nil`: nothing is special.
    public let file: ProjectFile?

    /// The folder as a path.
    var path: FilePath { FilePath(root) }
}

/// A sketch of a project.
public struct FoundSketch: Hashable, Sendable {
    /// Its name: its folder's.
    public var name: String
    /// Its folder, absolute.
    public var folder: String

    init(_ folder: FilePath) {
        name = folder.lastComponent?.string ?? ""
        self.folder = folder.string
    }
}

/// What makes a folder a sketch.
enum SketchFolder {
    /// The file that makes a folder a project of PlatformIO.
    static let platformIO = "platformio.ini"

    /// The sketch in a folder with these entries, if it is one.
    static func sketch(_ folder: FilePath, _ entries: [FileEntry], _ files: any ProjectFiles) -> FilePath? {
        let mayBe = entries.contains { $0.kind == .file && ($0.name.hasSuffix(".ino") || $0.name == platformIO) }
        return mayBe ? sketch(folder, files) : nil
    }

    /// The sketch in a folder, if it is one: the folder, by its real name if only that is the name of an `.ino` file.
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

    /// What a folder lacks that is no sketch.
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
