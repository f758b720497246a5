import Yams

/// The part of a sketch's project file, `sketch.yaml` (arduino-cli, sketch project file), that a build for the virtual
/// board uses: the libraries of one profile.
///
/// The profile is `default_profile`, or the first one for an ESP32. The host core replaces the platform, so pinned
/// versions of the replaced packages must match the host core's; other libraries must be in a folder of libraries.
struct SketchProject {
    /// A library by name and version.
    struct Pin {
        /// As written: `NAME (VERSION)`.
        var text: String
        var name: String
        var version: String
        /// `FILE:LINE:COLUMN`.
        var place: String
    }

    private(set) var platforms: [Pin] = []
    private(set) var libraries: [Pin] = []
    /// The folders of libraries given by `dir`; absolute.
    private(set) var folders: [String] = []
    /// The name of the profile.
    private(set) var profile = ""

    /// The packages that the host core replaces: name and version prefix.
    private static let offered = ["esp32:esp32": "3.", "NimBLE-Arduino": "2.5.", "ESP32Servo": "3."]

    private let path: String
    private let sketch: String

    /// Reads the project file of the sketch in `folder`, if it has one.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `invalidProject`.
    init(folder: String) throws(FirmwareBuildError) {
        sketch = folder
        let candidates = ["sketch.yaml", "sketch.yml"].map { "\(folder)/\($0)" }
        path = candidates.first(where: FileTree.isFile) ?? candidates[0]
        guard FileTree.isFile(path), let root = try YAMLFile.read(path) else { return }
        let top = try YAMLFile.mapping(root, "the project", path)
        guard let profiles = top["profiles"], profiles.null == nil else { return }
        let all = try YAMLFile.mapping(profiles, "'profiles'", path)
        guard let (name, node) = try chosen(all, top["default_profile"]) else { return }
        profile = name
        let values = try YAMLFile.mapping(node, "profile '\(name)'", path)
        try readPlatforms(values["platforms"], name)
        try readLibraries(values["libraries"], name)
    }

    private func chosen(_ profiles: Node.Mapping, _ wanted: Node?) throws(FirmwareBuildError) -> (String, Node)? {
        let names = profiles.keys.compactMap(\.string)
        if let wanted, wanted.null == nil {
            guard let name = wanted.string, let node = profiles[name] else {
                throw YAMLFile.error(
                    wanted, path,
                    "expected 'default_profile' to be one of: \(names.joined(separator: ", ")), got '\(wanted.string ?? "…")'"
                )
            }
            return (name, node)
        }
        for (key, node) in profiles {
            let fqbn = node.mapping?["fqbn"]?.string ?? ""
            let platform = node.mapping?["platforms"]?.sequence?.first?.mapping?["platform"]?.string ?? ""
            if let name = key.string,
                fqbn.hasPrefix("esp32:") || platform.hasPrefix("esp32:") || (fqbn + platform).isEmpty
            {
                return (name, node)
            }
        }
        return profiles.first.flatMap { key, node in key.string.map { ($0, node) } }
    }

    private mutating func readPlatforms(_ node: Node?, _ profile: String) throws(FirmwareBuildError) {
        // Without `platforms`, the installed platform is used.
        guard let node, node.null == nil else { return }
        for item in try YAMLFile.list(node, "'platforms' of profile '\(profile)'", path) {
            let values = try YAMLFile.mapping(item, "a platform", path)
            guard let platform = values["platform"] else {
                throw YAMLFile.error(item, path, "a platform of profile '\(profile)' lacks the key 'platform'")
            }
            platforms.append(try pin(platform, needsVersion: false))
        }
    }

    private mutating func readLibraries(_ node: Node?, _ profile: String) throws(FirmwareBuildError) {
        guard let node, node.null == nil else { return }
        for item in try YAMLFile.list(node, "'libraries' of profile '\(profile)'", path) {
            if let values = item.mapping {
                if let folder = values["dir"] {
                    guard let text = folder.string, !text.isEmpty else {
                        throw YAMLFile.error(folder, path, "expected 'dir' to be a folder")
                    }
                    let full = text.hasPrefix("/") ? text : "\(sketch)/\(text)"
                    guard FileTree.isFolder(full) else {
                        throw YAMLFile.error(
                            folder, path,
                            "expected 'dir' to be a folder with a library, got '\(text)': no folder \(full)")
                    }
                    folders.append(FileTree.realPath(full) ?? full)
                } else if let dependency = values["dependency"] {
                    libraries.append(try pin(dependency, needsVersion: true))
                } else {
                    throw YAMLFile.error(item, path, "expected a library to be NAME (VERSION), 'dir' or 'dependency'")
                }
            } else {
                libraries.append(try pin(item, needsVersion: true))
            }
        }
    }

    private func pin(_ node: Node, needsVersion: Bool) throws(FirmwareBuildError) -> Pin {
        let form = needsVersion ? "NAME (VERSION)" : "NAME or NAME (VERSION)"
        guard let text = node.string else { throw YAMLFile.error(node, path, "expected \(form)") }
        let place = YAMLFile.place(node, path)
        let parts = text.split(separator: " (", maxSplits: 1).map(String.init)
        if parts.count == 2, parts[1].hasSuffix(")") {
            return Pin(text: text, name: parts[0].trimmed, version: String(parts[1].dropLast()), place: place)
        }
        guard !needsVersion, parts.count == 1, !text.contains("(") else {
            throw YAMLFile.error(node, path, "expected \(form), got '\(text)'")
        }
        return Pin(text: text, name: text.trimmed, version: "", place: place)
    }

    private func isInstalledNimBLE(_ pin: Pin, _ index: LibraryIndex) -> Bool {
        pin.name == NimBLE.name && index.nimble.library != nil
    }

    private static func installing(_ pin: Pin) -> String {
        "; it is built with the library itself where that is installed: arduino-cli lib install \"\(pin.name)@\(pin.version)\""
    }

    /// Remarks on the pinned packages: a NimBLE-Arduino of another version is used.
    func remarks(_ index: LibraryIndex) -> [String] {
        guard let library = index.nimble.library?.library else { return [] }
        let version = library.version.isEmpty ? "one without a version" : library.version
        return libraries.filter { $0.name == NimBLE.name && $0.version != library.version }.map { pin in
            "warning: profile \(profile) pins \(pin.text), the sketch is built with \(version) in \(library.folder)"
        }
    }

    /// Compares the pinned packages with the host core's versions and with the installed libraries.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `invalidProject` or `libraryNotFound`.
    func check(_ index: LibraryIndex) throws(FirmwareBuildError) {
        let offer = Self.offered.map { "\($0.key) \($0.value)x" }.sorted().joined(separator: ", ")
        for pin in platforms + libraries {
            guard let version = Self.offered[pin.name], !isInstalledNimBLE(pin, index) else { continue }
            guard pin.version.isEmpty || pin.version.hasPrefix(version) else {
                throw FirmwareBuildError(
                    .invalidProject,
                    "\(pin.place): profile \(profile) pins \(pin.text), which the virtual board's host core does not have: it has \(offer)"
                        + (pin.name == NimBLE.name ? Self.installing(pin) : "")
                )
            }
        }
        for pin in platforms where Self.offered[pin.name] == nil && !pin.name.hasPrefix("esp32:") {
            throw FirmwareBuildError(
                .invalidProject,
                "\(pin.place): profile \(profile) is for \(pin.text), the virtual board is an ESP32: name a profile for esp32:esp32 in default_profile"
            )
        }
        for pin in libraries where Self.offered[pin.name] == nil {
            let isThere = index.libraries.contains { $0.name == pin.name || $0.folder.fileName == pin.name }
            if isThere { continue }
            let folders =
                index.searched.isEmpty
                ? "no folder of libraries is set" : "searched: " + index.searched.joined(separator: ", ")
            throw FirmwareBuildError(
                .libraryNotFound,
                "\(pin.place): profile \(profile) pins \(pin.text), which is not there (\(folders)): "
                    + "install it with arduino-cli lib install \"\(pin.name)@\(pin.version)\", or put it into a folder of libraries"
            )
        }
    }
}

/// Reads YAML files; errors name the file, the line and the expected content.
enum YAMLFile {
    /// The root of the file at `path`; `nil` for an empty file.
    static func read(_ path: String) throws(FirmwareBuildError) -> Node? {
        let text = try FileTree.text(of: path)
        do {
            return try Yams.compose(yaml: text)
        } catch let error as YamlError {
            throw FirmwareBuildError(.invalidProject, "\(path)\(reason(error))")
        } catch {
            throw FirmwareBuildError(.invalidProject, "\(path): \(error)")
        }
    }

    private static func reason(_ error: YamlError) -> String {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            ":\(mark.line):\(mark.column): not YAML: \(problem)"
                + (problem.contains("cannot start any token") ? " (a tab? indent with spaces)" : "")
        case .duplicatedKeysInMapping(let duplicates, let context):
            ":\(context.mark.line):\(context.mark.column): key given twice: \(duplicates.map { "\($0)" }.sorted().joined(separator: ", "))"
        default: ": not YAML: \(error)"
        }
    }

    static func mapping(_ node: Node, _ what: String, _ path: String) throws(FirmwareBuildError) -> Node.Mapping {
        guard let mapping = node.mapping else {
            throw error(node, path, "expected \(what) to be keys with values, got \(kind(node))")
        }
        return mapping
    }

    static func list(_ node: Node, _ what: String, _ path: String) throws(FirmwareBuildError) -> Node.Sequence {
        guard let list = node.sequence else {
            throw error(node, path, "expected \(what) to be a list, got \(kind(node))")
        }
        return list
    }

    private static func kind(_ node: Node) -> String {
        switch node {
        case .scalar(let scalar): scalar.string.isEmpty ? "nothing" : "'\(scalar.string.prefix(40))'"
        case .mapping: "keys with values"
        case .sequence: "a list"
        default: "something else"
        }
    }

    static func place(_ node: Node, _ path: String) -> String {
        node.mark.map { "\(path):\($0.line):\($0.column)" } ?? path
    }

    static func error(_ node: Node, _ path: String, _ reason: String) -> FirmwareBuildError {
        FirmwareBuildError(.invalidProject, "\(place(node, path)): \(reason)")
    }
}
