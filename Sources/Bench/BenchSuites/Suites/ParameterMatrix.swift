/// The parameters of a case and their combinations: a product of lists, or a table.
public struct ParameterMatrix: Hashable, Sendable {
    private enum Values: Hashable, Sendable {
        case product([[Int64]])
        case table([[Int64]])
    }

    /// More combinations than this are refused.
    public static let maximumCount = 10_000_000

    /// The parameters' names.
    public let names: [String]
    /// How many combinations there are: 1 without parameters.
    public let count: Int
    private let values: Values

    /// No parameters, one combination.
    public init() {
        self.init(names: [], values: .table([[]]), count: 1)
    }

    private init(names: [String], values: Values, count: Int) {
        self.names = names
        self.values = values
        self.count = count
    }

    /// Every combination of one value from each list; the last list varies fastest. `nil` above ``maximumCount``.
    init?(product axes: [(name: String, values: [Int64])]) {
        var count = 1
        for axis in axes {
            let (product, overflow) = count.multipliedReportingOverflow(by: axis.values.count)
            guard !overflow, product <= Self.maximumCount else { return nil }
            count = product
        }
        self.init(names: axes.map(\.name), values: .product(axes.map(\.values)), count: count)
    }

    /// The rows of a table, one value per name.
    init(names: [String], rows: [[Int64]]) {
        self.init(names: names, values: .table(rows), count: rows.count)
    }

    /// Puts combination `index` (from 0, below ``count``) into `parameters`, in the order of ``names``.
    public func fill(_ parameters: inout [Int64], at index: Int) {
        switch values {
        case .table(let rows):
            parameters = rows[index]
        case .product(let axes):
            if parameters.count != axes.count { parameters = Array(repeating: 0, count: axes.count) }
            var rest = index
            for axis in axes.indices.reversed() {
                let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: axes[axis].count)
                parameters[axis] = axes[axis][remainder]
                rest = quotient
            }
        }
    }
}
