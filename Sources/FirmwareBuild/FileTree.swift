import FoundationEssentials

/// File operations whose faults are build errors that name the file.
enum FileTree {
    /// Files below a folder, in order of path.
    static func files(below folder: String, where isWanted: (_ relativePath: String) -> Bool) -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return paths.sorted().filter { path in
            var isFolder = false
            return isWanted(path) && FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
                && !isFolder
        }.map { "\(folder)/\($0)" }
    }

    static func contents(of path: String) throws(FirmwareBuildError) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw FirmwareBuildError(.fileSystem, "\(path) could not be read: \(error)")
        }
    }

    static func text(of path: String) throws(FirmwareBuildError) -> String {
        String(decoding: try contents(of: path), as: UTF8.self)
    }

    static func write(_ text: String, to path: String) throws(FirmwareBuildError) {
        try write(Array(text.utf8), to: path)
    }

    static func write(_ bytes: [UInt8], to path: String) throws(FirmwareBuildError) {
        do {
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw FirmwareBuildError(.fileSystem, "\(path) could not be written: \(error)")
        }
    }

    static func makeFolder(_ path: String) throws(FirmwareBuildError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw FirmwareBuildError(.fileSystem, "the folder \(path) could not be made: \(error)")
        }
    }

    /// Moves a finished file into place, over an older one.
    static func move(_ path: String, to target: String) throws(FirmwareBuildError) {
        do {
            if FileManager.default.fileExists(atPath: target) { try FileManager.default.removeItem(atPath: target) }
            try FileManager.default.moveItem(atPath: path, toPath: target)
        } catch {
            throw FirmwareBuildError(.fileSystem, "\(path) could not be moved to \(target): \(error)")
        }
    }
}
