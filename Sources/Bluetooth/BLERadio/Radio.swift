public import BLECore
public import BLEPackets
public import MonotonicTime
public import BenchExecutor
import Synchronization

/// The radio of a bench: an ``Air`` on the bench's clock, with a port for each controller.
public actor Radio {
    /// One HCI packet that passed between a host and its controller.
    public struct Observation: Sendable {
        /// The controller.
        public var controller: ControllerID
        /// True if the host sent the packet.
        public var isFromHost: Bool
        /// The time.
        public var time: MonotonicInstant
        /// The packet.
        public var packet: HCIPacket

        /// The packet as sent over H4, with its type.
        public var h4: [UInt8] { packet.h4 }
    }

    /// A controller was added or removed.
    public struct ControllerChange: Sendable {
        /// The kind of change.
        public enum Kind: Sendable {
            /// The controller was added; its public address, and its manufacturer's company identifier.
            case added(DeviceAddress, company: UInt16)
            /// The controller was removed.
            case removed
        }

        /// The controller.
        public var controller: ControllerID
        /// The kind of change.
        public var kind: Kind
        /// The time.
        public var time: MonotonicInstant
    }

    private nonisolated let executor: BenchExecutor
    private let air: Air
    // `@exclusivity(unchecked)`: accessed several times per packet, where the run-time check costs more than the other
    // work; the compile-time checks remain.
    @exclusivity(unchecked) private var alarm: Alarm
    /// By controller; `nil`: detached.
    @exclusivity(unchecked) private var ports: [RadioPort?] = []
    /// The reported additions of the attached controllers.
    private var attached: [ControllerID: ControllerChange] = [:]
    @exclusivity(unchecked) private var observer: (@Sendable (Observation) -> Void)?
    private var controllerObserver: (@Sendable (ControllerChange) -> Void)?
    @exclusivity(unchecked) private var output: [(ControllerID, HCIPacket)] = []

    /// A radio without controllers; all its random numbers derive from `seed`.
    public init(_ executor: BenchExecutor, seed: UInt64) {
        self.executor = executor
        air = Air(seed: seed)
        alarm = Alarm(executor)
    }

    /// The bench's one executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Adds a controller and returns the port for its host. `txPower` is in dBm.
    public func attach(
        address: DeviceAddress, personality: ControllerPersonality = .esp32, txPower: Int8 = 3
    ) -> RadioPort {
        let id = air.addController(address: address, personality: personality, txPower: txPower)
        let port = RadioPort(id, executor) { [weak self] port in
            self?.assumeIsolated { $0.forwardPackets(of: port) }
        }
        air.setCongestion({ [weak port] in port?.isCongested ?? false }, of: id)
        ports.append(port)
        let change = ControllerChange(
            controller: id, kind: .added(address, company: personality.companyIdentifier), time: executor.now)
        attached[id] = change
        controllerObserver?(change)
        return port
    }

    /// Removes a controller at once, as at a power loss. Its port is unusable from then on.
    public func detach(_ port: RadioPort) {
        guard ports.indices.contains(port.id.rawValue), ports[port.id.rawValue] === port else { return }
        ports[port.id.rawValue] = nil
        air.advance(to: executor.now)
        air.removeController(port.id, now: executor.now)
        deliverOutput()
        attached[port.id] = nil
        controllerObserver?(ControllerChange(controller: port.id, kind: .removed, time: executor.now))
    }

    /// Changes a controller's personality and resets the controller. Does nothing if it already has this personality.
    public func setPersonality(_ personality: ControllerPersonality, of port: RadioPort) {
        air.advance(to: executor.now)
        air.setPersonality(personality, of: port.id, now: executor.now)
        deliverOutput()
    }

    /// Sets a controller's transmit power, in dBm.
    public func setTransmitPower(_ power: Int8, of port: RadioPort) {
        air.advance(to: executor.now)
        air.setTransmitPower(power, of: port.id)
    }

    /// Sets the radio path between two controllers.
    public func setPath(_ path: RadioPath, between one: ControllerID, and other: ControllerID) {
        air.advance(to: executor.now)
        air.setPath(path, between: one, and: other, now: executor.now)
        deliverOutput()
    }

    /// The current connections, oldest first: both controllers, and the RSSI of the peripheral at the central, in dBm.
    public var connections: [(central: ControllerID, peripheral: ControllerID, strength: Int)] { air.connections }

    /// True if the last advertisement of a controller, or of one of its sets, came from this address, public or random.
    public func advertises(_ controller: ControllerID, from address: DeviceAddress) -> Bool {
        air.advertises(controller, from: address)
    }

    /// Adds a fault on the links of `controller` (`nil`: on all links); the fault counts PDUs from now on.
    public func add(_ fault: PDUFault, at controller: ControllerID? = nil) -> RadioFaultID {
        air.advance(to: executor.now)
        defer { deliverOutput() }
        return air.add(fault, at: controller)
    }

    /// Removes a fault. Its effects remain: a delayed PDU stays delayed.
    public func remove(_ fault: RadioFaultID) {
        air.advance(to: executor.now)
        air.remove(fault)
        deliverOutput()
    }

    /// The number of PDUs affected by a fault; 0 after its removal.
    public func hits(of fault: RadioFaultID) -> Int {
        air.advance(to: executor.now)
        defer { deliverOutput() }
        return air.hits(of: fault)
    }

    /// Sets the observer of every HCI packet, in order; `nil`: none.
    public func setObserver(_ observer: (@Sendable (Observation) -> Void)?) {
        self.observer = observer
    }

    /// Sets the observer of added and removed controllers; existing controllers are reported at once. Its calls and
    /// those of the packets' observer keep the order of the events. `nil`: none.
    public func setControllerObserver(_ observer: (@Sendable (ControllerChange) -> Void)?) {
        controllerObserver = observer
        guard let observer else { return }
        for change in attached.values.sorted(by: { $0.controller.rawValue < $1.controller.rawValue }) {
            observer(change)
        }
    }

    // MARK: Events

    private func forwardPackets(of port: RadioPort) {
        let now = executor.now
        air.advance(to: now, dropsLateReports: true)
        var packets = port.drainOutgoing()
        // Reversed, so that each packet can be removed from the end of the array and its bytes are uniquely referenced.
        packets.reverse()
        while let packet = packets.popLast() {
            guard ports[port.id.rawValue] === port else { break }
            observer?(Observation(controller: port.id, isFromHost: true, time: now, packet: packet))
            air.receive(packet, from: port.id, now: now)
        }
        deliverOutput()
    }

    private func wake() {
        alarm.fired()
        air.advance(to: executor.now, dropsLateReports: true)
        deliverOutput()
    }

    /// Delivers the controllers' packets, and sets the alarm for their next event.
    private func deliverOutput() {
        air.drainOutput(&output)
        if !output.isEmpty {
            let now = executor.now
            for (id, packet) in output {
                observer?(Observation(controller: id, isFromHost: false, time: now, packet: packet))
                ports[id.rawValue]?.deliver(packet)
            }
            output.removeAll(keepingCapacity: true)
        }
        alarm.set(air.nextDeadline, { [weak self] in self?.assumeIsolated { $0.wake() } })
    }
}

/// The transport between a host and its controller on a ``Radio``.
///
/// Packets sent together reach the controller as one event. Packets from the controller are delivered in an event of
/// the radio; during the call the receiver may send, but must not call the radio.
public final class RadioPort: HCITransport {
    private struct State {
        var outgoing: [HCIPacket] = []
        /// Packets queued until a receiver is set.
        var incoming: [HCIPacket] = []
        var receiver: (@Sendable (HCIPacket) -> Void)?
        var isCongested: (@Sendable () -> Bool)?
    }

    /// The controller.
    public let id: ControllerID
    private let executor: BenchExecutor
    private let state = Mutex(State())
    private let wakeRadio: @Sendable (RadioPort) -> Void

    init(_ id: ControllerID, _ executor: BenchExecutor, wakeRadio: @escaping @Sendable (RadioPort) -> Void) {
        self.id = id
        self.executor = executor
        self.wakeRadio = wakeRadio
    }

    /// Sends a packet to the controller, which receives it in a separate event.
    public func send(_ packet: HCIPacket) {
        let isFirst = state.withLock { state in
            state.outgoing.append(packet)
            return state.outgoing.count == 1
        }
        if isFirst { executor.post { self.wakeRadio(self) } }
    }

    /// Sets the receiver of packets from the controller; queued packets are delivered first.
    public func setReceiver(_ receiver: @escaping @Sendable (HCIPacket) -> Void) {
        let hasPackets = state.withLock { state in
            state.receiver = receiver
            return !state.incoming.isEmpty
        }
        if hasPackets { executor.post { self.deliverKept() } }
    }

    /// Sets a closure that returns true while the host is behind with reading: then the controller drops advertising
    /// reports.
    public func setCongestion(_ isCongested: @escaping @Sendable () -> Bool) {
        state.withLock { $0.isCongested = isCongested }
    }

    var isCongested: Bool {
        let isCongested = state.withLock { $0.isCongested }
        return isCongested?() ?? false
    }

    private func deliverKept() {
        let (receiver, packets) = state.withLock { state in
            defer { state.incoming.removeAll() }
            return (state.receiver, state.incoming)
        }
        for packet in packets { receiver?(packet) }
    }

    func drainOutgoing() -> [HCIPacket] {
        state.withLock { state in
            defer { state.outgoing = [] }
            return state.outgoing
        }
    }

    func deliver(_ packet: HCIPacket) {
        let receiver = state.withLock { state -> (@Sendable (HCIPacket) -> Void)? in
            // Deliver queued packets first.
            if let receiver = state.receiver, state.incoming.isEmpty { return receiver }
            state.incoming.append(packet)
            return nil
        }
        receiver?(packet)
    }
}
