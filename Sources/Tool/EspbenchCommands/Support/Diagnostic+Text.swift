import BenchModel
internal import BenchReports

extension RunOutcome.Diagnostic {
    /// The places in suites and sources that `text` names, each once: lines such as `Lamp.ino:5:3: error: …`,
    /// `espbench.yaml:2: …`, or, from a linker, `ld: Lamp.ino:5: undefined reference to …`. Warnings and notes of a compiler
    /// are left out.
    static func found(in text: String) -> [Self] {
        var seen: Set<Self> = []
        return text.split(whereSeparator: \.isNewline).compactMap(place).filter { seen.insert($0).inserted }
    }

    private static func place(_ line: Substring) -> Self? {
        let form =
            #/
            (?:\S*ld:\ )? (?<file>\S.*?\.(?:ya?ml|ino|h|hpp|hh|c|cc|cpp|cxx)) : (?<line>\d+) : (?:(?<column>\d+):)?
            \ (?:(?:fatal\ )?error:\ )? (?<text>.+)
            /#
        guard let match = line.wholeMatch(of: form), let line = Int(match.line), line > 0,
            !["warning: ", "note: "].contains(where: match.text.hasPrefix)
        else { return nil }
        let column = match.column.flatMap { Int($0) } ?? 1
        return Self(
            file: String(match.file), position: SourcePosition(line: line, column: column),
            message: String(match.text))
    }
}
