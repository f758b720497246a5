import BenchSuites
import FirmwareBuild
import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The pictures beside suites, and those of a run's failures.
package final class PictureFolder: PictureFiles {
    /// The place of the pictures of failures.
    package enum Place: Sendable {
        /// In this folder.
        case folder(String)
        /// In a new folder below this one, created for the first failure.
        case newFolder(below: String)
    }

    private struct State {
        var place: Place
        /// The content of each file that the run has written beside a suite.
        var updated: [String: [UInt8]] = [:]
        /// The names of failures.
        var names: Set<String> = []
    }

    package let isUpdating: Bool
    private let suite: String?
    private let state: Mutex<State>

    /// Pictures of a run.
    ///
    /// - Parameters:
    ///   - isUpdating: true if the pictures beside suites are replaced by those shown.
    ///   - suite: the path of the run's only suite, if its name in messages is not its path.
    package init(isUpdating: Bool = false, failures: Place, suite: String? = nil) {
        self.isUpdating = isUpdating
        self.suite = suite
        state = Mutex(State(place: failures))
    }

    /// The files that the run has written beside suites.
    package var updated: [String] { state.withLock { $0.updated.keys.sorted() } }

    package func read(_ path: String, beside suite: String) throws -> [UInt8]? {
        let path = self.path(path, beside: suite)
        if SystemFiles().kind(of: path) == nil, errno == ENOENT { return nil }
        return try FileTree.contents(of: path)
    }

    package func update(_ path: String, beside suite: String, to picture: [UInt8]) throws {
        let path = self.path(path, beside: suite)
        try state.withLock { state in
            if let former = state.updated[path] {
                guard former == picture else {
                    throw FileFault(
                        "\(path) has been written in this run, with another picture: each needs its own file"
                    )
                }
                return
            }
            try FileTree.makeFolder(Self.folder(of: path))
            try FileTree.write(picture, to: path)
            state.updated[path] = picture
        }
    }

    package func keep(_ pictures: [(kind: String, file: [UInt8])], of name: String) throws -> [String] {
        try state.withLock { state in
            var unique = name
            var number = 1
            while !state.names.insert(unique).inserted {
                number += 1
                unique = "\(name)-\(number)"
            }
            let folder = try Self.folder(&state.place)
            return try pictures.map { kind, file in
                let path = (folder == "." ? "" : folder + "/") + "\(unique).\(kind).png"
                try FileTree.write(file, to: path)
                return path
            }
        }
    }

    /// The folder of a place, which exists afterwards.
    private static func folder(_ place: inout Place) throws -> String {
        switch place {
        case .folder(let folder): return folder
        case .newFolder(let parent):
            // Only this user may read and write it, under a name that nobody can know before.
            var template = Array((parent + "/espbench-pictures-XXXXXX").utf8CString)
            guard mkdtemp(&template) != nil else {
                throw FileFault("no folder could be created in \(parent): \(Errno(rawValue: errno))")
            }
            let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            place = .folder(folder)
            return folder
        }
    }

    private func path(_ path: String, beside suite: String) -> String {
        let folder = Self.folder(of: self.suite ?? suite)
        return folder == "." ? path : "\(folder)/\(path)"
    }

    /// The folder of a file; `.`: the working folder.
    package static func folder(of file: String) -> String {
        guard let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }
}
