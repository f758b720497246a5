import ESPProtocol

/// Counts requests and their answers, to detect a line on which answers come more than once.
///
/// Answers carry no number: one that comes twice would be believed to answer the next request of the same operation.
/// As the loader answers in order, the true answer then comes as well, before that to any later request, and is one
/// that nobody waits for.
struct AnswerLedger {
    /// How long the line must be silent before a request once answers came twice.
    private static let firstSilence = Duration.milliseconds(100)
    private static let longestSilence = Duration.milliseconds(800)
    /// After so many silences without a byte the line is believed again.
    private static let quietLimit = 64

    private var expected: [LoaderOpcode: Int] = [:]
    private var quietCount = 0
    private var isRaised = false
    /// The number of answers that nobody waited for.
    private(set) var strayCount = 0
    /// How long the line must be silent before a request is sent; zero on a line that repeats nothing.
    private(set) var silence = Duration.zero

    /// A request was sent.
    mutating func sent(_ opcode: LoaderOpcode) {
        expected[opcode, default: 0] += opcode == .sync ? Sync.responseCount : 1
    }

    /// An answer came.
    ///
    /// - Parameter isExpected: whether it was waited for, or may be late.
    mutating func received(_ opcode: LoaderOpcode, isExpected: Bool) {
        let count = expected[opcode, default: 0]
        expected[opcode] = max(0, count - 1)
        // A SYNC has several answers, of which the last may be left.
        if count == 0 || !(isExpected || opcode == .sync) { stray() }
    }

    /// An answer came that nobody waited for.
    mutating func stray() {
        strayCount += 1
        quietCount = 0
        guard !isRaised else { return }
        isRaised = true
        silence = min(max(silence * 2, Self.firstSilence), Self.longestSilence)
    }

    /// The line was silent for ``silence``; before that, something came or not.
    mutating func settled(afterBytes: Bool) {
        isRaised = false
        quietCount = afterBytes ? 0 : quietCount + 1
        if quietCount >= Self.quietLimit { silence = .zero }
    }

    /// SYNC was answered: former requests have no answers any more.
    mutating func synchronized() { expected = expected.filter { $0.key == .sync } }
}
