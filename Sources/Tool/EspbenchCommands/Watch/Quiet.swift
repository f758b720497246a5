/// Decides when a burst of changes is over: an editor writes, renames and deletes several files to save one.
package struct Quiet: Sendable {
    /// How long nothing must have happened.
    private static let time = Duration.milliseconds(50)
    /// How long, if files are missing: some editors delete a file before they write it again.
    private static let timeIfRemoved = Duration.milliseconds(300)
    /// A burst is over after so long, even if it goes on.
    private static let longest = Duration.seconds(2)

    private let began: Duration
    private var last: Duration

    /// A burst that begins with a change at this time.
    package init(at time: Duration) {
        began = time
        last = time
    }

    /// Another change at this time.
    package mutating func change(at time: Duration) {
        last = time
    }

    /// When the burst is over, if nothing else happens; `isMissing`: whether files were removed and not written again.
    package func end(isMissing: Bool) -> Duration {
        min(last + (isMissing ? Self.timeIfRemoved : Self.time), began + Self.longest)
    }
}
