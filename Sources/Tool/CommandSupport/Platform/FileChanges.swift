import Dispatch
import Foundation

/// The changes of a file, for a task that waits for each of them.
package struct FileChanges {
    /// The minimum interval between two reported changes: changes within it are reported as one.
    private static let pause = Duration.milliseconds(50)
    /// The interval of reported changes on a system that cannot watch folders.
    private static let interval = Duration.milliseconds(200)

    private let path: String
    /// `nil`: the system has no watchers, or the user has too many.
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

    /// Waits for the next change; changes since the last call count as one. Changes of other files in the folder count,
    /// too.
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
        // Watches again before the file is read, since the file may be in another folder now.
        watch()
    }
}

extension FolderWatcher {
    /// Watches the folder of a file and, if the file is a symbolic link, also the folder of its current target.
    ///
    /// - Throws: ``CommandFailure``.
    package func watch(folderOf path: String) throws(CommandFailure) {
        let file = URL(filePath: path)
        try watch([
            file.deletingLastPathComponent().path, file.resolvingSymlinksInPath().deletingLastPathComponent().path,
        ])
    }
}
