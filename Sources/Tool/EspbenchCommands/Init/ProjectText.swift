/// The text of a new espbench.yaml.
package enum ProjectText {
    /// A project with sketches in these folders, and with these folders of libraries, all relative to the file.
    package static func text(sketches: [String], libraries: [String]) -> String {
        var lines = [
            "# Where espbench finds sketches, suites and libraries: 'espbench help project'. Paths are relative to this file.",
            "sketches:                     # folders of sketches, or folders with sketches at any depth",
        ]
        lines += sketches.map { "  - \(YAMLText.scalar(folder($0)))" }
        if libraries.isEmpty {
            lines.append("# libraries: [libraries]    # folders that hold Arduino libraries")
        } else {
            lines += ["libraries:"] + libraries.map { "  - \(YAMLText.scalar(literal($0)))" }
        }
        lines += [
            "# suites: [tests]             # in addition to those beside the sketches, in their Suites folders",
            "# benches:",
            "#   default: {kind: virtual, seed: 0}",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// A folder in which sketches are looked for: with a pattern, only what matches it is taken for a sketch.
    private static func folder(_ path: String) -> String {
        let pattern = literal(path)
        return pattern == path ? path : pattern + "/**"
    }

    /// The pattern that matches only this path.
    private static func literal(_ path: String) -> String {
        path.map { "*?[".contains($0) ? "[\($0)]" : "\($0)" }.joined()
    }
}
