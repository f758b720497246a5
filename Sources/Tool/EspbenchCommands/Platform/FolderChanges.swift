import Dispatch

/// The changes in a folder, for a task that waits for one after the other.
struct FolderChanges {
    private let watcher: any FolderWatcher

    /// The changes of files in `folder` from now on.
    ///
    /// - Throws: ``CommandFailure`` when the system refuses.
    init(in folder: String, for option: String) throws(CommandFailure) {
        watcher = try FolderWatchers.make(for: option, reportsWriting: true)
        try watcher.watch([folder])
    }

    /// Waits for the next one; those that came since the last call are it.
    ///
    /// - Throws: `CancellationError`.
    func next() async throws {
        // SAFETY: a dispatch source may be used from any thread (dispatch_source_create(3)).
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(
            fileDescriptor: watcher.descriptor, queue: .global())
        source.setEventHandler { source.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                source.setCancelHandler { continuation.resume() }
                source.resume()
            }
        } onCancel: {
            source.cancel()
        }
        try Task.checkCancellation()
        watcher.drain()
    }
}
