public import BLECentral
internal import BLECore
public import BenchExecutor
public import DBus
internal import MonotonicTime

/// BlueZ in the central role: bluetoothd of this machine, over the system bus.
///
/// An actor on the executor of a bench, which runs in real time. Events keep the order in which bluetoothd sent them.
/// Notifications of one characteristic keep their order, and are handled before the results of operations that the peer
/// answered later.
///
/// BlueZ exchanges the MTU, discovers services and encrypts links without a request. BlueZ pairs when a peer refuses an
/// access for lack of security. BlueZ hides the reasons of disconnections and failed pairings; the kernel reports the
/// reasons of disconnections if this process has CAP_NET_ADMIN (``CentralAbility/disconnectReason``). Notifications
/// before ``setSubscription(_:of:on:)``, which a bonded peer may send, are lost. Services that bluetoothd itself uses
/// (GAP, battery, device information) are not discovered.
public actor BlueZCentral: CentralBackend {
    /// The bench.
    public nonisolated let executor: BenchExecutor

    /// The bench's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The abilities that BlueZ gives its clients, and ``CentralAbility/disconnectReason`` if the kernel reports
    /// reasons to this process.
    public nonisolated let abilities: Set<CentralAbility>

    /// The central's events, posted on the bench's executor.
    public nonisolated let events = CentralEventQueue()

    /// The kernel's events; `nil` without the permission for them.
    let management: ManagementSocket?
    var managementWatch: BenchExecutor.Watch?
    var packetObservation: PacketObservation?
    var reasons = DisconnectionReasons()

    let adapterName: String?
    let address: DBusAddress
    let keepsBonds: Bool
    let powersOn: Bool
    var session: Session?
    /// The number of the latest session: messages for an earlier session are ignored.
    var sessionNumber = 0
    /// Why the last session was lost.
    var loss: CentralError?
    var tree = ObjectTree()
    var security = CentralSecurity()

    var connections: [Connection] = []
    var lastConnection: UInt32 = 0
    var lastOperation = 0
    var attempts: [String: Attempt] = [:]
    var deviceWaiters: [DeviceWaiter] = []
    /// The devices to which bluetoothd may make unrequested connections, and when their last connections ended.
    var unsettled: [String: MonotonicInstant] = [:]
    /// The devices to which this central has connected.
    var usedDevices: Set<String> = []
    /// The devices whose bonds this central has made with an authenticated key.
    var authenticatedDevices: Set<String> = []
    var reporter: ScanReporter?
    var connectability = ConnectabilityReports()
    /// True if ``startScanning(_:)`` was called.
    var isScanning = false
    /// How many attempts to connect wait for a device that bluetoothd does not know.
    var searchCount = 0
    /// True if bluetoothd runs a device discovery for this client; `discovery` is the number of this discovery.
    var isDiscovering = false
    var discovery = 0
    /// The task that last started or stopped the discovery.
    var discoveryUpdate: Task<CentralError?, Never>?
    var powerWaiters: [CheckedContinuation<Void, Never>]?
    /// The agent's call that waits for an answer, for each device.
    var pairingCalls: [String: PairingCall] = [:]

    /// A central on an adapter of bluetoothd.
    ///
    /// - Parameters:
    ///   - executor: the bench's executor; it must run in real time.
    ///   - adapter: e.g. `hci0`; `nil`: the first that is powered on, or else the first.
    ///   - bus: the bus on which bluetoothd is.
    ///   - keepsBonds: whether bonds and cached services of peers that bluetoothd did not know before ``powerOn()`` stay
    ///     after ``close()``.
    ///   - powersOn: whether an adapter that is off is switched on until ``close()``; if false, such an adapter is an
    ///     error.
    public init(
        executor: BenchExecutor, adapter: String? = nil, bus: DBusAddress = .system, keepsBonds: Bool = false,
        powersOn: Bool = true
    ) {
        self.executor = executor
        adapterName = adapter
        address = bus
        self.keepsBonds = keepsBonds
        self.powersOn = powersOn
        management = ManagementSocket()
        var abilities: Set<CentralAbility> = [
            .address, .attributeHandles, .reliableWrites, .pairing, .pairingControl, .encryption, .bondList,
            .advertisedData,
        ]
        if let management {
            abilities.insert(.disconnectReason)
            if management.readsRSSI { abilities.insert(.connectionRSSI) }
        }
        self.abilities = abilities
    }

    deinit {
        for watch in [managementWatch, packetObservation?.watch].compactMap(\.self) { executor.unwatch(watch) }
    }

    /// The adapter in use, e.g. `hci0`; `nil` before ``powerOn()``.
    public var adapter: String? { session.map { Self.name($0.adapter) } }

    /// The last element of an object's path.
    package static func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

    // MARK: Calls

    /// Runs a closure at an instant, on the executor, if this central still exists then.
    @discardableResult
    nonisolated func schedule(
        at instant: MonotonicInstant, _ body: @escaping @Sendable (isolated BlueZCentral) -> Void
    ) -> BenchExecutor.Event {
        executor.schedule(at: instant) { [weak self] in self?.assumeIsolated { body($0) } }
    }

    /// Runs a closure as soon as the executor is free.
    nonisolated func post(_ body: @escaping @Sendable (isolated BlueZCentral) -> Void) {
        schedule(at: executor.now, body)
    }

    /// Calls a method of an object of BlueZ, if there is a session.
    func send(
        _ path: String, _ interface: String, _ method: String,
        within timeout: Duration? = DBusConnection.defaultTimeout,
        _ completion: @escaping @Sendable (isolated BlueZCentral, DBusConnection.Reply) -> Void = { _, _ in }
    ) {
        session?.bus.call(DBusMessage(call: BlueZ.service, path, interface, method), within: timeout) {
            [weak self] reply in
            self?.assumeIsolated { completion($0, reply) }
        }
    }

    /// The session; throws if there is none.
    func currentSession(_ operation: @autoclosure () -> String) throws(CentralError) -> Session {
        if let session { return session }
        if let loss { throw CentralError(loss, during: operation()) }
        throw CentralError(.invalidState, "\(operation()): the central is not powered on")
    }

    /// Calls a method of BlueZ that belongs to no connection.
    @discardableResult
    func call(
        _ operation: String, _ path: String, _ interface: String, _ method: String, _ body: [DBusValue] = [],
        within timeout: Duration? = DBusConnection.defaultTimeout
    ) async throws(CentralError) -> [DBusValue] {
        let session = try currentSession(operation)
        do throws(DBusError) {
            return try await session.bus.call(
                DBusMessage(call: BlueZ.service, path, interface, method, body), within: timeout)
        } catch {
            if sessionNumber != session.number || self.session == nil, let loss {
                throw CentralError(loss, during: operation)
            }
            throw CentralError(error, operation)
        }
    }

    // MARK: Signals

    /// Handles a signal of the bus.
    func received(_ signal: DBusMessage) {
        guard let session else {
            // ``powerOn()`` is still running.
            _ = tree.receive(signal)
            return
        }
        if signal.member == "NameOwnerChanged" { return ownerChanged(signal, session) }
        guard signal.sender == session.owner else { return }
        if signal.member == "PropertiesChanged", signal.body.first?.text == BlueZ.characteristic,
            let value = signal.body.dropFirst().first?.members?["Value"]?.octets, let path = signal.path
        {
            valueChanged(path, value)
        }
        for change in tree.receive(signal) { handle(change) }
    }

    private func ownerChanged(_ signal: DBusMessage, _ session: Session) {
        guard signal.body.count == 3, signal.body[0].text == BlueZ.service, signal.body[1].text == session.owner else {
            return
        }
        lost("bluetoothd has ended: \(BlueZ.service) has left the bus", .service)
    }

    private func handle(_ change: ObjectTree.Change) {
        switch change {
        case .removed(let path, BlueZ.adapter) where path == session?.adapter:
            lost("the adapter \(Self.name(path)) was removed", .adapter)
        case .changed(let path, BlueZ.adapter, let properties) where path == session?.adapter:
            // An unplugged adapter is reported as powered off first.
            if properties.contains("Powered"), tree.properties(path, BlueZ.adapter)?["Powered"]?.bool == false {
                lost("the adapter \(Self.name(path)) was powered off or unplugged", .power)
            }
        case .added(let path, BlueZ.device):
            endDeviceWaits(true) { $0.path == path }
            reportAdvertisement(path)
        case .removed(let path, BlueZ.device): connectionChanged(path, isConnected: false)
        case .changed(let path, BlueZ.device, let properties): deviceChanged(path, properties)
        default: break
        }
    }

    private func deviceChanged(_ path: String, _ properties: Set<String>) {
        guard let device = Device(tree, path) else { return }
        if properties.contains("Connected") { connectionChanged(path, isConnected: device.isConnected) }
        if properties.contains("ServicesResolved"), device.hasResolvedServices { servicesResolved(path) }
        if !properties.isDisjoint(with: ["Paired", "Bonded", "Connected"]) { securityChanged(device) }
        if !properties.isDisjoint(with: ScanReporter.properties) { reportAdvertisement(path) }
    }
}
