/// The text of a new espbench.yaml.
package enum ProjectText {
    /// A project with sketches in these folders, and with these folders of libraries, all relative to the file.
    package static func text(sketches: [String], libraries: [String]) -> String {
        var lines = [
            "# Where espbench finds sketches, suites and libraries: 'espbench help project'. Paths are relative to this file.",
            "sketches:                     # folders of sketches, or folders with sketches at any depth",
        ]
        lines += sketches.map { "  - \(YAMLText.scalar($0))" }
        if libraries.isEmpty {
            lines.append("# libraries: [libraries]    # folders that hold Arduino libraries")
        } else {
            lines += ["libraries:"] + libraries.map { "  - \(YAMLText.scalar($0))" }
        }
        lines += [
            "# suites: [tests]             # in addition to those beside the sketches, in their Suites folders",
            "# benches:",
            "#   default: {kind: virtual, seed: 0}",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
