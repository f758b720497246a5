/// How a report marks what matters: with colour on a terminal that has it, without elsewhere.
public struct TerminalStyle: Hashable, Sendable {
    /// Whether colours are written.
    public let isColoured: Bool

    /// A style.
    public init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    private func marked(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    func good(_ text: String) -> String { marked(text, "32") }
    func bad(_ text: String) -> String { marked(text, "31") }
    func notable(_ text: String) -> String { marked(text, "33") }
    func strong(_ text: String) -> String { marked(text, "1") }
    func faint(_ text: String) -> String { marked(text, "2") }
}
