import Foundation

/// Reads the files and folders of a ``WatchScope``.
package struct FileTreeReader {
    /// Deeper folders are not read.
    private static let maximumDepth = 16
    private static let maximumInnerFolders = 256
    /// The system limits how many folders a user may watch; 8,192 is the lowest default of Linux.
    private static let maximumFolders = 4_096

    /// The files to observe.
    package private(set) var snapshot = FileSnapshot()
    /// The folders to observe; all exist, or existed a moment ago.
    package private(set) var folders: Set<String> = []

    /// Reads the current state.
    package init(_ scope: WatchScope) {
        for path in scope.suites + scope.files.sorted() { readFile(path) }
        for folder in scope.suiteFolders { addFolder(withInner: folder) }
        for sources in scope.sources { read(sources.folder) }
    }

    private mutating func readFile(_ path: String) {
        addFolder(Self.parent(of: path))
        guard let stamp = FileSnapshot.Stamp(at: path) else { return }
        snapshot.stamps[path] = stamp
        // A symbolic link: the target's file changes in another folder.
        if let target = Self.target(of: path) { addFolder(Self.parent(of: target)) }
    }

    /// Adds a folder and the folders in it: in a new subfolder a sketch or suite may be created.
    private mutating func addFolder(withInner folder: String) {
        addFolder(folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names.sorted().prefix(Self.maximumInnerFolders) where !name.hasPrefix(".") {
            guard let stamp = FileSnapshot.Stamp(at: "\(folder)/\(name)"), Self.isFolder(stamp) else { continue }
            folders.insert("\(folder)/\(name)")
        }
    }

    /// Reads a folder and the folders below it, the nearest first. Each is read once, even if symbolic links lead to it
    /// again.
    private mutating func read(_ root: String) {
        var visited: Set<[UInt64]> = []
        var level = [root]
        for _ in 0...Self.maximumDepth {
            var next: [String] = []
            for folder in level {
                addFolder(folder)
                guard folders.count < Self.maximumFolders, let stamp = FileSnapshot.Stamp(at: folder),
                    visited.insert([stamp.device, stamp.file]).inserted,
                    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
                else { continue }
                for name in names.sorted() where !name.hasPrefix(".") {
                    let path = "\(folder)/\(name)"
                    guard let stamp = FileSnapshot.Stamp(at: path) else { continue }
                    if Self.isFolder(stamp) {
                        next.append(path)
                    } else if WatchScope.isSource(name) {
                        readFile(path)
                    }
                }
            }
            level = next
        }
    }

    /// Adds a folder, or the nearest existing folder above it, in which it would be created.
    private mutating func addFolder(_ path: String) {
        var folder = path
        while true {
            if let stamp = FileSnapshot.Stamp(at: folder), Self.isFolder(stamp) {
                folders.insert(folder)
                // The parent is added because the folder itself may be moved and replaced.
                if folder == path, folder != "/" { folders.insert(Self.parent(of: folder)) }
                return
            }
            guard folder != "/" else { return }
            folder = Self.parent(of: folder)
        }
    }

    private static func isFolder(_ stamp: FileSnapshot.Stamp) -> Bool {
        stamp.mode & UInt32(S_IFMT) == UInt32(S_IFDIR)
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func target(of path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        let target = String(cString: resolved)
        return target == path ? nil : target
    }
}

/// The state of files at one moment; comparing two snapshots finds every change, however it was made.
package struct FileSnapshot: Equatable, Sendable {
    /// The data that distinguish two states of a file without reading its content.
    package struct Stamp: Hashable, Sendable {
        package var device: UInt64
        package var file: UInt64
        /// In bytes.
        package var size: Int64
        /// In nanoseconds since the Unix epoch.
        package var modified: Int64
        /// Type and permissions.
        package var mode: UInt32

        package init(device: UInt64, file: UInt64, size: Int64, modified: Int64, mode: UInt32) {
            self.device = device
            self.file = file
            self.size = size
            self.modified = modified
            self.mode = mode
        }
    }

    /// The files, by their absolute paths.
    package var stamps: [String: Stamp]

    package init(_ stamps: [String: Stamp] = [:]) {
        self.stamps = stamps
    }

    /// The differences from `earlier`, in order of path.
    package func changes(since earlier: FileSnapshot) -> [FileChange] {
        var changes: [FileChange] = []
        for (path, stamp) in stamps {
            guard let former = earlier.stamps[path] else {
                changes.append(FileChange(path: path, kind: .added))
                continue
            }
            if former != stamp { changes.append(FileChange(path: path, kind: .changed)) }
        }
        for path in earlier.stamps.keys where stamps[path] == nil {
            changes.append(FileChange(path: path, kind: .removed))
        }
        return changes.sorted { $0.path < $1.path }
    }
}

/// A file that has changed.
package struct FileChange: Hashable, Sendable {
    /// The kind of change.
    package enum Kind: String, Sendable {
        case added = "new"
        case changed
        case removed
    }

    /// The absolute path.
    package var path: String
    /// The kind of change.
    package var kind: Kind

    package init(path: String, kind: Kind) {
        self.path = path
        self.kind = kind
    }
}
