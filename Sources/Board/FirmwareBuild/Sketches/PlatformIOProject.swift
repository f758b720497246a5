/// What a build for the virtual board takes from `platformio.ini`: the macros and include folders of `build_flags`.
///
/// Of the environments the first of `default_envs` is used, or the first with `framework = arduino`, or the first.
struct PlatformIOProject {
    /// `-D`, `-U` and `-I` flags, with absolute paths.
    private(set) var flags: [String] = []
    /// What is not used, a line each.
    private(set) var remarks: [String] = []
    /// `lib`, and the libraries that PlatformIO has installed for the environment.
    private(set) var libraryFolders: [String]

    private let path: String
    private let sections: [String: [String: String]]

    /// The project in `folder`.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `invalidProject`.
    init(folder: String) throws(FirmwareBuildError) {
        path = folder + "/platformio.ini"
        let ini = try IniFile(path: path)
        sections = ini.sections
        let names = ini.order.filter { $0.hasPrefix("env:") }
        let wanted = sections["platformio"]?["default_envs"].map(Self.list)?.first.map { "env:" + $0 }
        if let wanted, sections[wanted] == nil {
            throw FirmwareBuildError(
                .invalidProject,
                "\(path): default_envs names '\(wanted.dropFirst(4))', expected one of: \(names.map { String($0.dropFirst(4)) }.joined(separator: ", "))"
            )
        }
        let sections = sections
        let environment =
            wanted ?? names.first {
                (sections[$0]?["framework"] ?? sections["env"]?["framework"])?.contains("arduino") == true
            }
            ?? names.first
        libraryFolders = [folder + "/lib"]
        if let environment { libraryFolders.append("\(folder)/.pio/libdeps/\(environment.dropFirst(4))") }
        let own = environment.flatMap { sections[$0]?["build_flags"] } ?? sections["env"]?["build_flags"] ?? ""
        take(Self.words(expanded(own, environment ?? "env", depth: 0)), folder)
    }

    /// Replaces `${section.option}`.
    private func expanded(_ text: String, _ environment: String, depth: Int) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            result += rest[..<start.lowerBound]
            let name = rest[start.upperBound..<end]
            if let dot = name.lastIndex(of: "."), depth < 8 {
                let section = name[..<dot] == "this" ? environment : String(name[..<dot])
                let value = sections[section]?[String(name[name.index(after: dot)...])] ?? ""
                result += expanded(value, environment, depth: depth + 1)
            }
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private mutating func take(_ words: [String], _ folder: String) {
        var ignored: [String] = []
        var index = 0
        while index < words.count {
            let word = words[index]
            index += 1
            guard let kind = ["-D", "-U", "-I"].first(where: word.hasPrefix) else {
                ignored.append(word)
                continue
            }
            var value = String(word.dropFirst(2))
            if value.isEmpty {
                guard index < words.count else { break }
                value = words[index]
                index += 1
            }
            flags.append(kind + (kind == "-I" && !value.hasPrefix("/") ? "\(folder)/\(value)" : value))
        }
        if !ignored.isEmpty {
            remarks.append("\(path): build_flags \(ignored.joined(separator: " ")) are not used on the virtual board")
        }
    }

    private static func list(_ text: String) -> [String] {
        text.split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    /// Splits flags as a shell does: quotes group, a backslash keeps the next character.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in text {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character.isWhitespace {
                if let finished = word { words.append(finished) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap { $0 }
    }
}

/// A file of sections with `option = value` lines, as Python's `configparser` reads it: an indented line continues the
/// value above it.
struct IniFile {
    private(set) var sections: [String: [String: String]] = [:]
    /// The names of the sections, in the file's order.
    private(set) var order: [String] = []

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
                option = name
            } else {
                throw FirmwareBuildError(
                    .invalidProject,
                    "\(path):\(number + 1): expected [section] or option = value, got '\(content.prefix(60))'")
            }
        }
    }

    private static func withoutComment(_ line: String) -> String {
        let trimmed = line.trimmed
        if trimmed.hasPrefix(";") || trimmed.hasPrefix("#") { return "" }
        // Behind white space a semicolon begins a comment.
        guard let range = trimmed.firstRange(of: " ;") else { return trimmed }
        return String(trimmed[..<range.lowerBound]).trimmed
    }
}
