import YAMLReading

extension PartKind {
    /// The page of the reference, in Markdown: wiring, quantities, readings, settings, and the differences from the real
    /// part.
    public var page: String {
        var lines = ["## \(name)", "", "\(Self.sentence(summary)) Source: \(source).", "", "```yaml", example, "```"]
        let wiring =
            terminals.map { terminal in
                let key = "`\(terminal.name)`" + (terminal.isList ? " (list)" : "")
                return (key, (terminal.isRequired ? "" : "Optional. ") + Self.sentence(terminal.summary))
            } + busRows + settings.map { ("`\($0.name)`", "\($0.form.words). \(Self.sentence($0.summary))") }
        lines += Self.table(("wiring", ""), wiring)
        lines += Self.table(
            ("`set`", "values"),
            quantities.map { quantity in
                let values = quantity.words.isEmpty ? quantity.interval : quantity.words.joined(separator: ", ")
                return ("`\(quantity.name)`", "\(values). \(Self.sentence(quantity.summary))")
            })
        lines += Self.table(
            ("`expect`", "values"), readings.map { ("`\($0.name)`", "\($0.form.words). \(Self.sentence($0.summary))") })
        if !limits.isEmpty { lines += ["", "Differences from the real part:", ""] + limits.map { "- \($0)" } }
        return lines.joined(separator: "\n") + "\n"
    }

    private var busRows: [(String, String)] {
        guard !addresses.isEmpty else { return [] }
        let known = addresses.map { "0x" + String($0, radix: 16) }
        let words = known.count > 8 ? "\(known[0]) to \(known[known.count - 1])" : known.joined(separator: ", ")
        return [
            ("`i2c`", "The address: \(words); by default \(known[0])."),
            ("`sda`, `scl`", "The pins of the bus, by default 21 and 22."),
        ]
    }

    /// An entry of `parts` as an example.
    private var example: String {
        var next = 25
        func pin() -> String {
            defer { next += 1 }
            return "\(next)"
        }
        var fields = ["part: \(name)"]
        fields += terminals.filter(\.isRequired).map { "\($0.name): \($0.isList ? "[\(pin()), \(pin())]" : pin())" }
        for setting in settings {
            if case .texts = setting.form { fields.append("\(setting.name): [\"12\", \"34\"]") }
            if case .number(let range, nil) = setting.form {
                fields.append("\(setting.name): \(range.lowerBound.decimal)")
            }
        }
        if let address = addresses.first { fields.append("i2c: 0x\(String(address, radix: 16))") }
        return "parts:\n  mine: {\(fields.joined(separator: ", "))}"
    }

    private static func table(_ head: (String, String), _ rows: [(String, String)]) -> [String] {
        guard !rows.isEmpty else { return [] }
        return ["", "| \(head.0) | \(head.1) |", "|---|---|"] + rows.map { "| \($0.0) | \($0.1) |" }
    }

    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }
}

extension PartKind.Quantity {
    /// The range and the initial value.
    fileprivate var interval: String {
        let unit = unit.isEmpty ? "" : " \(unit)"
        return "\(range.lowerBound.decimal) to \(range.upperBound.decimal)\(unit), "
            + "at first \(initial.decimal)\(unit)"
    }
}

extension PartKind.Reading.Form {
    fileprivate var words: String {
        switch self {
        case .words(let words): words.joined(separator: ", ")
        case .number(let unit): unit.isEmpty ? "a number" : "a number in \(unit)"
        case .colours: "colours such as `#FF8000`"
        case .picture: "a picture"
        case .bytes: "bytes"
        case .text: "a text"
        }
    }
}

extension PartKind.Setting.Form {
    fileprivate var words: String {
        switch self {
        case .number(let range, let initial):
            "\(range.lowerBound.decimal) to \(range.upperBound.decimal)"
                + (initial.map { ", by default \($0.decimal)" } ?? ", required")
        case .word(let words): words.joined(separator: ", ")
        case .text(let initial): "a text" + (initial.map { $0.isEmpty ? "" : ", by default `\($0)`" } ?? ", required")
        case .texts: "a list of texts, required"
        }
    }
}
