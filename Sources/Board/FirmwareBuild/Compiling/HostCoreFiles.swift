/// The files of the host core, by what a program has of them.
///
/// `NimBLE/` and `Settings/` belong to the host core's own NimBLE, `Library/` to builds with the user's library; the others
/// are common, and compiled alike for both. Files in folders called `Settings` are compiled for each sketch.
struct HostCoreFiles: Sendable {
    /// What a file belongs to.
    private enum Part {
        case common, builtInNimBLE, libraryNimBLE
    }

    /// The folder with one header for each known header that the host core does not have: including it is an error that
    /// names it.
    private static let refusedFolder = "Refused"

    private let folder: String
    /// All files but the host core's tests, in order of path.
    let all: [String]
    private let headerFolders: [String]

    /// The host core in `folder`.
    ///
    /// - Throws: ``FirmwareBuildError`` when a folder cannot be read.
    init(_ folder: String) throws(FirmwareBuildError) {
        self.folder = folder
        all = try FileTree.filesBelow(folder).filter { !$0.hasPrefix(folder + "/Tests/") }
        let refusals = "\(folder)/\(Self.refusedFolder)"
        headerFolders = Set(all.filter { !SourceFiles.isCompiled($0) }.map(\.folderPath))
            .filter { $0 != refusals && !$0.hasPrefix(refusals + "/") }.sorted()
    }

    /// The folder of the headers that are refused.
    var refusals: String { "\(folder)/\(Self.refusedFolder)" }

    /// Whether the host core has the file at `path`, relative to its folder.
    func contains(_ path: String) -> Bool { all.contains("\(folder)/\(path)") }

    /// Whether the file has system calls.
    func isPlatform(_ file: String) -> Bool { file.hasPrefix(folder + "/Platform/") }

    /// The files that are compiled once, for programs with `nimble`.
    func sources(_ nimble: NimBLE) -> [String] { compiled(nimble).filter { !Self.isSettings($0) } }

    /// The files that are compiled with the flags of each sketch, for programs with `nimble`.
    func settings(_ nimble: NimBLE) -> [String] { compiled(nimble).filter(Self.isSettings) }

    /// The folders that a file of the host core includes from: the headers of the NimBLE that it belongs to come before
    /// those that they replace.
    func includeFolders(core file: String) -> [String] {
        let own = part(file)
        let folders = headerFolders.filter { [.common, own].contains(part($0)) }
        return folders.filter { part($0) != .common } + folders.filter { part($0) == .common }
    }

    /// The folders that sketches and libraries include from, in order.
    func includeFolders(_ nimble: NimBLE) -> [String] {
        let own = folder + (nimble.library == nil ? "/NimBLE/include" : "/Library/include")
        return [own].filter(headerFolders.contains) + [folder + "/include"]
    }

    private func compiled(_ nimble: NimBLE) -> [String] {
        let parts: [Part] = [.common, nimble.library == nil ? .builtInNimBLE : .libraryNimBLE]
        return all.filter { SourceFiles.isCompiled($0) && parts.contains(part($0)) }
    }

    private static func isSettings(_ file: String) -> Bool { file.folderPath.fileName == "Settings" }

    private func part(_ path: String) -> Part {
        switch path.dropFirst(folder.count + 1).prefix(while: { $0 != "/" }) {
        case "NimBLE", "Settings": .builtInNimBLE
        case "Library": .libraryNimBLE
        default: .common
        }
    }
}
