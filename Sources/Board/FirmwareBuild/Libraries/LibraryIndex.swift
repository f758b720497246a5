/// The libraries that a build may use, by their headers.
struct LibraryIndex: Sendable {
    /// The origin of a library, in order of precedence.
    private enum Location: Int, Comparable {
        case user, project, profile

        static func < (left: Location, right: Location) -> Bool { left.rawValue < right.rawValue }
    }

    /// The result of a search for a header that no include folder has.
    enum Answer: Hashable {
        case library(Library)
        /// The host core refuses the header: it belongs to the chip's core, which the host core does not have.
        case refused
        case nothing
    }

    /// Libraries whose API the host core has itself: installed copies are not used.
    private static let replaced: Set<String> = ["ESP32Servo"]

    /// The architecture that libraries are chosen for.
    static let architecture = "esp32"

    private var candidates: [String: [(library: Library, location: Location, order: Int)]] = [:]
    /// The folders that were searched, in order of precedence, for messages.
    let searched: [String]
    /// All libraries by name, in the order of precedence.
    private(set) var libraries: [Library] = []
    /// Reasons why a library was not found, for messages: folders that could not be read.
    private(set) var faults: [String] = []
    private let refusals: String
    /// The NimBLE of the build: other copies of NimBLE-Arduino are not used.
    private(set) var nimble = NimBLE.builtIn

    /// The libraries in `folders`, and the single libraries `named` by a sketch's profile.
    ///
    /// - Parameters:
    ///   - platformIO: the subset of `folders` that belongs to a PlatformIO project.
    ///   - refusals: the folder of the headers that the host core refuses.
    /// - Throws: ``FirmwareBuildError`` when one of `named` is not a library.
    init(
        _ folders: LibraryFolders, named: [String], platformIO: [String], refusals: String
    ) throws(FirmwareBuildError) {
        self.refusals = refusals
        searched = folders.project + folders.user
        var order = 0
        for folder in named {
            guard let library = try Library(folder: folder) else {
                throw FirmwareBuildError(
                    .libraryNotFound,
                    "no library in \(folder): expected library.properties or a header there")
            }
            add(library, .profile, order)
            order += 1
        }
        for (location, parents) in [(Location.project, folders.project), (.user, folders.user)] {
            for parent in parents {
                addAll(in: parent, location, order, isPlatformIO: platformIO.contains(parent))
                order += 1
            }
        }
    }

    private mutating func addAll(in parent: String, _ location: Location, _ order: Int, isPlatformIO: Bool) {
        do throws(FirmwareBuildError) {
            for entry in try FileTree.entries(of: parent) where entry.kind == .folder {
                do throws(FirmwareBuildError) {
                    let library = try Library(folder: "\(parent)/\(entry.name)", isPlatformIO: isPlatformIO)
                    if let library { add(library, location, order) }
                } catch {
                    faults.append(error.detail)
                }
            }
        } catch {
            faults.append(error.detail)
        }
    }

    private mutating func add(_ library: Library, _ location: Location, _ order: Int) {
        libraries.append(library)
        for header in library.headers {
            candidates[header, default: []].append((library, location, order))
        }
    }

    /// Uses this NimBLE.
    mutating func use(_ nimble: NimBLE) {
        self.nimble = nimble
        guard let library = nimble.library?.library, !libraries.contains(library) else { return }
        add(library, .profile, 0)
    }

    /// The first library, in order of precedence, for which `isWanted` returns true.
    func first(where isWanted: (Library) -> Bool) -> Library? { libraries.first(where: isWanted) }

    private func isUsed(_ library: Library) -> Bool {
        if Self.replaced.contains(library.name) { return false }
        return !NimBLELibrary.isNimBLE(library) || library == nimble.library?.library
    }

    /// The library for a header that is not in the include path.
    ///
    /// A refusal of the host core takes precedence over the user's folder, like a library of arduino-esp32 on the chip,
    /// but not over the project's folders, which may have a stand-in for the bench.
    func answer(for header: String) -> Answer {
        if header.contains("/"), let library = platformIO(with: header) { return .library(library) }
        let all = (candidates[header] ?? []).filter { isUsed($0.library) }
        let isRefused = FileTree.isFile("\(refusals)/\(header)")
        let allowed = isRefused ? all.filter { $0.location > .user } : all
        let best = allowed.map { (candidate: $0, score: score($0.library, $0.location, header)) }.min { left, right in
            if left.score != right.score { return left.score > right.score }
            if left.candidate.order != right.candidate.order { return left.candidate.order < right.candidate.order }
            return left.candidate.library.folder < right.candidate.library.folder
        }
        if let best { return .library(best.candidate.library) }
        return isRefused ? .refused : .nothing
    }

    /// The first of PlatformIO's libraries that has the header in a folder.
    private func platformIO(with header: String) -> Library? {
        libraries.first { library in
            library.isPlatformIO && isUsed(library)
                && library.includeFolders.contains { FileTree.isFile("\($0)/\(header)") }
        }
    }

    /// arduino-cli's order (sketch build process, dependency resolution): the project's libraries, compatible
    /// architecture, name, architecture by name.
    private func score(_ library: Library, _ location: Location, _ header: String) -> Int {
        var score = location.rawValue * 10_000
        if library.isOptimized(for: Self.architecture) {
            score += 1010
        } else if library.isCompatible(with: Self.architecture) {
            score += 1000
        }
        let stem = Self.simplified(String(header.prefix { $0 != "." }))
        let names = [Self.simplified(library.name), Self.simplified(library.folder.fileName)]
        func any(_ matches: (String) -> Bool) -> Bool { names.contains(where: matches) }
        if names.allSatisfy({ $0 == stem }) {
            score += 700
        } else if any({ $0 == stem }) {
            score += 600
        } else if any({ $0 == stem + "-main" }) {
            score += 500
        } else if any({ $0 == stem + "-master" }) {
            score += 400
        } else if any({ $0.hasPrefix(stem) }) {
            score += 300
        } else if any({ $0.hasSuffix(stem) }) {
            score += 200
        } else if any({ $0.contains(stem) }) {
            score += 100
        }
        return score
    }

    private static func simplified(_ name: String) -> String {
        String(name.lowercased().map { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" ? $0 : "_" })
    }
}

/// The search folders for libraries: each of their subfolders is a library.
///
/// They are in order of precedence: a library of the project precedes a library with the same header in the user's
/// folder, as with arduino-cli.
public struct LibraryFolders: Hashable, Sendable {
    /// The project's folders of libraries, in order of precedence; absolute paths. A missing folder counts as empty.
    public var project: [String]
    /// The user's folders of libraries: `libraries` in the Arduino user folder (`directories.user` of arduino-cli);
    /// absolute paths.
    public var user: [String]

    /// No folders: a sketch has its own sources and the host core.
    public static let none = LibraryFolders(project: [], user: [])

    /// Search in these folders.
    public init(project: [String], user: [String]) {
        self.project = project
        self.user = user
    }
}
