/// Colours of console lines on a terminal: those that the device sends, and by the level of a log line where it sends none.
public enum LineColours {
    private static let escape: UInt8 = 0x1B
    private static let reset = Array("\u{1B}[0m".utf8)

    /// The visible text of `bytes` with its colours, in UTF-8; it ends without colour.
    ///
    /// - Parameter level: the level of the line, if it is one of a log.
    public static func coloured(_ bytes: [UInt8], level: LogLevel?) -> [UInt8] {
        if bytes.contains(escape) {
            let text = VisibleText.visible(bytes, keepsColours: true)
            let isOpen = text.contains(escape) && !text.suffix(reset.count).elementsEqual(reset)
            return isOpen ? text + reset : text
        }
        let text = VisibleText.visible(bytes)
        guard let level, !text.isEmpty else { return text }
        return sequence(of: level) + text + reset
    }

    /// `text` in a colour of its own, for lines of the monitor.
    public static func mark(_ text: String) -> [UInt8] {
        Array("\u{1B}[36m".utf8) + Array(text.utf8) + reset
    }

    /// Errors red, warnings yellow, information green, as ESP-IDF; below them blue and grey.
    private static func sequence(of level: LogLevel) -> [UInt8] {
        switch level {
        case .error: errorSequence
        case .warning: warningSequence
        case .info: infoSequence
        case .debug: debugSequence
        case .verbose: verboseSequence
        }
    }

    private static let errorSequence = Array("\u{1B}[31m".utf8)
    private static let warningSequence = Array("\u{1B}[33m".utf8)
    private static let infoSequence = Array("\u{1B}[32m".utf8)
    private static let debugSequence = Array("\u{1B}[34m".utf8)
    private static let verboseSequence = Array("\u{1B}[90m".utf8)
}
