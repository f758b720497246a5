/// A copy of NimBLE-Arduino on disk that has the files which a build needs.
struct NimBLELibrary: Sendable {
    /// The versions that builds were tried with: the first and the last, as major and minor number.
    static let triedVersions = (first: (1, 4), last: (2, 5))

    let library: Library

    /// Files that every version has: of the C++ classes, and of the C host.
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
    /// - Throws: ``FirmwareBuildError`` with code `nimbleUnusable` when it is another library, or none.
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

    /// Whether the library is, or should be, NimBLE-Arduino: by its name, or, without `library.properties`, by that of its
    /// folder or by its main header.
    static func isNimBLE(_ library: Library) -> Bool {
        if library.name == NimBLE.name { return true }
        guard library.version.isEmpty else { return false }
        return library.folder.fileName == NimBLE.name || FileTree.isFile(library.folder + "/src/NimBLEDevice.h")
    }

    /// What is to be said of its version; `nil` when builds were tried with it.
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
