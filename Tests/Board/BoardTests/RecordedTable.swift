import Foundation

/// The table in the `README.md` of a sketch: what the NimBLE library does, in rows with a name, in columns with a title.
struct RecordedTable {
    var rows: [(name: String, results: [String: String])] = []

    /// The names of the rows.
    var names: [String] { rows.map(\.name) }

    init(of sketch: String) throws {
        let text = try String(contentsOfFile: "\(Repository.sketches)/\(sketch)/README.md", encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        guard let titles = lines.first?.dropFirst() else { return }
        for cells in lines.dropFirst(2) {
            rows.append((cells[0], Dictionary(uniqueKeysWithValues: zip(titles, cells.dropFirst()))))
        }
    }

    /// The result of a row, `nil` if there is none.
    subscript(name: String, title: String) -> String? {
        rows.first { $0.name == name }?.results[title]
    }

    /// Writes results for who makes the table anew: with `ESPBENCH_CALL_TABLE=FILE` to `FILE.COLUMN`, a line for each.
    static func write(_ results: [(name: String, result: String)], column: String) throws {
        guard let path = ProcessInfo.processInfo.environment["ESPBENCH_CALL_TABLE"] else { return }
        let lines = results.map { "\($0.name)\t\($0.result)\n" }
        try lines.joined().write(toFile: "\(path).\(column)", atomically: true, encoding: .utf8)
    }
}
