/// Where libraries are looked for: folders whose folders are libraries.
///
/// The order is that of precedence: a library of the project is used instead of one of the same header in the user's
/// folder, as arduino-cli does.
public struct LibraryFolders: Hashable, Sendable {
    /// The project's folders of libraries, in order of precedence; absolute paths. One that does not exist is empty.
    public var project: [String]
    /// The user's: `libraries` in the Arduino user folder (`directories.user` of arduino-cli); absolute paths.
    public var user: [String]

    /// No folders: a sketch has its own sources and the host core.
    public static let none = LibraryFolders(project: [], user: [])

    /// These folders.
    public init(project: [String], user: [String]) {
        self.project = project
        self.user = user
    }
}
