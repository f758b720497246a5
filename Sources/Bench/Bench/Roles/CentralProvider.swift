public import BLECentral
public import BLECore

/// The source of a bench's centrals: a host BLE stack that provides one or more.
public protocol CentralProvider: Actor {
    /// The abilities of its centrals.
    nonisolated var abilities: Set<BenchAbility> { get }

    /// A new central near the board, powered on.
    ///
    /// - Parameter address: its identity address, which needs ``BenchAbility/centralAddresses``; `nil`: the provider
    ///   chooses one.
    func makeCentral(address: DeviceAddress?) async throws -> BenchCentral

    /// The most centrals at a time; `nil`: any number. With a limit, every case uses the same centrals.
    nonisolated var limit: Int? { get }

    /// Releases all centrals: if their number is limited, they can be made again.
    func releaseCentrals() async

    /// True if bonds of the centrals outlive the bench; then the bench deletes them at its end.
    nonisolated var outlivesBench: Bool { get }

    /// Starts or stops posting as events the HCI packets of the centrals' controllers, and controllers that appear or
    /// disappear; on a virtual air, of all controllers.
    func setPacketObservation(_ isOn: Bool) async

    /// Closes the resources that the bench has opened for the centrals; they are not used afterwards.
    func closeStacks() async
}

extension CentralProvider {
    /// By default any number.
    public nonisolated var limit: Int? { nil }

    /// Does nothing: the next case gets new centrals.
    public func releaseCentrals() async {}

    /// Bonds do not outlive the bench.
    public nonisolated var outlivesBench: Bool { false }

    /// By default packets cannot be observed.
    public func setPacketObservation(_ isOn: Bool) async {}

    /// By default nothing is open.
    public func closeStacks() async {}
}

/// A central of a bench.
public struct BenchCentral: Sendable {
    /// The central's stack.
    public var backend: any CentralBackend
    /// The central's identity address, as the board knows it; `nil` on stacks that hide it.
    public var identity: DeviceAddress?
    /// The identity addresses of peers whose bonds existed before the bench: these bonds are neither counted nor
    /// deleted.
    public var foreignBonds: Set<DeviceAddress>

    /// A central.
    public init(backend: any CentralBackend, identity: DeviceAddress?, foreignBonds: Set<DeviceAddress> = []) {
        self.backend = backend
        self.identity = identity
        self.foreignBonds = foreignBonds
    }
}
