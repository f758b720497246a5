/// The parameters of a question about a timeline; every fault names the parameter.
package struct TimelineQuery {
    private typealias Refusal = TimelineRequests.Refusal

    /// The longest text that is searched for, in bytes; and the most names in a list.
    private static let (maximumText, maximumNames) = (1000, 300)

    private let parameters: [String: String]

    package init(_ parameters: [String: String]) {
        self.parameters = parameters
    }

    /// A whole number of 0 or more; no file has 2⁵³ rows or nanoseconds, the most that a page can count.
    package func optionalNumber(_ key: String) throws -> Int? {
        guard let text = parameters[key] else { return nil }
        guard let number = Int(text), 0...1 << 53 ~= number else {
            throw Refusal(message: "expected a whole number of 0 or more in '\(key)', got '\(text.prefix(40))'")
        }
        return number
    }

    package func number(_ key: String) throws -> Int {
        guard let number = try optionalNumber(key) else { throw Refusal(message: "'\(key)' is missing") }
        return number
    }

    package func text(_ key: String) throws -> String {
        let text = parameters[key] ?? ""
        guard text.utf8.count <= Self.maximumText else {
            throw Refusal(message: "expected at most \(Self.maximumText) bytes in '\(key)', got \(text.utf8.count)")
        }
        return text
    }

    private func names(_ key: String) throws -> Set<String>? {
        guard let list = parameters[key] else { return nil }
        let names = Set(list.split(separator: ",").map(String.init))
        guard names.count <= Self.maximumNames else {
            throw Refusal(message: "expected at most \(Self.maximumNames) names in '\(key)', got \(names.count)")
        }
        return names
    }

    package func filter() throws -> RowFilter {
        var filter = RowFilter(
            kinds: try names("kinds"), sources: try names("sources"), text: try text("text").lowercased())
        if let lanes = try names("lanes") {
            filter.lanes = []
            for name in lanes {
                guard let lane = TimelineLane(rawValue: name) else {
                    let known = TimelineLane.allCases.map(\.rawValue).joined(separator: ", ")
                    throw Refusal(message: "expected one of \(known) in 'lanes', got '\(name.prefix(40))'")
                }
                filter.lanes?.insert(lane)
            }
            // All of them are no filter, and cost nothing.
            if filter.lanes?.count == TimelineLane.allCases.count { filter.lanes = nil }
        }
        let (from, to) = (try optionalNumber("from.t"), try optionalNumber("to.t"))
        if from != nil || to != nil {
            let (first, last) = (Int64(from ?? 0), to.map { Int64($0) } ?? .max)
            guard first <= last else {
                throw Refusal(message: "expected 'from.t' of at most \(last), which is 'to.t', got \(first)")
            }
            filter.times = first...last
        }
        return filter
    }
}
