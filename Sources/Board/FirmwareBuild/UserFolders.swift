import Foundation

/// Where espbench keeps what belongs to a user and to no project (XDG Base Directory Specification).
public struct UserFolders: Hashable, Sendable {
    /// Where builds are kept.
    public let cache: String
    /// Where the sealing key and the virtual board's flash are kept.
    public let state: String

    /// The folders that these environment variables mean.
    public init(_ variables: [String: String]) {
        func folder(_ variable: String, orHome path: String) -> String {
            if let folder = variables[variable], folder.hasPrefix("/") { return folder + "/espbench" }
            return variables["HOME", default: NSTemporaryDirectory()] + "/\(path)/espbench"
        }
        cache = folder("XDG_CACHE_HOME", orHome: ".cache")
        state = folder("XDG_STATE_HOME", orHome: ".local/state")
    }

    /// The file with the key under which this user's builds are sealed.
    public var sealingKey: String { state + "/sealing.key" }

    /// The folder of finished builds.
    public var builds: String { cache + "/builds" }
}
