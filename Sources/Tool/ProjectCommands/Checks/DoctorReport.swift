/// The findings of the doctor on a machine.
package struct DoctorReport: Sendable {
    /// A check with its finding.
    package struct Line: Sendable {
        package let check: DoctorCheck
        package let finding: DoctorFinding
    }

    package private(set) var lines: [Line] = []
    /// The areas that the user needs.
    private let needed: Set<DoctorArea>

    /// Runs `checks` on `machine`; a missing requirement of an area in `needed` is a failure.
    package init(_ machine: Machine, needed: Set<DoctorArea>, _ checks: [DoctorCheck] = DoctorCheck.all) async {
        self.needed = needed
        for check in checks { lines.append(Line(check: check, finding: await check.run(machine))) }
    }

    /// True if `line` makes the command fail.
    package func isFailure(_ line: Line) -> Bool {
        line.finding.state == .missing && needed.contains(line.check.area)
    }

    /// True if no needed requirement is missing.
    package var isHealthy: Bool { !lines.contains { isFailure($0) } }

    /// The report for people.
    package var text: String {
        let width = lines.map(\.check.name.count).max() ?? 0
        var text = ""
        for area in DoctorArea.allCases {
            let lines = lines.filter { $0.check.area == area }
            guard !lines.isEmpty else { continue }
            text += (text.isEmpty ? "" : "\n") + area.title + (needed.contains(area) ? "" : " (not needed)") + "\n"
            for line in lines {
                let padding = String(repeating: " ", count: width - line.check.name.count)
                text += "  \(mark(line))  \(line.check.name)\(padding)  \(line.finding.detail)\n"
                guard let remedy = line.finding.remedy else { continue }
                text += "  \(String(repeating: " ", count: 9 + width + 2))→ \(remedy)\n"
            }
        }
        return text
    }

    private func mark(_ line: Line) -> String {
        switch line.finding.state {
        case .ok: "ok     "
        case .missing: isFailure(line) ? "MISSING" : "missing"
        case .optional: "missing"
        case .none: "–      "
        }
    }

    /// The output of `--json` for a check.
    package struct Record: Encodable {
        var check: String
        var area: String
        var state: String
        var isNeeded: Bool
        var detail: String
        var remedy: String?
    }

    /// The report for programs.
    package var records: [Record] {
        lines.map { line in
            Record(
                check: line.check.name, area: line.check.area.rawValue, state: line.finding.state.rawValue,
                isNeeded: line.finding.state != .optional && needed.contains(line.check.area),
                detail: line.finding.detail, remedy: line.finding.remedy)
        }
    }
}
