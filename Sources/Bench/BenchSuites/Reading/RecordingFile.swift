import BenchModel
import BoardParts
import MonotonicTime
import SourceText
import YAMLReading

/// A CSV file with recorded quantities: a column `time` and one for each quantity, named in the first row; comma-separated.
struct RecordingFile {
    /// A fault of a file, with its name and line.
    struct Fault: Error {
        var text: String
    }

    private let name: String

    /// The most rows.
    private static let limit = 100_000
    /// The units of the times, as `time (ms)`; seconds without one.
    private static let units: [(name: String, nanoseconds: Double)] = [
        ("time", 1e9), ("time (s)", 1e9), ("time (ms)", 1e6), ("time (us)", 1e3), ("time (min)", 60e9),
        ("time (h)", 3600e9),
    ]
    /// The latest time in nanoseconds: 100 years.
    private static let latest = 3.2e18

    /// The names of the columns after the times.
    private(set) var columns: [String] = []
    private var times: [Duration] = []
    /// The cells of each column, and the number of each row's line.
    private var cells: [[Substring]] = []
    private var lines: [Int] = []

    init(_ text: String, name: String) throws(Fault) {
        self.name = name
        // A byte order mark, as spreadsheets write it.
        let rows = text.drop { $0 == "\u{FEFF}" }.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let header = Self.cells(rows.first ?? "")
        guard let first = header.first, let unit = Self.units.first(where: { $0.name == first.lowercased() }) else {
            throw fault(
                1,
                "expected the column 'time', also 'time (ms)' and the like, and a column for each quantity, got '\(rows.first ?? "")'"
            )
        }
        columns = header.dropFirst().map(String.init)
        guard !columns.isEmpty, Set(columns).count == columns.count, !columns.contains("") else {
            throw fault(1, "expected a column with a name of its own for each quantity, got '\(rows[0])'")
        }
        cells = Array(repeating: [], count: columns.count)
        for (index, row) in rows.enumerated().dropFirst() where !row.allSatisfy(\.isWhitespace) {
            let row = Self.cells(row)
            guard row.count == header.count else {
                throw fault(index + 1, "expected \(header.count) values, got \(row.count)")
            }
            if let gap = row.firstIndex(of: "") {
                throw fault(index + 1, "no value for '\(header[gap])': every row needs one")
            }
            guard let time = Double(row[0]), (0...Self.latest).contains(time * unit.nanoseconds) else {
                throw fault(index + 1, "expected a time of 0 or more, got '\(row[0])'")
            }
            let duration = Duration.nanoseconds(Int64((time * unit.nanoseconds).rounded()))
            if let last = times.last, duration <= last {
                throw fault(index + 1, "expected a time after \(last.brief), got \(duration.brief)")
            }
            guard times.count < Self.limit else { throw fault(index + 1, "expected at most \(Self.limit) rows") }
            times.append(duration)
            lines.append(index + 1)
            for (column, cell) in row.dropFirst().enumerated() { cells[column].append(cell) }
        }
        if times.isEmpty { throw fault(1, "expected a row of values after the first, got none") }
    }

    /// A fault in a line.
    func fault(_ line: Int, _ text: String) -> Fault { Fault(text: "\(name):\(line): \(text)") }

    private static func cells(_ row: Substring) -> [Substring] {
        row.split(separator: ",", omittingEmptySubsequences: false).map { cell in
            var cell = cell.drop(while: \.isWhitespace)
            while cell.last?.isWhitespace == true { cell.removeLast() }
            return cell.count > 1 && cell.first == "\"" && cell.last == "\"" ? cell.dropFirst().dropLast() : cell
        }
    }

    /// The course of a quantity in a column; a word stays until the next row.
    func points(of quantity: PartKind.Quantity, column: Int) throws(Fault) -> [QuantityCourse.Point] {
        var points: [QuantityCourse.Point] = []
        for (index, cell) in cells[column].enumerated() {
            let value: Double
            if quantity.words.isEmpty {
                guard let number = Double(cell), quantity.range.contains(number) else {
                    throw fault(
                        lines[index],
                        "expected '\(quantity.name)' of "
                            + "\(quantity.range.lowerBound.decimal)...\(quantity.range.upperBound.decimal), got '\(cell)'"
                    )
                }
                value = number
            } else {
                guard let number = quantity.words.firstIndex(of: String(cell)) else {
                    throw fault(
                        lines[index], "expected '\(quantity.name)' of \(quantity.words.list), got '\(cell)'"
                    )
                }
                value = Double(number)
                if let last = points.last, times[index] > last.after + .nanoseconds(1) {
                    points.append(.init(after: times[index] - .nanoseconds(1), value: last.value))
                }
            }
            points.append(.init(after: times[index], value: value))
        }
        return points
    }
}
