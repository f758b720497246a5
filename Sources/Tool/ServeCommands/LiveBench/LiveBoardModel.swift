import Bench
internal import BenchExecutor
import BenchModel
import BoardParts
internal import Console
import LivePage
import MonotonicTime
import Synchronization

/// A board of a bench as a page shows and controls it. Its state follows from the bench's events.
actor LiveBoardModel: LiveBoard {
    nonisolated let executor: BenchExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The source in the board's events, if the bench has several boards.
    nonisolated let source: String
    private let session: BenchSession
    private let id: BoardID
    private let hub: LiveHub
    private var state: BoardState
    private var parts: LiveParts

    /// A board of `session`; its events must be passed to ``receive(_:)``.
    init(_ session: BenchSession, _ id: BoardID, _ program: LiveProgram, hardware: String, _ hub: LiveHub) {
        self.session = session
        self.id = id
        source = session.bench.boards[id.index].name
        self.hub = hub
        executor = session.bench.executor
        let abilities = session.bench.abilities
        var names: [String] = []
        if abilities.contains(.power) { names.append("power") }
        if abilities.contains(.reset) { names.append("reset") }
        if abilities.contains(.buttons) || abilities.contains(.bootButton) { names.append("buttons") }
        if abilities.contains(.console) { names.append("type") }
        state = BoardState(
            name: program.name, hardware: hardware, abilities: names, isOn: abilities.contains(.power) ? false : nil)
        parts = LiveParts(program.parts)
    }

    /// The state that the page shows.
    func current() async -> BoardState {
        let (board, abilities) = (session.bench.boards[id.index], session.bench.abilities)
        state.heap = await board.instruments?.heap
        let inputs = abilities.contains(.buttons) ? await board.instruments?.inputPins ?? [] : []
        let hasBoot = abilities.contains(.buttons) || abilities.contains(.bootButton)
        // A pressed button must be released, even if the pin has become an output.
        state.buttons =
            (hasBoot ? [Self.bootPin] : [])
            + Set(inputs).subtracting(parts.pins).union(state.pressed).subtracting([Self.bootPin]).sorted()
        for place in parts.takeChanged() {
            let part = parts.wired[place.part]
            let value = await session.reading(part.name, part.kind.readings[place.reading].name, of: id)
            if let value { parts.show(value, at: place) }
        }
        state.parts = parts.states
        return state
    }

    /// Shows the failure of an operation on the board.
    func fail(_ text: String) { state.fault = text }

    /// The pin of the BOOT button.
    private static let bootPin = 0

    // MARK: Events

    private static func milliseconds(_ instant: MonotonicInstant) -> Double { Double(instant.nanoseconds) / 1_000_000 }

    /// Handles an event of the bench, on the bench's executor.
    func receive(_ event: BenchEvent) {
        let time = Self.milliseconds(event.time)
        switch event.payload {
        case let line as ConsoleLineReceived: append(.output, line.text, time)
        case let line as ConsoleLineSent: append(.input, line.line, time)
        case let part as PartChanged: parts.receive(part)
        case let misuse as PartMisused: append(.note, misuse.text, time)
        case let conflict as PinConflict: conflicted(conflict, time)
        case let pin as PinChanged where parts.pins.contains(pin.pin): break
        case let signal as PWMChanged where parts.pins.contains(signal.pin): break
        case let servo as ServoMoved where parts.pins.contains(servo.pin): break
        case let pin as PinChanged where pin.isDriven: set(BoardState.Pin(pin: pin.pin, isHigh: pin.isHigh))
        case let pin as PinChanged: state.pins.removeAll { $0.pin == pin.pin }
        case let signal as PWMChanged: set(signal)
        case let servo as ServoMoved:
            set(BoardState.Servo(pin: servo.pin, isAttached: servo.isAttached, angle: servo.angle))
        case let boot as BootMessage:
            state.boot = boot.text
            guard boot.text.hasPrefix("started by") else { return }
            state.boots += 1
            forgetPins()
        case let power as PowerSwitched:
            state.isOn = power.isOn
            append(.note, power.text, time)
            parts.changeAll()
            if !power.isOn {
                state.boot = ""
                forgetPins()
            }
        case is BenchModel.BoardReset: append(.note, "reset", time)
        case let button as ButtonChanged:
            state.pressed.removeAll { $0 == button.pin }
            if button.isPressed { state.pressed = (state.pressed + [button.pin]).sorted() }
        case let crash as any CrashEvent: crashed(crash, time)
        default: break
        }
    }

    private func append(_ kind: LiveLine.Kind, _ text: String, _ time: Double) {
        hub.append(LiveLine(board: id.index, time: time, kind: kind, text: text))
    }

    private func set(_ pin: BoardState.Pin) {
        if let index = state.pins.firstIndex(where: { $0.pin >= pin.pin }) {
            if state.pins[index].pin == pin.pin { state.pins[index] = pin } else { state.pins.insert(pin, at: index) }
        } else {
            state.pins.append(pin)
        }
    }

    private func forgetPins() { (state.pins, state.signals, state.servos) = ([], [], []) }

    private func set(_ change: PWMChanged) {
        state.signals.removeAll { $0.pin == change.pin }
        guard let signal = change.signal else { return }
        state.signals.append(
            BoardState.Signal(pin: change.pin, frequency: signal.hertz, duty: signal.dutyPercent))
        state.signals.sort { $0.pin < $1.pin }
    }

    private func set(_ servo: BoardState.Servo) {
        var servo = servo
        // Without a signal, the servo stays at its last angle.
        servo.angle = servo.angle ?? state.servos.first { $0.pin == servo.pin }?.angle
        state.servos.removeAll { $0.pin == servo.pin }
        state.servos.append(servo)
        state.servos.sort { $0.pin < $1.pin }
    }

    private func conflicted(_ conflict: PinConflict, _ time: Double) {
        fail("pin \(conflict.pin): \(conflict.fault)")
        append(.note, conflict.text, time)
        // For a session it is the end of a case; here the user goes on.
        Task(executorPreference: executor) { await self.session.beginCase() }
    }

    private func crashed(_ crash: any CrashEvent, _ time: Double) {
        state.crash = BoardState.Crash(
            time: time, kind: Swift.type(of: crash).kind, message: crash.message, frames: [])
        append(.crash, crash.text, time)
        Task(executorPreference: executor) { await self.addFrames(time) }
    }

    private func addFrames(_ time: Double) async {
        let frames = await session.crashFrames().map(\.text)
        // Discards this crash, so that a crash after a restart of the firmware is a new one.
        await session.beginCase()
        guard state.crash?.time == time else { return }
        state.crash?.frames = frames
        for frame in frames { append(.crash, "    " + frame, time) }
    }

    // MARK: Control

    func setPower(_ isOn: Bool) async throws {
        await begin()
        try await session.setPower(isOn, of: id)
    }

    func reset() async throws {
        await begin()
        try await session.reset(id)
    }

    private func begin() async {
        state.crash = nil
        state.fault = nil
        await session.beginCase()
    }

    func setButton(pin: Int, isPressed: Bool) async throws {
        try await session.setButton(pin: pin, isPressed: isPressed, of: id)
    }

    func type(_ line: String) async throws { try await session.type(line, to: id) }

    func set(_ part: String, _ quantity: String, to value: Double) async throws {
        let index = try parts.part(part)
        let number = try parts.quantity(quantity, of: index, for: value)
        let text = parts.wired[index].kind.quantities[number].text(value)
        try await session.set(part, quantity, to: .constant(value), text, of: id)
        parts.set(number, of: index, to: value)
    }

    func setPlugged(_ part: String, _ isPlugged: Bool) async throws {
        let index = try parts.part(part)
        try await session.setPlugged(part, isPlugged, of: id)
        parts.setPlugged(index, isPlugged)
    }
}

/// Passes the events of a bench to the boards of a page.
final class LiveObserver: RunObserver {
    private let boards = Mutex<[LiveBoardModel]>([])

    /// Sets the boards that receive events from now on.
    func setBoards(_ boards: [LiveBoardModel]) { self.boards.withLock { $0 = boards } }

    var wantsEvents: Bool { true }

    func receive(_ item: RunItem) {
        guard case .event(let event) = item else { return }
        let boards = boards.withLock { $0 }
        // If the bench has only one board, its events have no source.
        let board = boards.count == 1 ? boards.first : boards.first { $0.source == event.source }
        board?.assumeIsolated { $0.receive(event) }
    }
}
