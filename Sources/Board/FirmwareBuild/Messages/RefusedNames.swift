/// The names of arduino-esp32, ESP-IDF and the chip's ROM that the host core lacks, with the reasons: `names.txt` of its
/// folder of refused headers.
///
/// A line that ends with `:` is a reason, and indented lines below it have names. A name that ends with `/` or `*` is the
/// beginning of names of headers.
struct RefusedNames: Sendable {
    private var reasons: [String: String] = [:]
    private var beginnings: [(text: String, reason: String)] = []

    /// The file in the folder `refusals`; no names if there is none.
    init(refusals: String) {
        guard let text = try? FileTree.text(of: refusals + "/names.txt") else { return }
        var reason = ""
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            guard line.hasPrefix(" ") else {
                reason = String(line.dropLast())
                continue
            }
            for name in line.split(separator: " ").map(String.init) {
                if name.hasSuffix("/") {
                    beginnings.append((name, reason))
                } else if name.hasSuffix("*") {
                    beginnings.append((String(name.dropLast()), reason))
                } else {
                    reasons[name] = reasons[name] ?? reason
                }
            }
        }
    }

    /// Why the host core lacks a function, type or other name; `nil` if the name is not one of the core's.
    func reason(for name: String) -> String? { reasons[name] }

    /// Why the host core lacks a header; `nil` if it is not one of the core's.
    func reason(forHeader header: String) -> String? {
        reasons[header] ?? beginnings.first { header.hasPrefix($0.text) }?.reason
    }

    /// The refusal of an undeclared name in an error of g++ or clang++, in the form of the host core's own refusals;
    /// `nil` if the error is another.
    func refusal(of line: String) -> (name: String, line: String)? {
        guard !reasons.isEmpty, let error = line.firstRange(of: ": error: ") else { return nil }
        let message = line[error.upperBound...]
        let forms = [
            "was not declared", "has not been declared", "does not name a type", "undeclared (first use",
            "has no member named", "unknown type name", "use of undeclared identifier", "no member named",
            "expected type-specifier before", "no type named",
        ]
        guard forms.contains(where: message.contains) else { return nil }
        // The last quoted name of g++'s "‘class EspClass’ has no member named ‘getSketchMD5’; did you mean …" that is
        // known.
        let statement = message.prefix { $0 != ";" }
        let words = statement.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        guard let name = words.first(where: { reasons[$0] != nil }), let reason = reasons[name] else { return nil }
        return (name, line[..<error.upperBound] + "\(name)\(CompilerMessages.refusal): \(reason)")
    }
}
