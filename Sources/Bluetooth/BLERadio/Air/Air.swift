public import BLECore
public import BLEPackets
public import MonotonicTime

/// The radio medium and its controllers: determines which packets are received, when, and with which RSSI.
///
/// A pure state machine. Input: HCI packets by ``receive(_:from:now:)``, time by ``advance(to:)``; output: HCI packets
/// by ``drainOutput(_:)``. Only packets with an effect are scheduled: connection events without data and advertisements
/// without listeners cost nothing.
public final class Air {
    enum Event {
        case advertising(AdvertisingSet)
        case scanning(Controller)
        case connection(Link)
        case supervision(Link)
        case update(Link)
        case phyUpdate(Link)
        case responseTimeout(LinkEnd, LinkControlOpcode)
        case resumption(LinkEnd)
    }

    // `@exclusivity(unchecked)`: accessed several times per packet, where the run-time check costs more than the other
    // work; the compile-time checks remain.
    @exclusivity(unchecked) var now: Int64 = 0
    @exclusivity(unchecked) var queue = DeadlineQueue<Event>()
    /// By identifier; `nil`: removed.
    @exclusivity(unchecked) var controllers: [Controller?] = []
    /// The controllers that scan or initiate, by identifier.
    var listeners: [Controller] = []
    @exclusivity(unchecked) var links: [Link] = []
    var paths: [ControllerPair: RadioPath] = [:]
    var lossRandom: SeededRandom
    /// In the order they were added.
    var faults: [ActiveFault] = []
    var faultCount = 0
    private let random: SeededRandom
    @exclusivity(unchecked) private var output: [(ControllerID, HCIPacket)] = []
    /// True if the radio is late and has many packets to deliver: then it does not report advertisements, so that it
    /// can catch up.
    private(set) var isOverloaded = false

    /// The limits of pending packets to hosts and of lateness, in nanoseconds, beyond which advertisements are not
    /// reported.
    private static let overload = (packets: 1024, lateness: Int64(20_000_000))

    /// A medium without controllers; all its random numbers derive from `seed`.
    public init(seed: UInt64) {
        random = SeededRandom(seed: seed).fork("air")
        lossRandom = random.fork("loss")
    }

    deinit {
        // Break the reference cycle between connections and controllers.
        for controller in controllers { controller?.ends.removeAll() }
    }

    // MARK: Controllers

    /// Adds a controller. `txPower` is in dBm.
    public func addController(
        address: DeviceAddress, personality: ControllerPersonality, txPower: Int8 = 3
    ) -> ControllerID {
        let id = ControllerID(rawValue: controllers.count)
        controllers.append(
            Controller(
                id: id, address: address, personality: personality, txPower: txPower,
                random: random.fork("controller \(id.rawValue)")))
        return id
    }

    /// Changes a controller's personality and resets the controller: its connections are lost, and its host's settings
    /// return to the defaults.
    public func setPersonality(_ personality: ControllerPersonality, of id: ControllerID, now instant: MonotonicInstant)
    {
        guard let controller = controller(id), controller.personality != personality else { return }
        now = max(now, instant.nanoseconds)
        resetController(controller)
        controller.become(personality)
    }

    /// Sets a controller's transmit power, in dBm.
    public func setTransmitPower(_ power: Int8, of id: ControllerID) {
        controller(id)?.txPower = power
    }

    /// Sets a closure that returns true while a controller's host is behind with reading: then the host gets no
    /// advertising reports.
    public func setCongestion(_ isCongested: @escaping @Sendable () -> Bool, of id: ControllerID) {
        controller(id)?.isCongested = isCongested
    }

    /// Removes a controller at once, as at a power loss: its peers receive nothing more from it.
    public func removeController(_ id: ControllerID, now instant: MonotonicInstant) {
        guard let controller = controller(id) else { return }
        now = max(now, instant.nanoseconds)
        resetController(controller)
        controllers[id.rawValue] = nil
    }

    /// Sets the radio path between two controllers.
    public func setPath(
        _ path: RadioPath, between one: ControllerID, and other: ControllerID, now instant: MonotonicInstant
    ) {
        now = max(now, instant.nanoseconds)
        paths[ControllerPair(one, other)] = path
        for link in links
        where ControllerPair(link.central.controller.id, link.peripheral.controller.id)
            == ControllerPair(one, other)
        {
            pathChanged(link)
        }
    }

    /// The connections, oldest first: both controllers, and the RSSI of the peripheral at the central, in dBm.
    public var connections: [(central: ControllerID, peripheral: ControllerID, strength: Int)] {
        links.map { link in
            let (central, peripheral) = (link.central.controller, link.peripheral.controller)
            return (central.id, peripheral.id, Int(rssi(of: peripheral, at: central)))
        }
    }

    /// True if one of the controller's last advertising events was sent from this address.
    func advertises(_ id: ControllerID, from address: DeviceAddress) -> Bool {
        controller(id)?.host.advertisers.contains { $0.lastSender == address } ?? false
    }

    func controller(_ id: ControllerID) -> Controller? {
        controllers.indices.contains(id.rawValue) ? controllers[id.rawValue] : nil
    }

    // MARK: Packets and time

    /// Processes a packet from the host of a controller. Malformed packets are answered with an error, or discarded if
    /// HCI defines no answer.
    public func receive(_ packet: consuming HCIPacket, from id: ControllerID, now instant: MonotonicInstant) {
        guard let controller = controller(id) else { return }
        now = max(now, instant.nanoseconds)
        switch packet.kind {
        case .acl: receiveACL(packet, controller)
        case .command: receiveCommand(packet, controller)
        case .synchronous, .event: break
        }
    }

    /// The time of the next event.
    public var nextDeadline: MonotonicInstant? { queue.nextDeadline }

    /// Runs all events due at `instant` or before, in order.
    ///
    /// - Parameter dropsLateReports: true to drop advertising reports while the radio is late and has many packets to
    ///   deliver.
    public func advance(to instant: MonotonicInstant, dropsLateReports: Bool = false) {
        while let deadline = queue.nextDeadline, deadline <= instant, let event = queue.popDue(at: deadline) {
            now = max(now, deadline.nanoseconds)
            isOverloaded =
                dropsLateReports && output.count >= Self.overload.packets
                && instant.nanoseconds - deadline.nanoseconds > Self.overload.lateness
            switch event {
            case .advertising(let set): advertisingEvent(set)
            case .scanning(let controller): scanningEvent(controller)
            case .connection(let link): connectionEvent(link)
            case .supervision(let link): supervisionEvent(link)
            case .update(let link): updateInstant(link)
            case .phyUpdate(let link): phyInstant(link)
            case .responseTimeout(let end, let request): responseTimeout(end, request)
            case .resumption(let end): resume(end)
            }
        }
        isOverloaded = false
        now = max(now, instant.nanoseconds)
    }

    /// Swaps `buffer`, which must be empty, with the buffer of packets to hosts since the last call, in order.
    public func drainOutput(_ buffer: inout [(ControllerID, HCIPacket)]) {
        swap(&buffer, &output)
    }

    // MARK: Output

    func emit<Event: HCIEvent>(_ event: Event, to controller: Controller) {
        guard controller.host.isUnmasked(Event.code, Event.subevent) else { return }
        output.append((controller.id, event.packet))
    }

    func deliver(_ packet: consuming HCIPacket, to controller: Controller) {
        output.append((controller.id, packet))
    }

    func schedule(_ event: Event, at time: Int64) -> DeadlineQueue<Event>.Token {
        queue.insert(event, at: MonotonicInstant(nanoseconds: max(now, time)))
    }

    func cancel(_ token: inout DeadlineQueue<Event>.Token?) {
        if let taken = token.take() { queue.cancel(taken) }
    }
}

extension SeededRandom {
    /// A number from 0 up to `bound`, which must be positive.
    mutating func below(_ bound: Int64) -> Int64 {
        Int64(next() % UInt64(bound))
    }
}

/// The radio path between two controllers; symmetric.
public struct RadioPath: Hashable, Sendable {
    /// The path loss, in dB. Signals below the receiver's sensitivity are not received.
    public var pathLoss: Int
    /// The share of packets that are lost, 0...1.
    public var lossRate: Double

    /// A path; by default devices some metres apart, without packet loss.
    public init(pathLoss: Int = 55, lossRate: Double = 0) {
        self.pathLoss = pathLoss
        self.lossRate = lossRate
    }
}

/// Two controllers, in either order.
struct ControllerPair: Hashable {
    let low: Int
    let high: Int

    init(_ one: ControllerID, _ other: ControllerID) {
        low = min(one.rawValue, other.rawValue)
        high = max(one.rawValue, other.rawValue)
    }
}

extension Air {
    func path(_ one: Controller, _ other: Controller) -> RadioPath {
        paths.isEmpty ? RadioPath() : paths[ControllerPair(one.id, other.id)] ?? RadioPath()
    }

    /// The RSSI of `sender` at `listener`, in dBm.
    func rssi(of sender: Controller, at listener: Controller) -> Int8 {
        rssi(sender.txPower, path(sender, listener))
    }

    func isInRange(_ sender: Controller, of listener: Controller) -> Bool {
        isReceived(sender.txPower, path(sender, listener), by: listener)
    }

    /// The RSSI of a packet sent with `power`, in dBm.
    func rssi(_ power: Int8, _ path: RadioPath) -> Int8 {
        Int8(max(-127, min(20, Int(power) - path.pathLoss)))
    }

    func isReceived(_ power: Int8, _ path: RadioPath, by listener: Controller) -> Bool {
        Int(power) - path.pathLoss >= listener.personality.sensitivity
    }

    /// True if one packet over `path` is lost.
    func losesPacket(_ path: RadioPath) -> Bool {
        guard path.lossRate > 0 else { return false }
        return Double(lossRandom.next() >> 11) * 0x1p-53 < path.lossRate
    }
}
