import BenchProject
import BenchSuites
import BoardParts
import CommandSupport
import SourceText

/// Finds the parts of the boards of a command, one board after the other.
struct SketchParts {
    private let project: Project
    private let output: Output
    private var files: ArraySlice<String>
    /// The number of boards so far, by the folder of their sketch.
    private var counts: [String: Int] = [:]

    /// - Parameter files: those that the user has given, in the order of the boards.
    init(_ files: [String], _ project: Project, _ output: Output) {
        self.files = files[...]
        self.project = project
        self.output = output
    }

    /// The parts of the next board, whose sketch is `sketch`.
    ///
    /// - Throws: ``CommandFailure`` with the file's faults.
    mutating func next(_ sketch: ProjectSketch) throws(CommandFailure) -> [WiredPart] {
        let number = counts[sketch.folder, default: 0]
        counts[sketch.folder] = number + 1
        guard let file = files.popFirst() else { return try usual(sketch) }
        if file == PartsOption.none { return [] }
        let found = try Self.read(file)
        for note in found.notes { output.note("note: \(note)") }
        guard found.boards.count > 1 else { return found.parts.map(\.part) }
        let boards = try boards(of: found, file, with: sketch)
        guard !boards.isEmpty else {
            throw CommandFailure(
                .badInput,
                "\(file): expected a board with the sketch \(sketch.name), got only \(found.boards.map(\.sketch).list)",
                code: "part.invalid")
        }
        // Of several boards with one sketch, the first is the first one's.
        return found.parts(of: boards[min(number, boards.count - 1)])
    }

    private static func read(_ file: String) throws(CommandFailure) -> PartsFile {
        guard let text = String(validating: try InputFile.read(file), as: UTF8.self) else {
            throw CommandFailure(.badInput, "\(file): expected a text in UTF-8", code: "part.invalid")
        }
        do throws(SuiteError) {
            return try PartsFile(yaml: text, file: file, source: DescriptionFile.source(beside: file))
        } catch {
            throw CommandFailure(.badInput, "\(error)", code: "part.invalid")
        }
    }

    /// The boards of a file that have a sketch.
    private func boards(
        of parts: PartsFile, _ file: String, with sketch: ProjectSketch
    ) throws(CommandFailure) -> [Int] {
        var found: [Int] = []
        let references = parts.boards.isEmpty ? [parts.sketch] : parts.boards.map(\.reference)
        for (index, reference) in references.enumerated() {
            do throws(ProjectError) {
                let other = try project.finder.sketch(reference, ofSuite: file)
                if other.sketch == sketch.found { found.append(index) }
            } catch {
                throw CommandFailure(error, .badInput)
            }
        }
        return found
    }

    // MARK: Without a file

    /// The parts of the sketch's suites, if all suites that have parts have the same.
    private func usual(_ sketch: ProjectSketch) throws(CommandFailure) -> [WiredPart] {
        var found: [(file: String, parts: [WiredPart])] = []
        do throws(CommandFailure) {
            for file in try project.suiteFiles(of: sketch) {
                let suite = try Self.read(file)
                guard let board = try boards(of: suite, file, with: sketch).first else { continue }
                let parts = suite.parts(of: board)
                if !parts.isEmpty { found.append((file, parts)) }
            }
        } catch {
            output.note("\(sketch.name) has no parts, since a suite of it cannot be read: \(error.message)")
            return []
        }
        guard let first = found.first else { return [] }
        let names = first.parts.map(\.name).list
        guard found.allSatisfy({ Set($0.parts.map(Wiring.init)) == Set(first.parts.map(Wiring.init)) }) else {
            output.note(
                "\(sketch.name) has no parts, since its suites wire different ones; --parts chooses: "
                    + found.map(\.file).list)
            return []
        }
        output.remark("wired \(names) to \(sketch.name) as \(first.file) does")
        return first.parts
    }

    /// A part, as far as two suites agree on it.
    private struct Wiring: Hashable {
        let name: String
        let kind: String
        let wiring: PartWiring

        init(_ part: WiredPart) {
            name = part.name
            kind = part.kind.name
            wiring = part.wiring
        }
    }
}

extension PartsFile {
    /// The parts of a board.
    fileprivate func parts(of board: Int) -> [WiredPart] { parts.filter { $0.board.index == board }.map(\.part) }
}
