/// A place in a suite's file.
public struct SourcePosition: Hashable, Comparable, Sendable, Codable {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1, in Unicode scalars.
    public var column: Int

    /// A place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Orders as one reads.
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }

    /// The place `columns` further on the same line.
    package func advanced(by columns: Int) -> SourcePosition {
        SourcePosition(line: line, column: column + columns)
    }
}
