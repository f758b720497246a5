import BLECore

/// Reads the tables that `Scripts/assigned-numbers` writes: a line has a number and a name; `¦` separates the names of the
/// numbers that follow it.
enum NameTable {
    static func numbers(_ tables: [String]) -> [UInt16: String] {
        var names: [UInt16: String] = [:]
        for line in tables.lazy.flatMap({ $0.split(separator: "\n") }) {
            guard let (number, rest) = split(line), let first = UInt16(number, radix: 16) else { continue }
            for (offset, name) in rest.split(separator: "¦").enumerated() {
                names[first &+ UInt16(truncatingIfNeeded: offset)] = String(name)
            }
        }
        return names
    }

    static func uuids(_ table: String) -> [BLEUUID: String] {
        var names: [BLEUUID: String] = [:]
        for line in table.split(separator: "\n") {
            guard let (number, rest) = split(line) else { continue }
            if let first = UInt16(number, radix: 16) {
                for (offset, name) in rest.split(separator: "¦").enumerated() {
                    names[BLEUUID(first &+ UInt16(truncatingIfNeeded: offset))] = String(name)
                }
            } else if let uuid = BLEUUID(number) {
                names[uuid] = String(rest)
            }
        }
        return names
    }

    /// The letters and digits of a name, in lower case.
    static func key(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    private static func split(_ line: Substring) -> (number: Substring, names: Substring)? {
        line.firstIndex(of: " ").map { (line[..<$0], line[line.index(after: $0)...]) }
    }
}
