import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reports events at a path of the file system.
// SAFETY: the descriptor does not change; a dispatch source may be used from any thread (dispatch_source_create(3)).
final class PathEvents: @unchecked Sendable {
    /// The kinds of reported events.
    enum Kind {
        /// The names or permissions in a folder have changed.
        case names
        /// A file was opened. Only Linux reports this.
        case opening
    }

    private let descriptor: Int32
    private let source: any DispatchSourceProtocol

    /// - Returns: `nil` where the system does not report it.
    private init?(_ kind: Kind, _ path: String) {
        #if os(Linux)
            descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
            guard descriptor >= 0 else { return nil }
            let events =
                switch kind {
                case .names: UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB)
                case .opening: UInt32(IN_OPEN)
                }
            guard inotify_add_watch(descriptor, path, events) >= 0 else {
                close(descriptor)
                return nil
            }
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
        #else
            guard case .names = kind else { return nil }
            descriptor = open(path, O_EVTONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor, eventMask: [.write, .attrib])
        #endif
    }

    /// An element after each event of `kind` at `path`; pending ones are merged.
    ///
    /// - Returns: `nil` where the system does not report it.
    static func stream(of kind: Kind, at path: String) -> AsyncStream<Void>? {
        guard let events = PathEvents(kind, path) else { return nil }
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            events.source.setEventHandler {
                events.drain()
                continuation.yield()
            }
            events.source.setCancelHandler { close(events.descriptor) }
            continuation.onTermination = { _ in events.source.cancel() }
            events.source.activate()
        }
    }

    private func drain() {
        #if os(Linux)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while read(descriptor, &buffer, buffer.count) > 0 {}
        #endif
    }
}
