import BenchModel

extension RunComparison {
    /// Where a run is from, for texts.
    public struct Source: Sendable {
        /// The file, as it was named.
        public var file: String
        /// Its content.
        public var report: RunReport

        /// The run in `file`.
        public init(file: String, report: RunReport) {
            self.file = file
            self.report = report
        }

        fileprivate var text: String {
            let hardware = report.run.hardware.map { ", board \($0.board), central \($0.central)" } ?? ""
            let ended =
                report.outcome == "passed" || report.outcome == "testsFailed" ? "" : ", ended: \(report.outcome)"
            return "\(file)  bench \(report.run.bench)\(hardware), seed \(report.seed)\(ended)"
        }
    }

    /// The comparison as people read it; with `showsSame` each case has a line, else only those that are not the same.
    public func text(_ a: Source, _ b: Source, showsSame: Bool, _ style: TerminalStyle) -> String {
        var text = Paragraph("A  \(a.text)", .faint).text(indent: 0, hanging: 3, style)
        text += Paragraph("B  \(b.text)", .faint).text(indent: 0, hanging: 3, style)
        var suite: String?
        for entry in cases where showsSame || entry.result != .same {
            if suite != entry.suite {
                text += Paragraph(entry.suite, .strong).text(indent: 0, hanging: 2, style)
                suite = entry.suite
            }
            text += line(entry).text(indent: 2, hanging: 4, style)
        }
        return text + "\n" + summary.text(indent: 0, hanging: 2, style)
    }

    private func line(_ entry: Case) -> Paragraph {
        var paragraph: Paragraph
        switch entry.result {
        case .same:
            paragraph = Paragraph("=", .good)
            paragraph.add(" \(entry.name)")
            paragraph.add("  \(entry.a?.verdict.rawValue ?? "")", .faint)
        case .differs: paragraph = Paragraph("≠ \(entry.name)", .bad)
        case .skipped:
            paragraph = Paragraph("-", .notable)
            paragraph.add(" \(entry.name)")
        case .onlyA: paragraph = Paragraph("≠ \(entry.name)  only in A", .bad)
        case .onlyB: paragraph = Paragraph("≠ \(entry.name)  only in B", .bad)
        }
        if !entry.detail.isEmpty { paragraph.add("  \(entry.detail)") }
        return paragraph
    }

    private var summary: Paragraph {
        var paragraph = Paragraph("\(count(.same).of("case")) the same", isSame ? .good : .plain)
        if count(.differs) > 0 {
            paragraph.add(", ")
            paragraph.add("\(count(.differs).grouped) different", .bad)
        }
        for (result, name) in [(Result.onlyA, "A"), (.onlyB, "B")] where count(result) > 0 {
            paragraph.add(", ")
            paragraph.add("\(count(result).grouped) only in \(name)", .bad)
        }
        if count(.skipped) > 0 {
            paragraph.add(", ")
            paragraph.add("\(count(.skipped).grouped) skipped in one for what its bench lacks", .notable)
        }
        return paragraph
    }
}
