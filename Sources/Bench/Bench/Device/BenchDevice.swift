public import BLECentral
public import BLECore
public import BLEPackets

/// What a suite runs on: a board, virtual or real, with its console, and centrals near it.
///
/// All of it runs on the executor of the runner's `BenchExecutor`.
public protocol BenchDevice: Actor {
    /// Says who hears of events; replaces the former handler. It is called on the executor, in order.
    func setEventHandler(_ handler: @escaping @Sendable (DeviceEvent) -> Void)

    /// Makes the board, which has no power now, as it was when it had just been flashed: nothing stored, no button
    /// pressed; and the air as it was: no faults, nothing lost.
    func restore() async throws

    /// Switches the board's supply; returns when it is switched, not when the board has booted.
    func setPower(_ isOn: Bool) async throws

    /// Cuts the supply when something happens, once; ``DeviceEvent/powerCut`` tells of it.
    func cutPower(at point: PowerCut) async throws

    /// Pulls the board's EN low and lets it go; returns then, not when the board has booted.
    func reset() async throws

    /// Presses or releases a button that pulls `pin` to ground.
    func setButton(pin: Int, isPressed: Bool) async throws

    /// Types `bytes` into the board's console.
    func type(_ bytes: [UInt8]) async throws

    /// Erases everything that the firmware keeps. The board has no power.
    func eraseNVS() async throws

    /// The identity addresses of the centrals that the board has bonds with, the oldest first.
    func bonds() async throws -> [DeviceAddress]

    /// Deletes the board's bond with a central, or all bonds, behind the firmware's back.
    func forgetBonds(with peer: DeviceAddress?) async throws

    /// Whether somebody near the board listens to its pairings from now on, for ``overheardPasskey()``.
    func setEavesdropping(_ isOn: Bool) async

    /// The passkey that the last passkey entry of the board gave away on the air since ``restore()``; `nil`: none did.
    func overheardPasskey() async -> UInt32?

    /// A central near the board, powered on; a new one for each call, with `address` as its identity address or, where
    /// that is `nil`, one of its own.
    func makeCentral(address: DeviceAddress?) async throws -> BenchCentral

    /// Plants a fault on the air between the board and its centrals; `number` names it.
    func plant(_ fault: PDUFault, number: Int) async throws

    /// The numbers of the faults that have not come yet.
    func faultsToCome() async -> Set<Int>

    /// Removes the faults that are still to come, and lets the air carry as before.
    func clearFaults() async throws

    /// Sets how well the air carries between the board and every central from now on: of a hundred PDUs, `loss` are
    /// lost; a signal arrives `pathLoss` dB weaker. `nil` leaves it as it is.
    func setAir(loss: Int?, pathLoss: Int?) async throws
}

/// A central of a bench.
public struct BenchCentral: Sendable {
    /// Its stack.
    public var backend: any CentralBackend
    /// Its identity address, as the board knows it.
    public var identity: DeviceAddress

    /// A central.
    public init(backend: any CentralBackend, identity: DeviceAddress) {
        self.backend = backend
        self.identity = identity
    }
}

/// When the power is to be cut.
public enum PowerCut: Sendable {
    /// When a console line is complete that the closure wants.
    case console(@Sendable (String) -> Bool)
    /// In the middle of the n-th change of the NVS from now on, n counted from 1.
    case storageWrite(Int)
    /// When the n-th PDU of a kind from now on has been received.
    case pdu(PDUPoint)
}

/// What a board does without being asked.
public enum DeviceEvent: Sendable, Hashable {
    /// It printed a line, here without its ending.
    case console(line: String)
    /// Its firmware crashed: the panic's first line.
    case panic(message: String)
    /// Its firmware hung: the watchdog's line.
    case watchdog(message: String)
    /// A servo was attached, detached or sent to an angle, in degrees; no angle: it gets no pulses.
    case servo(pin: Int, isAttached: Bool, angle: Int?)
    /// The power was cut where ``BenchDevice/cutPower(at:)`` said.
    case powerCut
    /// The bench could not do its part, e.g. run the sketch's process.
    case fault(message: String)
}
