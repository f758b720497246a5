import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tells when the names in a folder change.
// SAFETY: the descriptor does not change; a dispatch source may be used from any thread (dispatch_source_create(3)).
final class FolderChanges: @unchecked Sendable {
    private let descriptor: Int32
    private let source: any DispatchSourceProtocol

    /// - Returns: `nil` where the folder cannot be watched.
    private init?(_ folder: String) {
        #if os(Linux)
            descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
            guard descriptor >= 0 else { return nil }
            let events = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB)
            guard inotify_add_watch(descriptor, folder, events) >= 0 else {
                close(descriptor)
                return nil
            }
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
        #else
            descriptor = open(folder, O_EVTONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            source = DispatchSource.makeFileSystemObjectSource(fileDescriptor: descriptor, eventMask: [.write, .attrib])
        #endif
    }

    /// An element after each change of names or permissions in `folder`; pending ones are merged.
    ///
    /// - Returns: `nil` where the folder cannot be watched.
    static func stream(of folder: String) -> AsyncStream<Void>? {
        guard let changes = FolderChanges(folder) else { return nil }
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            changes.source.setEventHandler {
                changes.drain()
                continuation.yield()
            }
            changes.source.setCancelHandler { close(changes.descriptor) }
            continuation.onTermination = { _ in changes.source.cancel() }
            changes.source.activate()
        }
    }

    private func drain() {
        #if os(Linux)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while read(descriptor, &buffer, buffer.count) > 0 {}
        #endif
    }
}
