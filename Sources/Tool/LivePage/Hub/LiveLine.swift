/// A line of the console.
public struct LiveLine: Sendable, Encodable {
    /// What a line is.
    public enum Kind: String, Sendable, Encodable {
        /// The board sent it.
        case output = "out"
        /// It was typed here.
        case input = "in"
        /// What the bench says: a reset, a crash.
        case note
        /// It belongs to a crash: the panic's message, its backtrace.
        case crash
    }

    /// Of which board, counted from 0.
    public var board: Int
    /// When, in milliseconds of the bench's clock.
    public var time: Double
    /// What it is.
    public var kind: Kind
    /// Its text.
    public var text: String

    /// A line.
    public init(board: Int = 0, time: Double, kind: Kind, text: String) {
        self.board = board
        self.time = time
        self.kind = kind
        self.text = text
    }

    private enum CodingKeys: String, CodingKey {
        case board = "b"
        case time = "t"
        case kind = "k"
        case text = "s"
    }
}
