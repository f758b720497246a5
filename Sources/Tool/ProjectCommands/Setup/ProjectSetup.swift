import Bench
internal import BenchExecutor
import BenchModel
import BenchProject
import BenchRuns
import BenchSuites
import CommandSupport
import ESPImage
import FirmwareBuild

/// Sets up a project: its espbench.yaml, and a first suite for each sketch without suites.
struct ProjectSetup {
    /// The folder that the user named.
    let folder: String?
    /// True when files are printed as objects.
    let isJSON: Bool
    let output: Output
    let environment: Environment

    /// Writes the missing files; reports written files, kept files, and the next step.
    func run() throws -> ExitReason {
        let project = try Project(settingUp: folder, environment)
        let finder = project.finder
        let root = try finder.current()
        let sketches = try finder.sketches(of: root)
        guard !sketches.isEmpty else {
            throw CommandFailure(
                .nothingRan,
                "no sketch in \(root.root) or below it: expected folders with an .ino of their name, or with platformio.ini",
                code: "project.noSketch")
        }
        if let file = root.file {
            try show([Record(event: "kept", file: file.file)], "left alone: \(file.file)")
            for sketch in try finder.unnamedSketches(of: root) {
                output.note("\(finder.shown(sketch.folder)) is not among the sketches of \(file.file): add it there")
            }
        } else {
            try writeProject(root, sketches, finder)
        }
        var status = ExitReason.passed
        var hasSuites = false
        for sketch in sketches {
            let suites = try finder.suites(beside: sketch)
            guard suites.isEmpty else {
                let shown = suites.map(finder.shown)
                try show(
                    shown.map { Record(event: "kept", file: $0, sketches: [sketch.name]) },
                    "left alone: \(shown.joined(separator: ", "))")
                hasSuites = true
                continue
            }
            do {
                try writeSuite(sketch, project)
                hasSuites = true
            } catch {
                let failure = CommandFailure(error, .benchFault)
                // Without disk space or permission, the other sketches would fail, too.
                if failure.status == .benchFault { throw failure }
                output.note("no suite for \(sketch.name): \(failure.message)")
                if let hint = Hints.text(for: failure.code) { output.note("hint: \(hint)") }
                if status == .passed { status = failure.status }
            }
        }
        if status != .passed { output.note("when that is fixed, 'espbench init' writes the missing suites") }
        if hasSuites, !isJSON {
            let working = environment.workingFolder ?? "/"
            let isInside = working == root.root || working.hasPrefix(root.root + "/")
            output.data("next\(isInside ? "" : ", in \(finder.shown(root.root))"): espbench test\n")
        }
        return status
    }

    /// A file, as `init --json` prints it.
    private struct Record: Encodable {
        /// `wrote` or `kept`.
        var event: String
        var file: String
        var sketches: [String]?
        /// For a written suite: the number of its cases, and of failed cases.
        var cases: Int?
        var failed: Int?
    }

    private func show(_ records: [Record], _ text: String) throws {
        let lines = isJSON ? try records.map { try JSONLine.text($0) } : [text]
        for line in lines { output.data(line + "\n") }
    }

    private func writeProject(_ root: ProjectFolder, _ sketches: [FoundSketch], _ finder: ProjectFinder) throws {
        func relative(_ path: String) -> String {
            path == root.root
                ? "." : path.hasPrefix(root.root + "/") ? String(path.dropFirst(root.root.count + 1)) : path
        }
        let text = ProjectText.text(
            sketches: Self.folders(of: sketches.map { relative($0.folder) }),
            libraries: try root.libraryFolders(SystemFiles()).filter { SystemFiles().kind(of: $0) == .folder }
                .map(relative))
        let path = root.root + "/" + ProjectFile.names[0]
        try NewFile.write(text, to: path, shown: finder.shown(path))
        let (shown, names) = (finder.shown(path), sketches.map(\.name))
        try show(
            [Record(event: "wrote", file: shown, sketches: names)], "wrote \(shown): \(names.joined(separator: ", "))")
    }

    /// The folders of the project in which sketches are searched, so that sketches added later are found, too.
    private static func folders(of sketches: [String]) -> [String] {
        let folders = Set(sketches.map { $0.contains("/") ? String($0.prefix { $0 != "/" }) : "." })
        return folders.contains(".") ? ["."] : folders.sorted()
    }

    /// Builds a sketch, runs it, and writes a suite from the observed behaviour.
    private func writeSuite(_ sketch: FoundSketch, _ project: Project) throws {
        let executor = BenchExecutor(pace: .real)
        let (output, located) = (output, try project.sketch(sketch.folder))
        let layout = try executor.run { try await project.build(located, output).layout }
        let kind = try Benches.kind("virtual", environment)
        let profile: SketchProfile
        do {
            let other = try Benches.kind("virtual", environment, macAddress: SketchProbe.otherAddress)
            profile = try SketchProbe(kind: kind, otherKind: other, layout: layout, sketch: sketch.name).profile()
        } catch let failure as BenchFailure {
            switch failure.cause {
            case .panic, .watchdog, .hang, .sanitizer:
                throw CommandFailure(.panic, "it crashed on the virtual bench: \(failure.got)")
            case .benchFault: throw CommandFailure(.benchFault, failure.description)
            default: throw CommandFailure(.testsFailed, failure.description)
            }
        }
        let path = "\(sketch.folder)/Suites/\(sketch.name.lowercased()).yaml"
        let shown = project.finder.shown(path)
        let text = FirstSuite(profile).text
        let suite = try Suite(yaml: text, file: shown)
        let failed = try failureCount(of: suite, on: kind, layout, of: sketch.folder)
        try NewFile.write(text, to: path, shown: shown)
        let count = "\(suite.cases.count) case\(suite.cases.count == 1 ? "" : "s")"
        try show(
            [
                Record(
                    event: "wrote", file: shown, sketches: [sketch.name], cases: suite.cases.count, failed: failed)
            ], "wrote \(shown): \(count), \(failed == 0 ? "all pass" : "\(failed) of them fail")")
        if !profile.advertises {
            output.note("\(sketch.name) did not advertise within 10 s: its suite has no Bluetooth steps")
        } else if profile.advertised.isEmpty, profile.localName == nil {
            output.note(
                "\(sketch.name) advertises no service and no name that all its boards have: its suite has no Bluetooth steps"
            )
        } else if profile.services == nil {
            output.note("\(sketch.name) accepted no connection: its suite does not connect")
        }
    }

    /// The number of cases of a suite that fail.
    private func failureCount(of suite: Suite, on kind: BenchKind, _ layout: FlashLayout, of folder: String) throws
        -> Int
    {
        let options = RunOptions(run: RunInformation(seed: 0, bench: kind.name))
        let benches = try SuiteBenches(kind, jobs: 1, output, Interruption())
        let result = try benches.runSuite(suite, [BoardImage(layout: layout)], of: [folder], EventRecorder(), options)
        return result.cases.count { !$0.failures.isEmpty }
    }
}

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

    /// A folder in which sketches are searched. A pattern selects only the matching folders themselves, so `/**` is
    /// appended to a pattern.
    private static func folder(_ path: String) -> String {
        let pattern = literal(path)
        return pattern == path ? path : pattern + "/**"
    }

    /// The pattern that matches only this path.
    private static func literal(_ path: String) -> String {
        path.map { "*?[".contains($0) ? "[\($0)]" : "\($0)" }.joined()
    }
}
