package import SerialPort

/// Recognises the resets that an RFC 2217 client asks for, so that the server can perform them locally.
///
/// Clients that set DTR and RTS one after the other (pyserial, and so esptool) need about 0.1 s for each over a
/// network. If passed on unchanged, the steps of a reset into the loader release EN long before IO0 is low, and the
/// board starts its application. So a step that would pull EN low is held back until the next steps show its purpose:
///
/// - RTS alone, then nothing asserted: a hard reset;
/// - RTS alone, then DTR as well, then DTR alone: a reset into the loader ("classic" of esptool);
/// - RTS alone for a moment on the way from or to both asserted: a terminal that opens or closes its port; the board
///   keeps running.
///
/// A client that sets both lines in one step keeps the correct order: its steps are passed on.
package struct ResetRecognizer: Sendable {
    /// An action on the port.
    package enum Action: Equatable, Sendable {
        /// Set the lines.
        case lines(ModemLines)
        /// Perform a reset into the loader; the lines are then DTR alone.
        case resetIntoLoader
        /// Perform a reset; the lines are then deasserted.
        case hardReset
    }

    /// A terminal that closes its port asserts RTS alone for one round trip; a hard reset lasts 100 ms.
    package static let shortestReset = Duration.milliseconds(90)
    /// RTS alone for longer than this holds the board in reset.
    package static let holdLimit = Duration.milliseconds(1000)
    /// Both lines after RTS alone for longer than this are not a step of a reset.
    package static let releaseLimit = Duration.milliseconds(500)

    private enum State {
        /// The port's lines match the client's.
        case idle
        /// The client has asserted RTS alone; `isToggled` if DTR was asserted before.
        case held(since: ContinuousClock.Instant, isToggled: Bool)
        /// The client has asserted DTR as well.
        case released(since: ContinuousClock.Instant)
    }

    private static let none = ModemLines(dtr: false, rts: false)
    private static let enableLow = ModemLines(dtr: false, rts: true)
    private static let bootLow = ModemLines(dtr: true, rts: false)
    private static let both = ModemLines(dtr: true, rts: true)

    private var state = State.idle
    private var wanted = none

    /// A recogniser for a port whose lines are deasserted.
    package init() {}

    /// When ``expire(at:)`` is due.
    package var deadline: ContinuousClock.Instant? {
        switch state {
        case .idle: nil
        case .held(let since, _): since.advanced(by: Self.holdLimit)
        case .released(let since): since.advanced(by: Self.releaseLimit)
        }
    }

    /// The client sets its lines to `lines`, in one step if `isBoth`.
    package mutating func change(to lines: ModemLines, isBoth: Bool, at now: ContinuousClock.Instant) -> [Action] {
        let former = wanted
        wanted = lines
        if isBoth {
            state = .idle
            return [.lines(lines)]
        }
        if lines == former { return [] }
        switch (state, lines) {
        case (_, Self.enableLow):
            state = .held(since: now, isToggled: former.dtr)
            return []
        case (.held(let since, let isToggled), Self.none):
            state = .idle
            let isReset = !isToggled || since.duration(to: now) >= Self.shortestReset
            return [isReset ? .hardReset : .lines(lines)]
        // If the state is not `held`, RTS alone has lasted longer than ``holdLimit``, and EN is low.
        case (_, Self.both) where former == Self.enableLow:
            state = .released(since: now)
            return []
        case (.released, Self.bootLow):
            state = .idle
            return [.resetIntoLoader]
        default:
            state = .idle
            return [.lines(lines)]
        }
    }

    /// Passes on the held-back step, since the client sends data, or ``deadline`` has passed.
    package mutating func settle() -> [Action] {
        if case .idle = state { return [] }
        state = .idle
        return [.lines(wanted)]
    }
}

/// The resets that a server performs locally for a client.
enum LocalReset {
    /// Resets the chip on `port` into its loader; on a UART, DTR alone stays asserted, as at the client.
    static func intoLoader(_ port: any SerialPort) async throws {
        guard port.traits.interface == .uart else { return try await ResetSequence.reset(port, intoLoader: true) }
        let sequence = ResetSequence.intoLoader(over: .uart)
        let steps = Array(sequence.steps.dropLast())
        try await ResetSequence(name: sequence.name, steps: steps).perform(on: port)
    }
}
