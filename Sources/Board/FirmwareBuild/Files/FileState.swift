#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Which file is at a path, and when it was changed last: two equal states have the same contents.
struct FileState: Equatable, Sendable {
    /// A time of the file system's clock.
    struct Moment: Comparable, Sendable {
        var seconds: Int
        var nanoseconds: Int

        static func < (left: Moment, right: Moment) -> Bool {
            (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
        }
    }

    /// When the contents were changed last, or the file was moved there.
    var changed: Moment
    private var number: UInt64
    private var size: Int

    /// The state of the file at `path`; `nil` when there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_ctimespec
        #else
            let time = status.st_ctim
        #endif
        changed = Moment(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
        number = UInt64(status.st_ino)
        size = Int(status.st_size)
    }
}
