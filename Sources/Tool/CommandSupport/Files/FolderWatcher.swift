import Foundation

/// Reports that something may have changed in folders. What has changed is read from the file system.
package protocol FolderWatcher: AnyObject {
    /// Readable, as poll(2) says, when there is a report.
    var descriptor: Int32 { get }

    /// Watches these folders, each without those in it, and no others. One that has been replaced by another of its
    /// name is watched again. Folders that no longer exist are left out: their parents report that.
    ///
    /// - Throws: ``CommandFailure`` when the system refuses.
    func watch(_ folders: Set<String>) throws(CommandFailure)

    /// Takes the reports so far.
    func drain()
}

/// Watchers of this machine.
package enum FolderWatchers {
    /// A new watcher, for `option`; one that `reportsWriting` reports every write to a file, not only its end.
    ///
    /// - Throws: ``CommandFailure`` when this system has none.
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
