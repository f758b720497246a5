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

    /// The folders selected by these environment variables; without these variables, folders below the home folder of
    /// the user's account.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `fileSystem` when there is no home folder either: in a folder for
    ///   temporary files, others might plant programs and keys.
    public init(_ variables: [String: String]) throws(FirmwareBuildError) {
        func folder(_ variable: String, orHome path: String) throws(FirmwareBuildError) -> String {
            if let folder = variables[variable], folder.hasPrefix("/") { return folder + "/espbench" }
            for home in [variables["HOME"], Self.accountHome] {
                if let home, home.hasPrefix("/") { return home + "/\(path)/espbench" }
            }
            throw FirmwareBuildError(
                .fileSystem,
                "no folder for this user's files: expected an absolute path in \(variable) or HOME, or an account with a home folder"
            )
        }
        cache = try folder("XDG_CACHE_HOME", orHome: ".cache")
        state = try folder("XDG_STATE_HOME", orHome: ".local/state")
    }

    private static var accountHome: String? {
        getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) }
    }

    /// The file of the key that seals this user's builds.
    public var sealingKey: String { state + "/sealing.key" }

    /// The folder of finished builds.
    public var builds: String { cache + "/builds" }
}
