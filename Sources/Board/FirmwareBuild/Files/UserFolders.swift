import Foundation

/// The folders of files that belong to a user and not to a project (XDG Base Directory Specification).
public struct UserFolders: Hashable, Sendable {
    /// The folder of cached builds.
    public let cache: String
    /// The folder of the sealing key and the virtual board's flash.
    public let state: String

    /// The folders selected by these environment variables.
    public init(_ variables: [String: String]) {
        func folder(_ variable: String, orHome path: String) -> String {
            if let folder = variables[variable], folder.hasPrefix("/") { return folder + "/espbench" }
            return variables["HOME", default: NSTemporaryDirectory()] + "/\(path)/espbench"
        }
        cache = folder("XDG_CACHE_HOME", orHome: ".cache")
        state = folder("XDG_STATE_HOME", orHome: ".local/state")
    }

    /// The file of the key that seals this user's builds.
    public var sealingKey: String { state + "/sealing.key" }

    /// The folder of finished builds.
    public var builds: String { cache + "/builds" }
}
