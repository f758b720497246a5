public import BLECentral
public import BLECore

/// Where a bench's centrals come from: a host BLE stack that can be asked for one or more.
public protocol CentralProvider: Actor {
    /// The abilities of its centrals.
    nonisolated var abilities: Set<BenchAbility> { get }

    /// A central near the board, powered on; another one for each call.
    ///
    /// - Parameter address: its identity address; `nil`: one of its own. Needs ``BenchAbility/centralAddresses``.
    func makeCentral(address: DeviceAddress?) async throws -> BenchCentral

    /// How many centrals there can be at a time; `nil`: any number. Those of a limited number are used again by each
    /// case.
    nonisolated var limit: Int? { get }

    /// The centrals that were made are not used any more: where their number is limited, they can be made again.
    func releaseCentrals() async

    /// True if what its centrals store outlives the bench: then their bonds are deleted at its end.
    nonisolated var outlivesBench: Bool { get }

    /// Starts or stops posting every HCI packet of the centrals' controllers, and every controller that appears or
    /// disappears, as an event; on a virtual air those of all controllers.
    func setPacketObservation(_ isOn: Bool) async

    /// Gives back what the bench has opened for the centrals; they are not used afterwards.
    func closeStacks() async
}

extension CentralProvider {
    /// Any number.
    public nonisolated var limit: Int? { nil }

    /// Does nothing: the next case gets new centrals.
    public func releaseCentrals() async {}

    /// Bonds do not outlive the bench.
    public nonisolated var outlivesBench: Bool { false }

    /// Packets cannot be observed.
    public func setPacketObservation(_ isOn: Bool) async {}

    /// Nothing is open.
    public func closeStacks() async {}
}

/// A central of a bench.
public struct BenchCentral: Sendable {
    /// Its stack.
    public var backend: any CentralBackend
    /// Its identity address, as the board knows it; `nil` on stacks that hide it.
    public var identity: DeviceAddress?
    /// The identity addresses of peers whose bonds are not the bench's: they are neither counted nor deleted.
    public var foreignBonds: Set<DeviceAddress>

    /// A central.
    public init(backend: any CentralBackend, identity: DeviceAddress?, foreignBonds: Set<DeviceAddress> = []) {
        self.backend = backend
        self.identity = identity
        self.foreignBonds = foreignBonds
    }
}
