/// Finds the NimBLE of a build.
struct NimBLESearch {
    let options: BuildOptions
    let index: LibraryIndex

    /// The one that the options name, or that is installed.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `nimbleNotFound` when the library is wanted and there is none, and
    ///   `nimbleUnusable` when what was found cannot be used.
    func nimble() throws(FirmwareBuildError) -> NimBLE {
        if options.nimble == .builtIn { return .builtIn }
        if let folder = options.nimbleFolder, !folder.isEmpty { return .library(try NimBLELibrary(named: folder)) }
        if let library = index.first(where: NimBLELibrary.isNimBLE) { return .library(try NimBLELibrary(library)) }
        guard options.nimble == .library else { return .builtIn }
        throw FirmwareBuildError(
            .nimbleNotFound,
            "the sketch is to be built with the library NimBLE-Arduino, which is not there: \(searched)")
    }

    private var searched: String {
        let folders = index.searched.map { FileTree.isFolder($0) ? $0 : "\($0) (does not exist)" }
        let variable = "\(BuildOptions.nimbleVariable) is not set"
        return folders.isEmpty
            ? "no folder of libraries is set, and \(variable)"
            : "searched \(folders.joined(separator: ", ")); \(variable)"
    }
}
