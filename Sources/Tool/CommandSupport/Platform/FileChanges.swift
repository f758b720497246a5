import Dispatch
import Foundation

/// The changes of a file, for a task that waits for one after the other.
package struct FileChanges {
    /// How soon after a change another one is told: those that follow each other are one.
    private static let pause = Duration.milliseconds(50)
    /// The interval of reported changes where the system reports none.
    private static let interval = Duration.milliseconds(200)

    private let path: String
    /// `nil`: this system has none, or its user has too many.
    private var watcher: (any FolderWatcher)?

    /// The changes of the file at `path` from now on.
    package init(of path: String) {
        self.path = path
        watcher = try? FolderWatchers.make(reportsWriting: true)
        watch()
    }

    private mutating func watch() {
        do { try watcher?.watch(folderOf: path) } catch { watcher = nil }
    }

    /// Waits for the next one; those that came since the last call are it. Others in its folder are, too.
    ///
    /// - Throws: `CancellationError`.
    package mutating func next() async throws {
        guard let watcher else { return try await Task.sleep(for: Self.interval) }
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
        try await Task.sleep(for: Self.pause)
        watcher.drain()
        // Before the file is read: it may be in another folder now.
        watch()
    }
}

extension FolderWatcher {
    /// Watches the folder of a file and, where it is a symbolic link, that of what it stands for now.
    ///
    /// - Throws: ``CommandFailure``.
    package func watch(folderOf path: String) throws(CommandFailure) {
        let file = URL(filePath: path)
        try watch([
            file.deletingLastPathComponent().path, file.resolvingSymlinksInPath().deletingLastPathComponent().path,
        ])
    }
}
