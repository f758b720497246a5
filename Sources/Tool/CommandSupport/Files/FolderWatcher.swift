import Foundation

/// Reports that the contents of folders may have changed. The changes are then read from the file system.
package protocol FolderWatcher: AnyObject {
    /// A descriptor that is readable, in terms of poll(2), when a report is pending.
    var descriptor: Int32 { get }

    /// Watches exactly these folders, without their subfolders. A folder that was replaced by another of the same name
    /// is watched again. Folders that no longer exist are skipped: their parents report that.
    ///
    /// - Throws: ``CommandFailure`` when the system refuses.
    func watch(_ folders: Set<String>) throws(CommandFailure)

    /// Discards the pending reports.
    func drain()
}

/// Watchers of this machine.
package enum FolderWatchers {
    /// A new watcher, for `option`; with `reportsWriting` it reports every write to a file, not only the closing.
    ///
    /// - Throws: ``CommandFailure`` when this system has no such function.
    package static func make(
        for option: String = "--watch", reportsWriting: Bool = false
    ) throws(CommandFailure) -> any FolderWatcher {
        #if os(Linux)
            return try InotifyWatcher(reportsWriting: reportsWriting)
        #else
            throw CommandFailure(
                .benchFault, "\(option) is not supported on this system yet", code: "watch.unsupported")
        #endif
    }
}
