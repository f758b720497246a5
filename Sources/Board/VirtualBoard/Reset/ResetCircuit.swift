import ByteCodec
import ESPProtocol
public import MonotonicTime
public import SerialPort

/// The two transistors and the RC element between a USB bridge's modem lines and an ESP32's EN and IO0 pins, and the
/// buttons at both.
///
/// RTS alone pulls EN low, DTR alone pulls IO0 low; both asserted pull neither. When EN is released it rises slowly,
/// and the chip samples IO0 when it is high. A flasher that sets its lines one after the other releases EN (both
/// asserted) before it pulls IO0: on a USB port that state lasts microseconds, over RFC 2217 more than 0.1 s. So this
/// circuit keeps EN low in that state until the lines change, like a large capacitor, but at most for
/// ``bothAssertedLimit``.
public struct ResetCircuit: Sendable {
    /// The boot mode: the strapping of IO0.
    public enum BootMode: Hashable, Sendable {
        /// From flash; IO0 was high.
        case flash
        /// The serial loader in ROM; IO0 was low.
        case download
    }

    /// Events of the chip.
    public enum Event: Hashable, Sendable {
        /// EN went low: the chip stops.
        case reset
        /// EN is high, and IO0 was sampled: the chip starts.
        case started(BootMode)
    }

    /// The rise time of EN: with 10 kΩ and 1 µF, 14 ms to 75 % of the supply.
    public static let riseTime = Duration.milliseconds(14)
    /// The longest time for which EN stays low after a reset while both lines are asserted.
    public static let bothAssertedLimit = Duration.milliseconds(250)

    private enum State {
        case unpowered
        case held
        case rising(start: MonotonicInstant)
        case running
    }

    /// True if the BOOT button pulls IO0 low.
    public var isBootPressed = false
    private var lines = ModemLines(dtr: false, rts: false)
    private var state = State.unpowered
    private var events: [Event] = []

    /// A circuit without power.
    public init() {}

    /// True if the lines pull IO0 low, which a running application can read.
    public var linesPullIO0: Bool { lines.dtr && !lines.rts }
    /// True if IO0 is low.
    var pullsIO0: Bool { linesPullIO0 || isBootPressed }
    private var pullsEnable: Bool { lines.rts && !lines.dtr }

    /// The time at which EN is high.
    public var nextDeadline: MonotonicInstant? {
        if case .rising(let start) = state { start } else { nil }
    }

    /// The events since the last call, in order.
    public mutating func drainEvents() -> [Event] {
        defer { events.removeAll() }
        return events
    }

    /// Powers the chip on.
    public mutating func powerOn(at now: MonotonicInstant) {
        guard case .unpowered = state else { return }
        state = pullsEnable ? .held : .rising(start: now.advanced(by: Self.riseTime))
    }

    /// Powers the chip off.
    public mutating func powerOff() {
        if case .unpowered = state { return }
        state = .unpowered
        events.append(.reset)
    }

    /// Sets both lines.
    public mutating func setModemLines(_ newLines: ModemLines, at now: MonotonicInstant) {
        advance(to: now)
        let formerLines = lines
        lines = newLines
        switch state {
        case .unpowered:
            break
        case .held where !pullsEnable:
            let delay = lines.dtr && lines.rts ? Self.bothAssertedLimit : Self.riseTime
            state = .rising(start: now.advanced(by: delay))
        case .held:
            break
        case .rising where pullsEnable:
            state = .held
        case .rising(let start) where formerLines.dtr && formerLines.rts && lines != formerLines:
            state = .rising(start: min(start, now.advanced(by: Self.riseTime)))
        case .rising:
            break
        case .running where pullsEnable:
            state = .held
            events.append(.reset)
        case .running:
            break
        }
    }

    /// Presses and releases the reset button (EN); the lines do not change.
    public mutating func pressReset(at now: MonotonicInstant) {
        advance(to: now)
        if case .unpowered = state { return }
        if case .running = state { events.append(.reset) }
        state = pullsEnable ? .held : .rising(start: now.advanced(by: Self.riseTime))
    }

    /// Advances the time; EN rises.
    public mutating func advance(to now: MonotonicInstant) {
        guard case .rising(let start) = state, start <= now else { return }
        state = .running
        events.append(.started(pullsIO0 ? .download : .flash))
    }

    /// Resets the chip into `mode` without modem lines, for ports that have none.
    public mutating func pulse(into mode: BootMode) {
        guard case .running = state else { return }
        events.append(.reset)
        events.append(.started(mode))
    }
}

/// Finds SYNC commands among the bytes of a client that has no modem lines.
struct DownloadBridge {
    private var decoder = SLIPDecoder(limit: 64)

    mutating func containsSync(_ bytes: [UInt8]) -> Bool {
        decoder.decode(bytes).contains { event in
            guard case .frame(let frame) = event else { return false }
            var reader = ByteReader(frame, subject: "loader request")
            guard let request = try? LoaderRequest(from: &reader) else { return false }
            return request.opcode == .sync && (try? request.decode(Sync.self)) != nil
        }
    }
}
