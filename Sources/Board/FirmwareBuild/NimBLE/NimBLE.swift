/// The NimBLE of a build.
enum NimBLE: Sendable {
    /// The host core's own.
    case builtIn
    /// The user's library, compiled unmodified.
    case library(NimBLELibrary)

    /// The library's name.
    static let name = "NimBLE-Arduino"
    /// The version that the host core's own imitates.
    static let imitatedVersion = "2.5.1"

    /// The library of the build, if there is one.
    var library: NimBLELibrary? {
        guard case .library(let library) = self else { return nil }
        return library
    }

    /// Name, version and kind, for reports: `NimBLE-Arduino 2.5.1 (built-in)`.
    var title: String {
        switch self {
        case .builtIn: "\(Self.name) \(Self.imitatedVersion) (\(NimBLEChoice.builtIn.rawValue))"
        case .library(let library): "\(library.title) (\(NimBLEChoice.library.rawValue))"
        }
    }

    /// The end of the names of folders that builds with the other one do not share.
    var suffix: String {
        switch self {
        case .builtIn: ""
        case .library: "-library"
        }
    }
}
