/// The NimBLE of a build.
enum NimBLE: Sendable {
    /// The host core's own NimBLE.
    case builtIn
    /// The user's library, compiled unmodified.
    case library(NimBLELibrary)

    /// The library's name.
    static let name = "NimBLE-Arduino"
    /// The version that the host core's own NimBLE imitates.
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

    /// The suffix of folders that builds with the other NimBLE do not share.
    var suffix: String {
        switch self {
        case .builtIn: ""
        case .library: "-library"
        }
    }
}

/// The NimBLE with which a sketch is built.
public enum NimBLEChoice: String, CaseIterable, Sendable {
    /// The NimBLE-Arduino that is installed as a library; a build without one fails.
    case library
    /// The host core's own imitation of NimBLE-Arduino.
    case builtIn = "built-in"
}

/// The options of a build, beside the sketch's sources.
public struct BuildOptions: Hashable, Sendable {
    /// The NimBLE to use; `nil`: the library if one is installed, otherwise the host core's own.
    public var nimble: NimBLEChoice?
    /// A folder with NimBLE-Arduino, which takes precedence over copies in the libraries' folders.
    public var nimbleFolder: String?

    /// The environment variable in which users give ``nimbleFolder``.
    public static let nimbleVariable = "ESPBENCH_NIMBLE"

    /// Options with this choice; by default the library is used where one is installed.
    public init(nimble: NimBLEChoice? = nil, nimbleFolder: String? = nil) {
        self.nimble = nimble
        self.nimbleFolder = nimbleFolder
    }
}

/// A copy of NimBLE-Arduino on disk that has the files which a build needs.
struct NimBLELibrary: Sendable {
    /// The versions with which builds were tested: the first and the last, as major and minor number.
    static let triedVersions = (first: (1, 4), last: (2, 5))

    let library: Library

    /// Files that every version has, of the C++ classes and of the C host.
    private static let requiredFiles = [
        (path: "NimBLEDevice.h", what: "the C++ classes"),
        (path: "nimble/nimble/host/src/ble_hs.c", what: "NimBLE's host"),
    ]

    /// Name and version, for reports and for the firmware.
    var title: String { "\(NimBLE.name) \(library.version.isEmpty ? "of unknown version" : library.version)" }

    /// Checks the copy `library`.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `nimbleUnusable` when files are missing.
    init(_ library: Library) throws(FirmwareBuildError) {
        self.library = library
        for file in Self.requiredFiles where !FileTree.isFile("\(library.folder)/src/\(file.path)") {
            throw FirmwareBuildError(
                .nimbleUnusable,
                "the NimBLE-Arduino in \(library.folder) is incomplete: it has no src/\(file.path) (\(file.what))")
        }
    }

    /// Checks that NimBLE-Arduino is in `folder`, which the user has named.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `nimbleUnusable` when the folder has another library, or none.
    init(named folder: String) throws(FirmwareBuildError) {
        func refusal(_ found: String) -> FirmwareBuildError {
            FirmwareBuildError(
                .nimbleUnusable,
                "\(folder), which \(BuildOptions.nimbleVariable) names, is not NimBLE-Arduino: \(found)")
        }
        let path = FileTree.realPath(folder) ?? folder
        guard FileTree.isFolder(path) else {
            throw refusal(FileTree.isFile(path) ? "it is a file, not a folder" : "there is no such folder")
        }
        guard let library = try Library(folder: path) else {
            throw refusal("expected library.properties and src/NimBLEDevice.h in it")
        }
        guard Self.isNimBLE(library) || FileTree.isFile(path + "/src/NimBLEDevice.h") else {
            throw refusal("it has the library \(library.title)")
        }
        try self.init(library)
    }

    /// True if the library is, or should be, NimBLE-Arduino: by its name or, without `library.properties`, by the name
    /// of its folder or by its main header.
    static func isNimBLE(_ library: Library) -> Bool {
        if library.name == NimBLE.name { return true }
        guard library.version.isEmpty else { return false }
        return library.folder.fileName == NimBLE.name || FileTree.isFile(library.folder + "/src/NimBLEDevice.h")
    }

    /// A remark on the library's version; `nil` for versions with which builds were tested.
    var remark: String? {
        let numbers = library.version.split(separator: ".").prefix(2).compactMap { Int($0) }
        let place = "the NimBLE-Arduino in \(library.folder)"
        guard numbers.count == 2 else {
            let found = library.version.isEmpty ? "no version" : "the version '\(library.version)'"
            return "warning: \(place) has \(found) in library.properties: espbench was tried with 1.4 to 2.5"
        }
        let version = (numbers[0], numbers[1])
        if version < Self.triedVersions.first {
            return
                "warning: \(place) is \(library.version): espbench was tried with 1.4 to 2.5, and needs their ESP32 code"
        }
        if version > Self.triedVersions.last {
            return
                "warning: \(place) is \(library.version), which is newer than what espbench was tried with: 1.4 to 2.5"
        }
        return nil
    }
}

/// Finds the NimBLE of a build.
struct NimBLESearch {
    let options: BuildOptions
    let index: LibraryIndex

    /// The NimBLE that the options name, or the installed one.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `nimbleNotFound` when the requested library is not installed, and
    ///   `nimbleUnusable` when the installed one cannot be used.
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

/// A fault of NimBLE-Arduino itself that AddressSanitizer finds in every sketch.
///
/// The user need not repair the library: each such fault is listed here, and only its function is exempt from checks.
/// All other functions of the file are checked, and so is this function in versions that are not listed.
struct KnownLibraryFault: Sendable {
    /// The file below the library's `src`.
    let file: String
    /// A function without parameters, written `(void)` where it is defined and `()` where it is called.
    let function: String
    /// The versions whose source has the fault, as major and minor number.
    let versions: Set<String>
    /// The fault, and why it does no harm.
    let reason: String

    static let all = [
        KnownLibraryFault(
            file: "nimble/nimble/host/store/config/src/ble_store_nvs.c", function: "ble_nvs_restore_sec_keys",
            versions: ["2.1", "2.2", "2.3", "2.4", "2.5", "3.0"],
            reason: """
                Without bonds it reads the bond_count before the first element of ble_store_config_our_secs and of \
                ble_store_config_peer_secs (lines 587 and 588 of 2.5.1), at each start. The values only number later \
                bonds, which are compared with each other.
                """)
    ]

    /// The known faults in the file `source` of `library`.
    static func of(_ source: String, _ library: Library) -> [KnownLibraryFault] {
        let version = library.version.split(separator: ".").prefix(2).joined(separator: ".")
        return all.filter { source == "\(library.folder)/src/\($0.file)" && $0.versions.contains(version) }
    }

    /// The compiler's flags: a macro puts the attribute before the definition, and nothing before calls.
    var flags: [String] {
        [
            "-D\(function)(list)=ESPBENCH_UNCHECKED_##list \(function)(list)", "-DESPBENCH_UNCHECKED_=",
            "-DESPBENCH_UNCHECKED_void=__attribute__((no_sanitize_address))",
        ]
    }
}
