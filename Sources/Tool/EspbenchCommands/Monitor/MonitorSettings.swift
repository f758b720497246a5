package import Console
package import LogFiles

/// What a monitor shows, sends and waits for.
package struct MonitorSettings: Sendable {
    /// The form of the output.
    package var view = MonitorView.Kind.text
    /// The time stamps.
    package var stamps = LineStamps.Kind.board
    /// Which lines are shown.
    package var filter = LogFilter.all
    /// Whether the output has colours.
    package var hasColours = false
    /// Whether the output is JSON Lines.
    package var isJSON = false
    /// Whether input is sent as it is, without the monitor's keys, and its end is that of the session only when all was sent
    /// and nothing comes any more.
    package var isTransparent = false
    /// What Enter and the end of a text of ``sends`` send.
    package var lineEnding = LineEnding.lf
    /// Lines to send, once the board is connected or ``sendAfter`` was seen.
    package var sends: [String] = []
    /// The expression after which ``sends`` are sent.
    package var sendAfter: String?
    /// The expression that ends the session.
    package var until: String?
    /// The expression that ends the session as a failure.
    package var failOn: String?
    /// The longest time of the session; a failure if ``until`` was not seen.
    package var timeout: Duration?
    /// The log file.
    package var log: String?
    /// When the log file is rotated.
    package var rotation = LogRotation.standard
    /// Whether the board is restarted at the beginning.
    package var resets = false

    /// Shows lines with time stamps, without colours.
    package init() {}

    /// Whether the session ends by itself, so that it does not at the end of input.
    var endsByItself: Bool { until != nil || failOn != nil || timeout != nil }
}
