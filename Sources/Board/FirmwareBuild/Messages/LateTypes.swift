/// The types that a sketch declares below its first function, where the prototypes of all functions stand: a function
/// that has one as parameter does not compile, here and with arduino-cli.
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
