/// Reports of AddressSanitizer and UndefinedBehaviorSanitizer.
enum SanitizerReport {
    /// The line of `report` that says what was found: `ERROR: AddressSanitizer: heap-buffer-overflow on address …`,
    /// `Lamp.ino:12:7: runtime error: …`.
    static func firstLine(of report: String) -> String {
        let line = report.split(whereSeparator: \.isNewline).first { $0.contains { $0 != "=" && $0 != " " } } ?? ""
        return String(withoutProcess(line))
    }

    /// `report` without the numbers of the process, which differ from run to run.
    static func withoutProcesses(_ report: String) -> String {
        report.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { withoutProcess($0) }
            .joined(separator: "\n")
    }

    /// `line` without `==4711==` at its beginning.
    private static func withoutProcess(_ line: Substring) -> Substring {
        guard line.hasPrefix("=="), let end = line.dropFirst(2).firstIndex(of: "="), line[end...].hasPrefix("=="),
            end > line.index(line.startIndex, offsetBy: 2), line[..<end].dropFirst(2).allSatisfy(\.isNumber)
        else { return line }
        return line[end...].dropFirst(2)
    }
}
