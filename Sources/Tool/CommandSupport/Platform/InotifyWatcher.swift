internal import LogFiles

#if os(Linux)
    import Glibc

    /// Watches folders with inotify(7).
    ///
    /// Folders are watched instead of files, because an editor replaces a file by a new one.
    package final class InotifyWatcher: FolderWatcher {
        package let descriptor: Int32
        /// The watched folders, by the numbers of their watches.
        private var folders: [Int32: String] = [:]
        private let events: UInt32

        /// A watcher without folders; with `reportsWriting` it reports every write to a file, not only the closing.
        ///
        /// - Throws: ``CommandFailure`` when the user has too many watchers.
        package init(reportsWriting: Bool = false) throws(CommandFailure) {
            events = Self.events | (reportsWriting ? UInt32(IN_MODIFY) : 0)
            descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
            guard descriptor >= 0 else {
                throw CommandFailure(
                    .benchFault, "files cannot be watched: inotify: \(SystemFault.last)", code: "watch.instances")
            }
        }

        deinit {
            close(descriptor)
        }

        private static let events = UInt32(
            IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF
                | IN_MOVE_SELF)

        package func watch(_ wanted: Set<String>) throws(CommandFailure) {
            var current: [Int32: String] = [:]
            for folder in wanted {
                let number = inotify_add_watch(descriptor, folder, events | UInt32(IN_ONLYDIR))
                if number >= 0 {
                    current[number] = folder
                } else if errno == ENOSPC || errno == ENOMEM {
                    throw CommandFailure(
                        .benchFault, "\(folder) cannot be watched: inotify: \(SystemFault.last)", code: "watch.limit")
                }
                // Otherwise the folder has just been removed, or may not be read.
            }
            for number in folders.keys where current[number] == nil { inotify_rm_watch(descriptor, number) }
            folders = current
        }

        package func drain() {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while read(descriptor, &buffer, buffer.count) > 0 {}
        }
    }
#endif
