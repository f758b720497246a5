/// The state of files at one moment: what differs between two of them has changed in between, however it was done.
package struct FileSnapshot: Equatable, Sendable {
    /// What tells two states of a file apart, without reading it.
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

    /// What is different from `earlier`, in order of path.
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
    /// How it has changed.
    package enum Kind: String, Sendable {
        case added = "new"
        case changed
        case removed
    }

    /// The absolute path.
    package var path: String
    /// How it has changed.
    package var kind: Kind

    package init(path: String, kind: Kind) {
        self.path = path
        self.kind = kind
    }
}
