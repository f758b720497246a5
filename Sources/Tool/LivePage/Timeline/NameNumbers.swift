/// Numbers names in one byte, in the order in which they came; a file may have any number of names.
package struct NameNumbers: Sendable {
    /// The number of all names for which there is no other.
    private static let overflow: UInt8 = 255

    /// The names by their numbers.
    package private(set) var names: [String]
    /// How many rows each has.
    package private(set) var rows: [Int]
    private var numbers: [String: UInt8]

    /// A list that begins with these names.
    package init(_ names: [String] = []) {
        self.names = names
        rows = names.map { _ in 0 }
        numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, UInt8($0)) })
    }

    /// The number of the name of a row.
    package mutating func count(_ name: String) -> UInt8 {
        let number = numbers[name] ?? add(name)
        rows[Int(number)] += 1
        return number
    }

    private mutating func add(_ name: String) -> UInt8 {
        guard names.count < Int(Self.overflow) else {
            if names.count == Int(Self.overflow) {
                names.append("(others)")
                rows.append(0)
            }
            return Self.overflow
        }
        names.append(name)
        rows.append(0)
        let number = UInt8(names.count - 1)
        numbers[name] = number
        return number
    }
}
