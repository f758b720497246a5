/// The errors of compiling a sketch and its libraries, as one error.
struct BuildFailures {
    private let outcomes: [SketchCompiler.Outcome]
    private let sketch: Sketch
    private let index: LibraryIndex
    private let names: RefusedNames

    init(
        _ outcomes: [SketchCompiler.Outcome], _ sketch: Sketch, _ index: LibraryIndex, _ names: RefusedNames
    ) {
        self.names = names
        self.outcomes = outcomes
        self.sketch = sketch
        self.index = index
    }

    /// `nil` when every file was compiled.
    var error: FirmwareBuildError? {
        let failed = outcomes.filter { $0.object == nil }
        guard !failed.isEmpty else { return nil }
        return missingHeaders(failed) ?? refusedHeaders(failed) ?? refusedFiles(failed)
    }

    /// The error of headers that the host core refuses; other errors are their consequences.
    private func refusedHeaders(_ failed: [SketchCompiler.Outcome]) -> FirmwareBuildError? {
        let refused = failed.filter(\.isRefused)
        guard !refused.isEmpty else { return nil }
        let messages = CompilerMessages(refused.map(\.messages), sketch: sketch.folder)
        var includers: [(name: String, headers: [String])] = []
        for (header, file) in messages.refusedHeaders {
            let name = self.name(ofFile: file)
            if let index = includers.firstIndex(where: { $0.name == name }) {
                includers[index].headers.append(header)
            } else {
                includers.append((name, [header]))
            }
        }
        let includes = includers.map { "\($0.name) includes \($0.headers.joined(separator: ", "))" }
        let count = messages.refusedHeaders.count
        let detail =
            includes.isEmpty
            ? "\(sketch.name) does not compile: a header is refused"
            : includes.joined(separator: "; ")
                + ", which \(count == 1 ? "is" : "are") not in espbench's host core"
        let libraries = Set(messages.refusedHeaders.compactMap { library(withFile: $0.includer)?.folder }).sorted()
        let remedies = libraries.map { remedy(inLibrary: $0) }.joined()
        let missing = refused.compactMap { outcome in outcome.missing.map { explanation($0, outcome.unit) } }.joined()
        return FirmwareBuildError(.compilationFailed, detail, compilerOutput: messages.text + missing + remedies)
    }

    private func remedy(inLibrary folder: String) -> String {
        "In code for the chip's hardware, \(folder) can leave it out with #ifndef ESPBENCH_HOST; a stand-in "
            + "for the library in the project's libraries folder takes precedence.\n"
    }

    /// The library with a file; `nil` for one of the sketch or the host core.
    private func library(withFile path: String) -> Library? {
        outcomes.lazy.flatMap { outcome -> [Library] in
            let needed = outcome.unit.libraries.map(\.library)
            if case .library(let library) = outcome.unit.owner { return needed + [library] }
            return needed
        }.first { path.hasPrefix($0.folder + "/") }
    }

    /// A source file in failures: its path in the sketch, or its library.
    private func name(ofFile path: String) -> String {
        if path.hasPrefix(sketch.folder + "/") { return String(path.dropFirst(sketch.folder.count + 1)) }
        return library(withFile: path).map { "library \($0.title) (\(path.fileName))" } ?? path.fileName
    }

    private func refusedFiles(_ failed: [SketchCompiler.Outcome]) -> FirmwareBuildError {
        // Errors of the sketch come first, since they may cause the errors of libraries.
        let own = failed.filter { $0.unit.owner == .sketch }
        let shown = own.isEmpty ? failed : own
        let messages = CompilerMessages(shown.map(\.messages), sketch: sketch.folder, names: names)
        let count = messages.errorCount == 1 ? "1 error" : "\(messages.errorCount) errors"
        guard case .library(let library) = shown[0].unit.owner else {
            return FirmwareBuildError(
                .compilationFailed, "\(sketch.name) does not compile: \(count)",
                compilerOutput: messages.text + LateTypes(sketch).remarks(on: messages.undeclaredNames))
        }
        var detail = "library \(library.title) does not compile for the virtual board: \(count)"
        if let user = outcomes.first(where: { $0.unit.libraries.contains { $0.library == library } }),
            let header = user.unit.libraries.first(where: { $0.library == library })?.header
        {
            detail += "; \(name(user.unit)) includes its \(header)"
        }
        if library.isPrecompiled { detail += "; its code is in archives for the chip" }
        return FirmwareBuildError(
            .compilationFailed, detail, compilerOutput: messages.text + remedy(inLibrary: library.folder))
    }

    private func name(_ unit: CompileUnit) -> String {
        switch unit.owner {
        case .sketch: unit.source.hasSuffix(".ino.cpp") ? sketch.name + ".ino" : unit.source.fileName
        case .library(let library): "library \(library.title)"
        case .hostCore: "the host core"
        }
    }

    // MARK: Missing headers

    private func missingHeaders(_ failed: [SketchCompiler.Outcome]) -> FirmwareBuildError? {
        var seen: Set<String> = []
        let missing = failed.filter { !$0.isRefused }.compactMap { outcome in
            outcome.missing.flatMap { seen.insert($0.header).inserted ? ($0, outcome.unit) : nil }
        }
        guard let first = missing.first else { return nil }
        let headers = missing.map { $0.0.header }.joined(separator: ", ")
        let text = missing.map { explanation($0.0, $0.1) }.joined()
        let who = library(with: first.0, first.1).map { "library \($0.title)" } ?? name(ofFile: first.0.file)
        let verb = missing.count == 1 ? "is" : "are"
        let isOfCore = missing.allSatisfy { names.reason(forHeader: $0.0.header) != nil }
        return FirmwareBuildError(
            isOfCore ? .compilationFailed : .libraryNotFound,
            "\(who) includes \(headers), which \(verb) \(isOfCore ? "not in espbench's host core" : "not there")",
            compilerOutput: text)
    }

    /// The library whose file includes the missing header; `nil` if a file of the sketch does.
    private func library(with missing: MissingHeader, _ unit: CompileUnit) -> Library? {
        if case .library(let library) = unit.owner { return library }
        return unit.libraries.first { missing.file.hasPrefix($0.library.folder + "/") }?.library
    }

    private func explanation(_ missing: MissingHeader, _ unit: CompileUnit) -> String {
        var lines = missing.context
        if let reason = names.reason(forHeader: missing.header) {
            lines.append("\(missing.place): error: \(missing.header)\(CompilerMessages.refusal): \(reason)")
            return lines.map { $0 + "\n" }.joined()
        }
        lines.append(
            "\(missing.place): error: \(missing.header) is not in espbench's host core, the sketch or a library")
        if let library = library(with: missing, unit) {
            let depends = library.dependencies.filter { name in !index.libraries.contains { $0.name == name } }
            let needs =
                depends.isEmpty
                ? "" : "; of the libraries that it depends on these are missing: \(depends.joined(separator: ", "))"
            lines.append("  library \(library.title) in \(library.folder) needs it\(needs)")
        }
        if FileTree.isFolder("\(missing.file.folderPath)/\(missing.header)") {
            lines.append("  \(missing.header) is a folder: include a file in it")
        } else if let near = nearFile(missing.header) {
            lines.append("  there is \(near): include it by its path from the including file, or move it into src/")
        } else if let other = index.similarHeader(missing.header) {
            lines.append("  did you mean \(other)?")
        }
        lines.append("  searched: \(searched)")
        lines += index.faults.map { "  " + $0 }
        lines.append("  " + remedy(missing, unit))
        return lines.map { $0 + "\n" }.joined()
    }

    private var searched: String {
        let folders = index.searched.map { FileTree.isFolder($0) ? $0 : "\($0) (does not exist)" }
        return folders.isEmpty ? "no folder of libraries is set" : folders.joined(separator: ", ")
    }

    /// A file of that name in a folder of the sketch that is not searched.
    private func nearFile(_ header: String) -> String? {
        let name = header.fileName
        // Tests have mocks of the chip's headers, and examples and dependencies files of other programs.
        let others: Set<String> = ["test", "tests", "examples"]
        return (try? FileTree.filesBelow(sketch.folder))?.first { path in
            let folders = path.dropFirst(sketch.folder.count).split(separator: "/").dropLast()
            return path.fileName == name && !folders.contains { $0.hasPrefix(".") || others.contains(String($0)) }
        }
    }

    private func remedy(_ missing: MissingHeader, _ unit: CompileUnit) -> String {
        if sketch.layout == .platformIO {
            return
                "put the library into \(sketch.folder)/lib, or name it in lib_deps of platformio.ini and run: pio pkg install"
        }
        var install =
            "arduino-cli lib install NAME (arduino-cli lib search provides:\(missing.header.fileName) shows the name)"
        if let library = library(with: missing, unit) {
            let depends = library.dependencies.filter { name in !index.libraries.contains { $0.name == name } }
            if let first = depends.first { install = "arduino-cli lib install \"\(first)\"" }
        }
        let folder = index.searched.first.map { "put the library into \($0)" }
        return [folder, "install it: " + install].compactMap { $0 }.joined(separator: ", or ")
    }
}

extension LibraryIndex {
    /// A header that differs from `header` by case, dashes and underscores only.
    func similarHeader(_ header: String) -> String? {
        func key(_ name: String) -> String { name.lowercased().filter { $0 != "_" && $0 != "-" } }
        return libraries.lazy.flatMap { $0.headers.sorted() }.first { key($0) == key(header) && $0 != header }
    }
}

/// The types that a sketch declares below its first function. The prototypes of all functions precede that function, so
/// a function with such a parameter does not compile, here and with arduino-cli.
struct LateTypes {
    private var types: [String: (file: String, line: Int)] = [:]
    private var firstFunction: (file: String, line: Int)?

    init(_ sketch: Sketch) {
        var tabs: [SketchPreprocessor.Tab] = []
        for path in sketch.inoFiles {
            guard let bytes = try? FileTree.contents(of: path) else { continue }
            tabs.append(SketchPreprocessor.Tab(path: path, bytes: bytes))
        }
        let scan = FunctionScanner(SketchPreprocessor(tabs).merged, files: Set(sketch.inoFiles))
        guard let main = sketch.inoFiles.first, let first = scan.definitions.first(where: { $0.file == main }) else {
            return
        }
        firstFunction = (first.file, first.line)
        for type in scan.types where type.file != main || type.line >= first.line {
            types[type.name] = (type.file, type.line)
        }
    }

    /// A remark on each of `names` that is such a type.
    func remarks(on names: Set<String>) -> String {
        guard let firstFunction else { return "" }
        return names.sorted().compactMap { name in
            types[name].map { type in
                "\(type.file):\(type.line): note: \(name) is declared here, below the first function (line "
                    + "\(firstFunction.line) of \(firstFunction.file.fileName)), where the prototypes of all functions are "
                    + "inserted, as arduino-cli does: declare it above that function, or in a header\n"
            }
        }.joined()
    }
}

/// A header that the compiler did not find.
struct MissingHeader: Hashable, Sendable {
    /// As written between the brackets or quotes.
    var header: String
    /// The file with the `#include`, with line and column: `FILE:3:10`.
    var place: String
    /// The compiler's lines that describe how that file is included.
    var context: [String]

    /// Reads the messages of g++ or clang++; `nil` when they report another error.
    init?(_ output: String) {
        var context: [String] = []
        for line in output.split(whereSeparator: \.isNewline).map(String.init) {
            if line.hasPrefix("In file included from ") || line.hasPrefix("                 from ") {
                if line.hasPrefix("In") { context = [] }
                context.append(line)
            }
            guard let range = line.firstRange(of: ": fatal error: ") else { continue }
            let message = line[range.upperBound...]
            place = String(line[..<range.lowerBound])
            self.context = context
            if let end = message.firstRange(of: ": No such file or directory") {
                header = String(message[..<end.lowerBound])
                return
            }
            if message.hasPrefix("'"), message.hasSuffix("' file not found") {
                header = String(message.dropFirst().dropLast("' file not found".count))
                return
            }
            return nil
        }
        return nil
    }

    /// The path of the file with the `#include`.
    var file: String {
        place.split(separator: ":", omittingEmptySubsequences: false).dropLast(2).joined(separator: ":")
    }
}
