/// Reports that something may have changed in folders. What has changed is read from the file system.
package protocol FolderWatcher: AnyObject {
    /// Readable, as poll(2) says, when there is a report.
    var descriptor: Int32 { get }

    /// Watches these folders, each without those in it, and no others. One that has been replaced by another of its
    /// name is watched anew. Folders that do not exist any more are left out: their parents report that.
    ///
    /// - Throws: ``CommandFailure`` when the system refuses.
    func watch(_ folders: Set<String>) throws(CommandFailure)

    /// Takes the reports so far.
    func drain()
}

/// Watchers of this machine.
package enum FolderWatchers {
    /// A new watcher.
    ///
    /// - Throws: ``CommandFailure`` when this system has none.
    package static func make() throws(CommandFailure) -> any FolderWatcher {
        #if os(Linux)
            return try InotifyWatcher()
        #else
            throw CommandFailure(.benchFault, "--watch is not supported on this system yet", code: "watch.unsupported")
        #endif
    }
}
