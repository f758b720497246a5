import ByteCodec

/// The expected contents of a JSON value: an object may have more names than the expected ones, at any depth.
public indirect enum JSONPattern: Hashable, Sendable, CustomStringConvertible {
    /// A name in an object, with its expected value.
    public struct Member: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The expected value.
        public let value: JSONPattern

        /// A name with its expected value.
        public init(_ name: String, _ value: JSONPattern) {
            self.name = name
            self.value = value
        }
    }

    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// This integer, in any notation.
    case integer(Int64)
    /// This number, in any notation.
    case number(Double)
    /// A number in a range, with its text for failures.
    case range(ClosedRange<Double>, text: String)
    /// This text.
    case text(String)
    /// A list with exactly these elements.
    case list([JSONPattern])
    /// An object that has at least these names.
    case object([Member])

    /// The first difference of a value from the expected one; `nil`: there is none.
    func difference(_ value: some Collection<UInt8>) -> String? {
        do throws(JSONFault) {
            return difference(of: try JSONValue(value))
        } catch {
            return "no JSON: \(error)"
        }
    }

    /// The first difference of a value from the expected one; `nil`: there is none.
    func difference(of value: JSONValue) -> String? { difference(value, "") }

    private func difference(_ value: JSONValue, _ path: String) -> String? {
        switch (self, value) {
        case (.null, .null): return nil
        case (.bool(let wanted), .bool(let got)) where wanted == got: return nil
        case (.integer(let wanted), .number(let got)) where Self.isEqual(got, wanted): return nil
        case (.number(let wanted), .number(let got)) where Double(got) == wanted: return nil
        case (.range(let wanted, _), .number(let got)) where Double(got).map(wanted.contains) == true: return nil
        case (.text(let wanted), .text(let got)) where wanted == got: return nil
        case (.list(let wanted), .list(let got)):
            guard wanted.count == got.count else {
                return "\(Self.place(path)) has \(got.count) element\(got.count == 1 ? "" : "s"), not \(wanted.count)"
            }
            let pairs = zip(wanted, got).enumerated()
            return pairs.lazy.compactMap { $1.0.difference($1.1, "\(path)[\($0)]") }.first
        case (.object(let wanted), .object(let got)):
            return wanted.lazy.compactMap { member in
                let name = path.isEmpty ? member.name : "\(path).\(member.name)"
                if let found = got.first(where: { $0.name == member.name }) {
                    return member.value.difference(found.value, name)
                }
                let names = got.map(\.name).joined(separator: ", ")
                return "'\(name)' is missing, there is \(names.isEmpty ? "nothing" : names)"
            }.first
        default: break
        }
        return "\(Self.place(path)) is \(Self.text(value)), not \(kind)"
    }

    /// True if a number is this integer; doubles of different large integers may be equal.
    private static func isEqual(_ number: String, _ wanted: Int64) -> Bool {
        Int64(number).map { $0 == wanted } ?? (Double(number) == Double(wanted))
    }

    private static func place(_ path: String) -> String { path.isEmpty ? "it" : "'\(path)'" }

    private static func text(_ value: JSONValue) -> String {
        if case .text(let text) = value { "\"\(text)\"" } else { value.kind }
    }

    /// The expected value, without the contents of lists and objects.
    private var kind: String {
        switch self {
        case .list: "a list"
        case .object: "an object"
        default: description
        }
    }

    /// The pattern in the form of JSON.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .range(_, let text): text
        case .text(let text): "\"\(text)\""
        case .list(let elements): "[\(elements.map(\.description).joined(separator: ", "))]"
        case .object(let members):
            "{" + members.map { "\"\($0.name)\": \($0.value)" }.joined(separator: ", ") + "}"
        }
    }
}
