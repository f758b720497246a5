/// The messages of a linker (GNU ld or lld) as messages about the sketch.
package struct LinkerMessages {
    /// A name that is used and not defined, or defined twice.
    private struct Fault: Hashable {
        var place: String
        var text: String
    }

    private var faults: [Fault] = []
    private var undefined: [String] = []
    private let output: String

    /// Parses the linker's output.
    package init(_ output: String) {
        let lines = output.split(whereSeparator: \.isNewline).filter { !$0.contains(StaticData.removal) }
        self.output = lines.map { $0 + "\n" }.joined()
        var places: [String: String] = [:]
        for line in lines.map({ Self.withoutProgram(String($0)) }) {
            if let (place, name) = Self.parts(line, ": undefined reference to ") {
                // One place per name: the first.
                guard places.updateValue(place, forKey: name) == nil else { continue }
                undefined.append(name)
                faults.append(Fault(place: place, text: Self.text(undefined: name)))
            } else if let (place, rest) = Self.parts(line, ": multiple definition of ") {
                let parts = rest.split(separator: ";", maxSplits: 1).map { String($0).trimmed }
                let first = (parts.dropFirst().first ?? "").replacing(": first defined here", with: "")
                faults.append(
                    Fault(
                        place: place,
                        text: "\(Self.unquoted(parts[0])) is defined twice; first at \(Self.withoutObject(first))"))
            }
        }
    }

    /// The messages, one per line; the linker's own text when no message is understood.
    package var text: String {
        faults.isEmpty ? output : faults.map { "\($0.place): error: \($0.text)\n" }.joined()
    }

    /// The error for `sketch`, which is linked with the library `nimble`, unless that is `nil`.
    func error(_ sketch: Sketch, _ nimble: NimBLELibrary?) -> FirmwareBuildError {
        if let nimble, let error = error(nimble) { return error }
        let count = faults.count == 1 ? "1 error" : "\(faults.count) errors"
        let missing = ["setup()", "loop()"].filter(undefined.contains)
        if !missing.isEmpty, missing.count == faults.count {
            let names = missing.joined(separator: " and ")
            return FirmwareBuildError(
                .compilationFailed, "\(sketch.name) does not link: it has no \(names)",
                compilerOutput:
                    "\(sketch.inoFiles.first ?? sketch.folder): error: expected void setup() and void loop() in the sketch\n"
            )
        }
        let inC = undefined.compactMap { name in Self.definition(of: name, inCFilesOf: sketch) }
        let remedy =
            inC.first.map { "\($0) is C: declare what C++ uses of it in extern \"C\" { … }\n" }
            ?? (undefined.isEmpty
                ? "" : "Define what is missing, or add the file that does to the sketch's folder or its src folder.\n")
        return FirmwareBuildError(
            .compilationFailed, "\(sketch.name) does not link: \(count)", compilerOutput: text + remedy)
    }

    /// The error when the library's own files use a missing definition: the library never needs a definition of the
    /// sketch.
    private func error(_ nimble: NimBLELibrary) -> FirmwareBuildError? {
        guard let first = undefined.first, faults.contains(where: { $0.place.hasPrefix(nimble.library.folder + "/") })
        else { return nil }
        let others = undefined.count > 1 ? " and \(undefined.count - 1) more" : ""
        return FirmwareBuildError(
            .nimbleUnusable,
            "the NimBLE-Arduino in \(nimble.library.folder) does not link: neither it nor the host core has "
                + "\(first)\(others)", compilerOutput: text)
    }

    private static func text(undefined name: String) -> String {
        for (prefix, kind) in [("vtable for ", "virtual function"), ("typeinfo for ", "virtual function")]
        where name.hasPrefix(prefix) {
            return "class \(name.dropFirst(prefix.count)) declares a \(kind) that is not defined"
        }
        return "\(name) is declared and used but not defined"
    }

    /// The `.c` file of the sketch that mentions the function `name`.
    private static func definition(of name: String, inCFilesOf sketch: Sketch) -> String? {
        let function = name.prefix { $0 != "(" }
        return sketch.sourceFiles.first { path in
            path.hasSuffix(".c") && (try? FileTree.text(of: path))?.contains("\(function)(") == true
        }
    }

    /// `PLACE` and `NAME` of `PLACE: undefined reference to `NAME'`.
    private static func parts(_ line: String, _ separator: String) -> (String, String)? {
        guard let range = line.firstRange(of: separator) else { return nil }
        let name = String(line[range.upperBound...])
        return (withoutObject(String(line[..<range.lowerBound])), name.contains(";") ? name : unquoted(name))
    }

    /// `FILE:LINE` of `OBJECT.o:FILE:LINE`, and of `OBJECT.o:FILE:LINE: more`.
    private static func withoutObject(_ place: String) -> String {
        guard let range = place.firstRange(of: ".o:") else { return place }
        return String(place[range.upperBound...])
    }

    private static func unquoted(_ name: String) -> String {
        name.trimmed.trimmingQuotes
    }

    /// The line without `/usr/bin/ld: ` in front.
    private static func withoutProgram(_ line: String) -> String {
        guard let range = line.firstRange(of: ": "), line[..<range.lowerBound].hasSuffix("ld") else { return line }
        return String(line[range.upperBound...])
    }
}

extension String {
    /// The text without a quotation mark at either end.
    var trimmingQuotes: String {
        var text = self[...]
        while let first = text.first, "`'‘’\"".contains(first) { text.removeFirst() }
        while let last = text.last, "`'‘’\"".contains(last) { text.removeLast() }
        return String(text)
    }
}
