public import BLECore
public import BenchModel
public import ESPFlasher
public import ESPImage

/// A board of a bench: its supply, reset, flash, console and buttons. What a board cannot do it does not implement, and
/// does not have among its abilities.
public protocol Board: Actor {
    /// What it can do.
    nonisolated var abilities: Set<BenchAbility> { get }

    /// Whether it posts the firmware's crashes as events: then its console is not searched for them.
    nonisolated var noticesCrashes: Bool { get }

    /// Its public Bluetooth address; `nil`: not known.
    nonisolated var bluetoothAddress: DeviceAddress? { get }

    /// Whether an advertisement from this address is its own: its public address, and where the bench sees it on the air
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

    /// Lets the far end of a UART beside the console send `bytes`; returns when they wait there, not when they are sent.
    /// What it receives it posts as ``UARTBytesReceived``.
    func send(_ bytes: [UInt8], uart: Int) async throws

    /// Sets whether the far end of a UART sends only while the board's RTS asks for bytes, and whether it gives CTS; `nil`:
    /// as it is.
    func wire(uart: Int, watchesRTS: Bool?, clearToSend: Bool?) async throws

    /// Gives back what the bench has opened for the board; it is not used afterwards.
    func closePort() async
}

/// What a board that does not implement something does.
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

/// What a board does without being asked.
public enum BoardEvent: Sendable {
    /// It sent bytes on its console.
    case console([UInt8])
    /// Something that the timeline keeps as it is: crashes that the board itself notices, pins, servos, packets.
    case event(BenchEvent)
    /// The bench could not do its part, e.g. run the sketch's process; the board is of no use until it is switched on
    /// again.
    case fault(message: String)
}

/// A button was pressed that the firmware cannot notice, or released without it having noticed: its pin is no input.
public struct ButtonWithoutEffect: Error, CustomStringConvertible {
    /// The reason, one line.
    public let description: String

    /// With its reason.
    public init(_ reason: String) { description = reason }
}
