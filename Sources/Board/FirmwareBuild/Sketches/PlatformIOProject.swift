/// The parts of `platformio.ini` that a build for the virtual board uses: folders, and the macros and includes of
/// `build_flags` (PlatformIO, project configuration file).
///
/// The environment is the first of `default_envs` for an ESP32, otherwise the first with `framework = arduino` for an
/// ESP32, otherwise the first that may be for one. A project without such an environment is refused.
struct PlatformIOProject {
    /// The definitions and includes of all files, with absolute folders.
    private(set) var flags: [String] = []
    /// Flags for the sketch's own files only.
    private(set) var sourceFlags: [String] = []
    /// The settings that are not used, a line each.
    private(set) var remarks: [String] = []
    /// `src_dir`: the sketch's files; absolute.
    private(set) var sourceFolder: String
    /// `include_dir`: its headers; absolute.
    private(set) var includeFolder: String
    /// `lib_dir`, the libraries that PlatformIO has installed for the environment, and `lib_extra_dirs`.
    private(set) var libraryFolders: [String] = []

    /// Options that change PlatformIO's build, and are not used here.
    private static let ignored = [
        "extra_configs", "extra_scripts", "build_unflags", "build_src_filter", "src_filter", "lib_ignore",
        "lib_compat_mode", "lib_ldf_mode", "board_build.embed_files", "board_build.embed_txtfiles",
        "board_build.partitions",
    ]

    /// Why the virtual board cannot run the project; `nil`: it can.
    private(set) var fault: String?

    private let folder: String
    private let path: String
    private let ini: IniFile
    /// The section of the environment; `env` if the file has no environments.
    private let environment: String

    /// `build_dir`: where PlatformIO builds, with a folder for each environment; absolute.
    private(set) var buildFolder: String

    /// The name of the environment, without `env:`.
    var environmentName: String { String(environment.dropFirst(4)) }

    /// The project in `folder`, with the environment called `name` or the default one.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `invalidPlatformIO`.
    init(folder: String, environment name: String? = nil) throws(FirmwareBuildError) {
        self.folder = folder
        path = folder + "/platformio.ini"
        let ini = try IniFile(path: path)
        self.ini = ini
        let names = ini.order.filter { $0.hasPrefix("env:") }
        let defaults = Self.list(ini.sections["platformio"]?["default_envs"] ?? "")
        let wanted = (name.map { [$0] } ?? defaults).map { "env:" + $0 }
        if let unknown = wanted.first(where: { ini.sections[$0] == nil }) {
            throw FirmwareBuildError(
                .invalidPlatformIO,
                "\(path): \(name == nil ? "default_envs names" : "no environment") '\(unknown.dropFirst(4))', expected one of: \(names.map { String($0.dropFirst(4)) }.joined(separator: ", "))"
            )
        }
        let possible = (wanted + names).filter { ini.otherPlatform(of: $0) == nil }
        let environment =
            name.map { "env:" + $0 } ?? wanted.first(where: ini.isForESP32)
            ?? names.first { ini.isForESP32($0) && ini.isForArduino($0) } ?? possible.first ?? names.first ?? "env"
        self.environment = environment
        if ini.otherPlatform(of: environment) != nil {
            let found = name != nil || names.isEmpty ? [environment] : names
            throw Self.refusal(of: found, in: ini, path)
        }
        if name == nil, wanted.first.map({ $0 != environment }) ?? (names.count > 1) {
            let reason = wanted.isEmpty ? "default_envs names none" : "the first of default_envs is not for an ESP32"
            remarks.append("\(path): environment \(environment.dropFirst(4)) is built: \(reason)")
        }
        if let framework = ini.value("framework", of: environment), !framework.text.contains("arduino") {
            fault =
                "\(path):\(framework.line): framework = \(framework.text) is not supported on the virtual board: expected arduino"
        }
        sourceFolder = folder + "/src"
        buildFolder = folder + "/.pio/build"
        includeFolder = folder + "/include"
        sourceFolder = try directory("src_dir") ?? sourceFolder
        includeFolder = try directory("include_dir") ?? includeFolder
        if let option = ini.value("src_dir", of: "platformio"), !FileTree.isFolder(sourceFolder) {
            throw FirmwareBuildError(
                .invalidPlatformIO,
                "\(path):\(option.line): expected src_dir to be a folder, there is none at \(sourceFolder)")
        }
        let workspace = try directory("workspace_dir") ?? folder + "/.pio"
        buildFolder = try directory("build_dir") ?? workspace + "/build"
        libraryFolders.append(try directory("lib_dir") ?? folder + "/lib")
        if environment != "env" {
            let installed = try directory("libdeps_dir") ?? workspace + "/libdeps"
            libraryFolders.append("\(installed)/\(environment.dropFirst(4))")
        }
        libraryFolders += Self.list(try value("lib_extra_dirs")).map(absolute)
        flags = try accepted("build_flags")
        if let pin = BoardLEDs.pin(ofBoard: try value("board")),
            !flags.contains(where: { $0.hasPrefix("-DLED_BUILTIN") })
        {
            flags.append("-DLED_BUILTIN=\(pin)")
        }
        sourceFlags = try accepted("build_src_flags") + accepted("src_build_flags")
        for name in Self.ignored {
            guard let option = ini.value(name, of: environment) ?? ini.value(name, of: "platformio") else { continue }
            remarks.append("\(path):\(option.line): warning: \(name) is not used on the virtual board")
        }
    }

    /// The error for a project in which only these environments are possible, and none is for an ESP32.
    private static func refusal(of environments: [String], in ini: IniFile, _ path: String) -> FirmwareBuildError {
        let found = environments.map { environment in
            let name = environment.hasPrefix("env:") ? String(environment.dropFirst(4)) : environment
            return "\(name) (\(ini.otherPlatform(of: environment) ?? ""))"
        }
        let line = environments.first.flatMap { ini.value("platform", of: $0)?.line } ?? 1
        return FirmwareBuildError(
            .invalidPlatformIO,
            "\(path):\(line): expected an environment with platform = \(IniFile.platform), got \(found.joined(separator: ", "))"
        )
    }

    /// The value of the environment's option, expanded; `""` if it is absent.
    private func value(_ name: String) throws(FirmwareBuildError) -> String {
        guard let option = ini.value(name, of: environment) else { return "" }
        return try expanded(option, environment)
    }

    /// The folder that an option of `[platformio]` names; `nil` if the option is absent.
    private func directory(_ name: String) throws(FirmwareBuildError) -> String? {
        guard let option = ini.value(name, of: "platformio"), !option.text.isEmpty else { return nil }
        return absolute(try expanded(option, "platformio"))
    }

    private func absolute(_ path: String) -> String {
        SketchPlace.absolute(path.hasPrefix("/") ? path : "\(folder)/\(path)")
    }

    /// Replaces `${section.option}`, and the variables of the project's folders.
    private func expanded(
        _ option: (text: String, line: Int), _ section: String
    ) throws(FirmwareBuildError) -> String {
        var budget = IniFile.mostReplacements
        let text = ini.expanded(option.text, section, defaults, &budget)
        guard budget > 0 else {
            throw FirmwareBuildError(
                .invalidPlatformIO,
                """
                \(path):\(option.line): expected at most \(IniFile.mostReplacements) variables ${…}, got more: does a \
                variable refer to itself?
                """
            )
        }
        return text
    }

    /// The folders by the options that name them.
    private var defaults: [String: String] {
        ["project_dir": folder, "src_dir": sourceFolder, "include_dir": includeFolder, "lib_dir": folder + "/lib"]
    }

    /// The flags of an option that are used; a remark names the others.
    private mutating func accepted(_ option: String) throws(FirmwareBuildError) -> [String] {
        let flags = BuildFlags(try value(option), folder: folder)
        let ignored =
            flags.tuning + flags.refused.map { $0.flag + ($0.reason.isEmpty ? "" : " (\($0.reason))") }
        if !ignored.isEmpty {
            let line = ini.value(option, of: environment)?.line ?? 1
            remarks.append(
                "\(path):\(line): warning: \(option) \(ignored.joined(separator: " ")) are not used on the virtual board"
            )
        }
        return flags.definitions
    }

    private static func list(_ text: String) -> [String] {
        text.split { $0 == "," || $0.isWhitespace }.map(String.init)
    }
}

/// The pins of the LEDs of boards, by PlatformIO's names: `LED_BUILTIN` of arduino-esp32's variants. Other boards, such as
/// `esp32dev`, have none.
enum BoardLEDs {
    static func pin(ofBoard name: String) -> Int? { pins[name] }

    private static let pins = [
        "esp32doit-devkit-v1": 2, "nodemcu-32s": 2, "lolin32": 5, "lolin_d32": 5, "wemos_d1_mini32": 2,
        "featheresp32": 13, "esp32thing": 5, "heltec_wifi_kit_32": 25, "heltec_wifi_kit_32_v2": 25,
        "ttgo-lora32-v1": 2, "firebeetle32": 2, "mhetesp32minikit": 2,
    ]
}

/// A file of sections with `option = value` lines, as Python's `configparser` reads it: an indented line continues the
/// value above it.
struct IniFile {
    private(set) var sections: [String: [String: String]] = [:]
    /// The names of the sections, in the file's order.
    private(set) var order: [String] = []
    /// The line of each option, from 1.
    private(set) var lines: [String: [String: Int]] = [:]

    /// The largest number of replacements of variables in one option.
    static let mostReplacements = 500

    init(path: String) throws(FirmwareBuildError) {
        var section: String?
        var option: String?
        let text = try FileTree.text(of: path)
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let content = Self.withoutComment(String(line))
            let isIndented = line.first?.isWhitespace == true
            if content.isEmpty { continue }
            if isIndented, let section, let option {
                sections[section]?[option, default: ""] += "\n" + content
            } else if content.hasPrefix("["), content.hasSuffix("]") {
                let name = String(content.dropFirst().dropLast()).trimmed
                if sections[name] == nil {
                    sections[name] = [:]
                    order.append(name)
                }
                section = name
                option = nil
            } else if let section, let equals = content.firstIndex(where: { $0 == "=" || $0 == ":" }) {
                let name = String(content[..<equals]).trimmed
                sections[section]?[name] = String(content[content.index(after: equals)...]).trimmed
                lines[section, default: [:]][name] = number + 1
                option = name
            } else {
                throw FirmwareBuildError(
                    .invalidPlatformIO,
                    "\(path):\(number + 1): expected [section] or option = value, got '\(content.prefix(60))'")
            }
        }
    }

    /// The value of an option, with its line. It comes from the section, a section that this one `extends`, or, for an
    /// environment, `[env]`, in PlatformIO's order.
    func value(_ option: String, of section: String) -> (text: String, line: Int)? {
        var pending = section.hasPrefix("env:") ? ["env", section] : [section]
        var seen: Set<String> = []
        while let next = pending.popLast() {
            guard seen.insert(next).inserted, let options = sections[next] else { continue }
            if let text = options[option] { return (text, lines[next]?[option] ?? 1) }
            pending += (options["extends"] ?? "").split { $0 == "," || $0.isWhitespace }.map(String.init)
        }
        return nil
    }

    /// `text`, a value in `section`, with its variables replaced: `${section.option}`, and the project's folders, which
    /// are in `folders` by the options that name them.
    ///
    /// - Parameter budget: the number of replacements left; 0 at the end if there were too many.
    func expanded(
        _ text: String, _ section: String, _ folders: [String: String], _ budget: inout Int
    ) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            result += rest[..<start.lowerBound]
            let name = rest[start.upperBound..<end]
            if let dot = name.lastIndex(of: "."), budget > 0 {
                budget -= 1
                let named = name[..<dot] == "this" ? section : String(name[..<dot])
                let option = String(name[name.index(after: dot)...])
                if let value = self.value(option, of: named) {
                    result += expanded(value.text, named, folders, &budget)
                } else if named == "platformio" {
                    result += folders[option] ?? ""
                }
            } else {
                result += "$" + name
            }
            rest = rest[rest.index(after: end)...]
        }
        result += rest
        for (variable, option) in [
            ("$PROJECT_SRC_DIR", "src_dir"), ("$PROJECT_INCLUDE_DIR", "include_dir"), ("$PROJECT_DIR", "project_dir"),
        ] {
            result = result.split(separator: variable, omittingEmptySubsequences: false).joined(
                separator: folders[option] ?? "")
        }
        return result
    }

    /// True if an environment is for an ESP32, or names no platform.
    func isForESP32(_ environment: String) -> Bool {
        platform(of: environment)?.contains(Self.platform) ?? true
    }

    /// The platform of an environment that is not for an ESP32; `nil` for others.
    ///
    /// Only a name of PlatformIO's registry tells: a URL, a folder or a variable of the environment may stand for a
    /// platform of the ESP32, too.
    func otherPlatform(of environment: String) -> String? {
        guard let text = platform(of: environment), text.first?.isLetter == true, !text.contains(":") else {
            return nil
        }
        return text.contains(Self.platform) ? nil : text
    }

    /// PlatformIO's name of the platform of all chips of the ESP32's family.
    static let platform = "espressif32"

    private func platform(of environment: String) -> String? {
        guard let option = value("platform", of: environment) else { return nil }
        var budget = Self.mostReplacements
        return expanded(option.text, environment, [:], &budget).lowercased().trimmed
    }

    /// True if an environment uses Arduino's functions.
    func isForArduino(_ environment: String) -> Bool {
        value("framework", of: environment)?.text.contains("arduino") == true
    }

    private static func withoutComment(_ line: String) -> String {
        let trimmed = line.trimmed
        if trimmed.hasPrefix(";") || trimmed.hasPrefix("#") { return "" }
        // Behind white space a semicolon or a number sign begins a comment.
        let starts = [" ;", " #"].compactMap { trimmed.firstRange(of: $0)?.lowerBound }
        guard let start = starts.min() else { return trimmed }
        return String(trimmed[..<start]).trimmed
    }
}
