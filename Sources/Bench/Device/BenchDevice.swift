public import BLECentral

/// What a suite runs on: a board, virtual or real, with its console, and centrals near it.
///
/// All of it runs on the executor of the runner's `Simulation`.
public protocol BenchDevice: Actor {
    /// Says who hears of events; replaces the former handler. It is called on the executor, in order.
    func setEventHandler(_ handler: @escaping @Sendable (DeviceEvent) -> Void)

    /// Switches the board's supply; returns when it is switched, not when the board has booted.
    func setPower(_ isOn: Bool) async throws

    /// Pulls the board's EN low and lets it go; returns then, not when the board has booted.
    func reset() async throws

    /// Types `bytes` into the board's console.
    func type(_ bytes: [UInt8]) async throws

    /// A central near the board, powered on; a new one for each call, with an address of its own.
    func makeCentral() async throws -> any CentralBackend
}

/// What a board does without being asked.
public enum DeviceEvent: Sendable, Hashable {
    /// It printed a line, here without its ending.
    case console(line: String)
    /// Its firmware crashed: the panic's first line.
    case panic(message: String)
    /// Its firmware hung: the watchdog's line.
    case watchdog(message: String)
    /// The bench could not do its part, e.g. run the sketch's process.
    case fault(message: String)
}
