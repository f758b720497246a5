/// The files and folders that `--watch` observes, and the suites affected by a change of each.
package struct WatchScope: Equatable, Sendable {
    /// A folder whose sources matter, at any depth.
    package struct Sources: Hashable, Sendable {
        /// The absolute path.
        package var folder: String
        /// The suites that a change concerns; `nil`: all.
        package var suites: Set<String>?

        package init(_ folder: String, suites: Set<String>?) {
            self.folder = folder
            self.suites = suites
        }
    }

    /// The suites' files, absolute paths in order.
    package var suites: [String]
    /// Sketches, libraries, the host core.
    package var sources: [Sources]
    /// Other files that concern all suites; absolute paths, which need not exist.
    package var files: Set<String>
    /// Folders where a new suite would be found, beside those of ``suites``; absolute paths.
    package var suiteFolders: Set<String>

    package init(
        suites: [String] = [], sources: [Sources] = [], files: Set<String> = [], suiteFolders: Set<String> = []
    ) {
        self.suites = suites
        self.sources = sources
        self.files = files
        self.suiteFolders = suiteFolders
    }

    /// The suites that `changes` concern, in order, with new ones; `former`: the scope before the changes, which knows
    /// what removed files concerned.
    package func suites(concernedBy changes: [FileChange], former: WatchScope) -> [String] {
        // A new suite in a sketch's folder is no source of the sketch, and neither is a removed one.
        let known = changes.filter { !former.suites.contains($0.path) || suites.contains($0.path) }
        let before = changes.filter { !suites.contains($0.path) || former.suites.contains($0.path) }
        let concerned = Set(suites(concernedBy: known) + former.suites(concernedBy: before))
        return suites.filter { concerned.contains($0) || !former.suites.contains($0) }
    }

    /// The suites that `changes` concern, in order.
    private func suites(concernedBy changes: [FileChange]) -> [String] {
        var concerned: Set<String> = []
        for change in changes {
            if suites.contains(change.path) {
                concerned.insert(change.path)
                // A suite in its sketch's folder is no source of the sketch.
                continue
            }
            if files.contains(change.path) { return suites }
            for sources in sources where change.path.hasPrefix(sources.folder + "/") {
                guard let those = sources.suites else { return suites }
                concerned.formUnion(those)
            }
        }
        return suites.filter(concerned.contains)
    }

    /// True if a file in one of ``sources`` is a source, by its name: not a backup of an editor, nor what a run writes.
    package static func isSource(_ name: String) -> Bool {
        guard !name.hasPrefix("."), !name.hasPrefix("#"), let dot = name.lastIndex(of: ".") else { return false }
        return sourceExtensions.contains(String(name[name.index(after: dot)...]))
    }

    private static let sourceExtensions: Set = [
        "ino", "pde", "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inc", "inl", "ipp", "tpp", "S", "yaml",
        "properties", "ini", "csv",
    ]
}

/// Decides when a burst of changes is over: an editor writes, renames and deletes several files to save one.
package struct Quiet: Sendable {
    /// How long nothing must have happened.
    private static let time = Duration.milliseconds(50)
    /// How long, if files are missing: some editors delete a file before they write it again.
    private static let timeIfRemoved = Duration.milliseconds(300)
    /// A burst is over after so long, even if it goes on.
    private static let longest = Duration.seconds(2)

    private let began: Duration
    private var last: Duration

    /// A burst that begins with a change at this time.
    package init(at time: Duration) {
        began = time
        last = time
    }

    /// Another change at this time.
    package mutating func change(at time: Duration) {
        last = time
    }

    /// When the burst is over, if nothing else happens; `isMissing`: whether files were removed and not written again.
    package func end(isMissing: Bool) -> Duration {
        min(last + (isMissing ? Self.timeIfRemoved : Self.time), began + Self.longest)
    }
}
