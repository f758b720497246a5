public import BenchExecutor
public import BenchModel
public import BLECore
public import ESPFlasher
public import ESPImage
public import Synchronization

/// A board of a bench: its supply, reset, flash, console and buttons. A board does not implement operations that it
/// lacks, and does not list them among its abilities.
public protocol Board: Actor {
    /// The abilities of the board.
    nonisolated var abilities: Set<BenchAbility> { get }

    /// True if it posts the firmware's crashes as events: then its console is not searched for them.
    nonisolated var noticesCrashes: Bool { get }

    /// Its public Bluetooth address; `nil`: not known.
    nonisolated var bluetoothAddress: DeviceAddress? { get }

    /// True if an advertisement from this address is its own: its public address, and where the bench sees it on the air
    /// also a random one. Called on the bench's executor.
    nonisolated func advertises(from address: DeviceAddress) -> Bool

    /// Where its events come from; an event of the board itself has the source ``BenchBoard/onlyName``.
    nonisolated var events: EventPort<BoardEvent> { get }

    /// Writes an image through the serial bootloader and leaves the board without power, where that can be switched.
    func flash(_ layout: FlashLayout, progress: @escaping @Sendable (FlashProgress) -> Void) async throws

    /// Makes the board as it was when it had just been flashed: nothing stored, no button pressed. Where the supply can
    /// be switched, it is off.
    func restore() async throws

    /// Switches the supply; returns when it is switched, not when the board has booted.
    func setPower(_ isOn: Bool) async throws

    /// Lets the supply's voltage drop for a moment, so far that the brownout detector resets the chip.
    func brownOut() async throws

    /// Switches the supply off at once.
    func cutPower() throws

    /// Pulls EN low and lets it go; returns then, not when the board has booted.
    func reset() async throws

    /// Presses or releases a button that pulls `pin` to ground.
    ///
    /// - Throws: ``ButtonWithoutEffect``.
    func setButton(pin: Int, isPressed: Bool) async throws

    /// Sends `bytes` to the console.
    func type(_ bytes: [UInt8]) async throws

    /// Lets the far end of a UART beside the console send `bytes`; returns when they wait there, not when they are
    /// sent. Received bytes are posted as ``UARTBytesReceived``.
    func send(_ bytes: [UInt8], uart: Int) async throws

    /// Sets whether the far end of a UART sends only while the board's RTS asks for bytes, and whether it gives CTS; `nil`:
    /// as it is.
    func wire(uart: Int, watchesRTS: Bool?, clearToSend: Bool?) async throws

    /// Gives back what the bench has opened for the board; it is not used afterwards.
    func closePort() async
}

/// Defaults for boards that do not implement a function.
extension Board {
    /// Its console tells.
    public nonisolated var noticesCrashes: Bool { false }

    /// Not known.
    public nonisolated var bluetoothAddress: DeviceAddress? { nil }

    /// Its public address.
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

    /// Nothing is open.
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

/// An event that a board reports on its own.
public enum BoardEvent: Sendable {
    /// It sent bytes on its console.
    case console([UInt8])
    /// Something that the timeline keeps as it is: crashes that the board itself notices, pins, servos, packets.
    case event(BenchEvent)
    /// The bench could not do its part, e.g. run the sketch's process; the board is of no use until it is switched on
    /// again.
    case fault(message: String)
}

/// A button was pressed that the firmware cannot notice, or released without it having noticed: its pin is not an
/// input.
public struct ButtonWithoutEffect: Error, CustomStringConvertible {
    /// The reason, one line.
    public let description: String

    /// With its reason.
    public init(_ reason: String) { description = reason }
}

/// Reads and changes the data that the firmware stores, without its knowledge.
public protocol BoardStorage: Actor {
    /// The abilities it has, of ``BenchAbility/boardStorage`` and ``BenchAbility/storageErase``.
    nonisolated var storageAbilities: Set<BenchAbility> { get }

    /// Erases everything that the firmware keeps. The board has no power.
    func eraseNVS() async throws

    /// The identity addresses of the centrals that the board has bonds with, the oldest first.
    func bonds() async throws -> [DeviceAddress]

    /// Deletes the board's bond with a central, or all bonds.
    func forgetBonds(with peer: DeviceAddress?) async throws
}

extension BoardStorage {
    /// Both.
    public nonisolated var storageAbilities: Set<BenchAbility> { [.boardStorage, .storageErase] }

    /// Throws ``UnsupportedByBench``.
    public func bonds() async throws -> [DeviceAddress] { throw UnsupportedByBench(.boardStorage) }

    /// Throws ``UnsupportedByBench``.
    public func forgetBonds(with peer: DeviceAddress?) async throws { throw UnsupportedByBench(.boardStorage) }
}

/// Measures at the board's pins. Measurements are posted as events of the board, except for what changes all the time.
public protocol Instruments: Actor {
    /// The abilities of the instruments.
    nonisolated var instrumentAbilities: Set<BenchAbility> { get }

    /// The chip's heap at this moment; `nil`: it cannot be seen, or no firmware runs.
    var heap: BoardHeap? { get async }
}

extension Instruments {
    /// Not seen.
    public var heap: BoardHeap? { nil }
}

/// Where a role of a bench posts its events: from any thread, in order.
///
/// The handler runs on the bench's executor: at once where the poster runs on it and nothing waits, else as soon as the
/// executor comes to it. Events before there is a handler are kept for it, at most ``capacity``.
public final class EventPort<Event: Sendable>: Sendable {
    /// How many events wait for a handler at most; the oldest are dropped.
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

    /// Sets who receives events; replaces the former handler. Must be called on the executor.
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

    /// Hands what waits to the handler, in order.
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
