import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The folders of files that belong to a user and not to a project (XDG Base Directory Specification).
public struct UserFolders: Hashable, Sendable {
    /// The folder of cached builds.
    public let cache: String
    /// The folder of the sealing key and the virtual board's flash.
    public let state: String

    /// The folders selected by these environment variables; without them below the home folder of the user's account.
    public init(_ variables: [String: String]) {
        func folder(_ variable: String, orHome path: String) -> String {
            if let folder = variables[variable], folder.hasPrefix("/") { return folder + "/espbench" }
            let home = variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            return (home ?? Self.accountHome) + "/\(path)/espbench"
        }
        cache = folder("XDG_CACHE_HOME", orHome: ".cache")
        state = folder("XDG_STATE_HOME", orHome: ".local/state")
    }

    private static var accountHome: String {
        getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) } ?? NSTemporaryDirectory()
    }

    /// The file of the key that seals this user's builds.
    public var sealingKey: String { state + "/sealing.key" }

    /// The folder of finished builds.
    public var builds: String { cache + "/builds" }
}
