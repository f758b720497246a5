/// A file of sections with `option = value` lines, as Python's `configparser` reads it: an indented line continues the
/// value above it.
struct IniFile {
    private(set) var sections: [String: [String: String]] = [:]
    /// The names of the sections, in the file's order.
    private(set) var order: [String] = []
    /// The line of each option, from 1.
    private(set) var lines: [String: [String: Int]] = [:]

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
                    .invalidProject,
                    "\(path):\(number + 1): expected [section] or option = value, got '\(content.prefix(60))'")
            }
        }
    }

    /// The value of an option, with its line: of the section, of those that it `extends`, or for an environment of
    /// `[env]`, in PlatformIO's order.
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

    private static func withoutComment(_ line: String) -> String {
        let trimmed = line.trimmed
        if trimmed.hasPrefix(";") || trimmed.hasPrefix("#") { return "" }
        // Behind white space a semicolon or a number sign begins a comment.
        let starts = [" ;", " #"].compactMap { trimmed.firstRange(of: $0)?.lowerBound }
        guard let start = starts.min() else { return trimmed }
        return String(trimmed[..<start]).trimmed
    }
}
