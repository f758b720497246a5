public import BenchExecutor
public import BenchModel
public import BLECore
public import ESPFlasher
public import ESPImage
public import MonotonicTime
public import Synchronization

/// A board of a bench: its supply, reset, flash, console and buttons. A board does not implement operations that it
/// lacks, and does not list them among its abilities.
public protocol Board: Actor {
    /// The abilities of the board.
    nonisolated var abilities: Set<BenchAbility> { get }

    /// True if the board posts the firmware's crashes as events; then the console is not searched for crashes.
    nonisolated var noticesCrashes: Bool { get }

    /// The board's public Bluetooth address; `nil`: not known.
    nonisolated var bluetoothAddress: DeviceAddress? { get }

    /// True if the board advertises from this address: its public address, or a random address that the bench has seen
    /// on the air. Called on the bench's executor.
    nonisolated func advertises(from address: DeviceAddress) -> Bool

    /// The source of the board's events; an event of the board itself has the source ``BenchBoard/onlyName``.
    nonisolated var events: EventPort<BoardEvent> { get }

    /// Writes an image through the serial bootloader; then leaves the board without power, if the supply can be
    /// switched.
    func flash(_ layout: FlashLayout, progress: @escaping @Sendable (FlashProgress) -> Void) async throws

    /// Restores the board's state after flashing: empty NVS, no button pressed, and the supply off if it can be
    /// switched.
    func restore() async throws

    /// Switches the supply; returns after switching, without waiting for the board to boot.
    func setPower(_ isOn: Bool) async throws

    /// Lowers the supply's voltage for a moment, so far that the brownout detector resets the chip.
    func brownOut() async throws

    /// Switches the supply off at once.
    func cutPower() throws

    /// Pulls EN low and releases it; returns without waiting for the board to boot.
    func reset() async throws

    /// Presses or releases a button that pulls `pin` to ground.
    ///
    /// - Throws: ``ButtonWithoutEffect``.
    func setButton(pin: Int, isPressed: Bool) async throws

    /// Sends `bytes` to the console.
    func type(_ bytes: [UInt8]) async throws

    /// Makes the far end of a UART beside the console send `bytes`; returns when the bytes are queued, not when they
    /// are sent. Received bytes are posted as ``UARTBytesReceived``.
    func send(_ bytes: [UInt8], uart: Int) async throws

    /// Sets whether the far end of a UART sends only while the board asserts RTS, and whether the far end asserts CTS;
    /// `nil`: unchanged.
    func wire(uart: Int, watchesRTS: Bool?, clearToSend: Bool?) async throws

    /// True if ``tasks()`` can be asked while the firmware runs.
    nonisolated var knowsTasks: Bool { get }

    /// The firmware's tasks at this moment, without an effect on the firmware; `nil`: not known, or no firmware runs.
    func tasks() async -> BoardTasks?

    /// Closes the resources that the bench has opened for the board; the board is not used afterwards.
    func closePort() async
}

/// Defaults for boards that do not implement a function.
extension Board {
    /// By default crashes are detected from the console.
    public nonisolated var noticesCrashes: Bool { false }

    /// By default the address is not known.
    public nonisolated var bluetoothAddress: DeviceAddress? { nil }

    /// By default true for its public address only.
    public nonisolated func advertises(from address: DeviceAddress) -> Bool { address == bluetoothAddress }

    /// Throws ``UnsupportedByBench``.
    public func brownOut() async throws { throw UnsupportedByBench(.brownout) }

    /// Throws ``UnsupportedByBench``.
    public func flash(_ layout: FlashLayout, progress: @escaping @Sendable (FlashProgress) -> Void) async throws {
        throw UnsupportedByBench(.flash)
    }

    /// Throws ``UnsupportedByBench``.
    public func setPower(_ isOn: Bool) async throws { throw UnsupportedByBench(.power) }

    /// Throws ``UnsupportedByBench``.
    public func cutPower() throws { throw UnsupportedByBench(.power) }

    /// Throws ``UnsupportedByBench``.
    public func reset() async throws { throw UnsupportedByBench(.reset) }

    /// Throws ``UnsupportedByBench``.
    public func setButton(pin: Int, isPressed: Bool) async throws { throw UnsupportedByBench(.buttons) }

    /// By default the tasks are not known.
    public nonisolated var knowsTasks: Bool { false }

    /// By default not known.
    public func tasks() async -> BoardTasks? { nil }

    /// By default nothing is open.
    public func closePort() async {}

    /// Throws ``UnsupportedByBench``.
    public func send(_ bytes: [UInt8], uart: Int) async throws { throw UnsupportedByBench(.uarts) }

    /// Throws ``UnsupportedByBench``.
    public func wire(uart: Int, watchesRTS: Bool?, clearToSend: Bool?) async throws {
        throw UnsupportedByBench(.uarts)
    }

    /// Throws ``UnsupportedByBench``.
    public func type(_ bytes: [UInt8]) async throws { throw UnsupportedByBench(.console) }
}

/// An event that a board posts.
public enum BoardEvent: Sendable {
    /// It sent bytes on its console.
    case console([UInt8])
    /// An event that the timeline records unchanged: a crash that the board itself notices, servos, packets.
    case event(BenchEvent)
    /// The level of a pin at an instant: by far the most frequent events, which have a case for speed.
    case pin(PinChanged, MonotonicInstant)
    /// The bench failed, e.g. to run the sketch's process; the board cannot be used until it is switched on again.
    case fault(message: String)
}

/// The firmware cannot notice that a button was pressed or released: the button's pin is not an input.
public struct ButtonWithoutEffect: Error, CustomStringConvertible {
    /// The reason, one line.
    public let description: String

    /// With its reason.
    public init(_ reason: String) { description = reason }
}

/// Reads and changes the data that the firmware stores, without the firmware's knowledge.
public protocol BoardStorage: Actor {
    /// The abilities of this storage, a subset of ``BenchAbility/boardStorage`` and ``BenchAbility/storageErase``.
    nonisolated var storageAbilities: Set<BenchAbility> { get }

    /// Erases all data that the firmware stores. The board must have no power.
    func eraseNVS() async throws

    /// The identity addresses of the centrals that the board has bonds with, the oldest first.
    func bonds() async throws -> [DeviceAddress]

    /// Deletes the board's bond with a central, or all bonds.
    func forgetBonds(with peer: DeviceAddress?) async throws
}

extension BoardStorage {
    /// By default both abilities.
    public nonisolated var storageAbilities: Set<BenchAbility> { [.boardStorage, .storageErase] }

    /// Throws ``UnsupportedByBench``.
    public func bonds() async throws -> [DeviceAddress] { throw UnsupportedByBench(.boardStorage) }

    /// Throws ``UnsupportedByBench``.
    public func forgetBonds(with peer: DeviceAddress?) async throws { throw UnsupportedByBench(.boardStorage) }
}

/// Measures at the board's pins. Measurements are posted as events of the board, except for values that change
/// continuously.
public protocol Instruments: Actor {
    /// The abilities of the instruments.
    nonisolated var instrumentAbilities: Set<BenchAbility> { get }

    /// The chip's heap at this moment; `nil`: it cannot be measured, or no firmware runs.
    var heap: BoardHeap? { get async }

    /// The pins that the running firmware uses as inputs, in order: a button may be pressed there.
    var inputPins: [Int] { get async }
}

extension Instruments {
    /// By default they are not known.
    public var inputPins: [Int] { [] }

    /// By default the heap cannot be measured.
    public var heap: BoardHeap? { nil }
}

/// The port to which a role of a bench posts its events: from any thread, in order.
///
/// The handler runs on the bench's executor: at once if the poster runs on the executor and no event waits, otherwise
/// as soon as the executor gets to the event. Events posted before a handler is set are kept, at most ``capacity``.
public final class EventPort<Event: Sendable>: Sendable {
    /// The most events that wait for a handler; beyond it the oldest are dropped.
    public static var capacity: Int { 1024 }

    @usableFromInline struct State {
        @usableFromInline var handler: (@Sendable (Event) -> Void)?
        @usableFromInline var waiting: [Event] = []
        @usableFromInline var isDraining = false
    }

    @usableFromInline let executor: BenchExecutor
    @usableFromInline let state = Mutex(State())

    /// A port to `executor`.
    public init(_ executor: BenchExecutor) {
        self.executor = executor
    }

    /// Sets the handler of events; replaces the former handler. Must be called on the executor.
    public func setHandler(_ handler: (@Sendable (Event) -> Void)?) {
        state.withLock { $0.handler = handler }
        drain()
    }

    /// Posts an event. Inlinable, so that each kind of events has its own code.
    @inlinable public func post(_ event: Event) {
        let isOnExecutor = executor.isIsolatingCurrentContext() == true
        let direct: (@Sendable (Event) -> Void)? = state.withLock { state in
            if isOnExecutor, state.waiting.isEmpty, !state.isDraining, let handler = state.handler { return handler }
            if state.waiting.count == Self.capacity { state.waiting.removeFirst() }
            state.waiting.append(event)
            return nil
        }
        if let direct { return direct(event) }
        if !isOnExecutor { executor.post { self.drain() } }
    }

    /// Passes the waiting events to the handler, in order.
    @usableFromInline func drain() {
        while true {
            let next: (@Sendable (Event) -> Void, Event)? = state.withLock { state in
                guard let handler = state.handler, !state.waiting.isEmpty else {
                    state.isDraining = false
                    return nil
                }
                state.isDraining = true
                return (handler, state.waiting.removeFirst())
            }
            guard let (handler, event) = next else { return }
            handler(event)
        }
    }
}
