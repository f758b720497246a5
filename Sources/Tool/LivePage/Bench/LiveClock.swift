/// The bench's time, where it can be controlled.
public protocol LiveClock: Sendable {
    /// How fast time passes: virtual seconds per second; 0: it stands.
    func setSpeed(_ speed: Double) async throws

    /// Lets standing time go on by so much.
    func step(by duration: Duration) async throws

    /// Lets standing time go on to the next event.
    func stepToNextEvent() async throws
}

/// What the page shows of the time.
public struct ClockState: Sendable, Encodable, Equatable {
    /// The speeds that a user can choose.
    public static let speeds: ClosedRange<Double> = 0...100

    /// The bench's clock, in milliseconds.
    public var now: Double
    /// Virtual seconds per second.
    public var speed: Double
    /// Whether it can be changed.
    public var isControlled: Bool

    /// A time.
    public init(now: Double, speed: Double, isControlled: Bool) {
        self.now = now
        self.speed = speed
        self.isControlled = isControlled
    }
}
