/// How a report is written: with colour on a terminal that has it, and wrapped to the terminal's width.
public struct TerminalStyle: Hashable, Sendable {
    /// The narrowest width that lines are wrapped to; a narrower terminal wraps them once more.
    public static let minimumWidth = 24

    /// Whether colours are written.
    public let isColoured: Bool
    /// How many columns the terminal has; `nil`: lines are not wrapped, as for a file or another program.
    public let width: Int?

    /// A style.
    public init(isColoured: Bool, width: Int? = nil) {
        self.isColoured = isColoured
        self.width = width.map { max(Self.minimumWidth, $0) }
    }

    /// What a piece of text is, and so how it is marked.
    public enum Mark: String, Sendable {
        case plain, good, bad, notable, strong, faint

        /// The parameter of SGR (ECMA-48 8.3.117).
        fileprivate var code: Int? {
            switch self {
            case .plain: nil
            case .strong: 1
            case .faint: 2
            case .bad: 31
            case .good: 32
            case .notable: 33
            }
        }
    }

    func marked(_ text: String, _ mark: Mark) -> String {
        guard isColoured, let code = mark.code, !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}
