import Foundation
import LivePage

/// The limit on open files of this process.
enum OpenFileLimit {
    /// Raises the limit as far as a server needs.
    ///
    /// - Parameter rest: the number of files reserved for other use.
    /// - Returns: the number of connections that the limit allows.
    static func raise(leaving rest: Int) -> Int {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return LiveServer.connectionLimit / 16 }
        var raised = limit
        raised.rlim_cur = min(max(limit.rlim_cur, rlim_t(LiveServer.connectionLimit + rest)), limit.rlim_max)
        if setrlimit(resource, &raised) == 0 { limit = raised }
        return max(1, min(LiveServer.connectionLimit, Int(min(limit.rlim_cur, 1 << 20)) - rest))
    }
}
