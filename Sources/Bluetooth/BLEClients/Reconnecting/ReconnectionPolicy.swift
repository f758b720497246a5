/// When a lost or failed connection is tried again.
public struct ReconnectionPolicy: Hashable, Sendable {
    /// Whether it is tried again at all.
    public var isEnabled: Bool
    /// How often after a failure; each connection that succeeds begins to count anew. `nil`: for ever.
    public var tries: Int?
    /// The pause before the first of these tries.
    public var pause: Duration
    /// What the pause is multiplied by after each further failure; 1 or more.
    public var growth: Double
    /// The longest pause.
    public var maximumPause: Duration
    /// How long each attempt to connect may take.
    public var timeout: Duration

    /// A policy; the default: 3 tries, 1.0 s apart, each of which may take 5.0 s.
    public init(
        isEnabled: Bool = true, tries: Int? = 3, pause: Duration = .seconds(1), growth: Double = 1,
        maximumPause: Duration = .seconds(60), timeout: Duration = .seconds(5)
    ) {
        self.isEnabled = isEnabled
        self.tries = tries
        self.pause = pause
        self.growth = growth
        self.maximumPause = maximumPause
        self.timeout = timeout
    }

    /// Never again.
    public static let never = ReconnectionPolicy(isEnabled: false)

    /// The pause before the try after this many failures in a row, 1 or more; `nil`: it is not tried again.
    public func pause(after failures: Int) -> Duration? {
        guard isEnabled, failures <= tries ?? .max else { return nil }
        var pause = min(pause, maximumPause)
        for _ in 1..<max(1, failures) where pause < maximumPause { pause = min(pause * max(1, growth), maximumPause) }
        return pause
    }
}
