internal import BLECore
public import BLEPackets
internal import ByteCodec
public import MonotonicTime

/// A Bluetooth LE host on one controller: HCI, L2CAP and the links, as a pure state machine.
///
/// The owner passes the controller's packets to ``receive(_:now:)``, calls ``advance(to:)`` at ``nextDeadline``, and
/// after each call with a `now` sends every ``nextOutput()`` to the controller and handles every ``nextEvent()``. The
/// owner implements ATT: PDUs are received as ``HostEvent/attributePDU(_:_:)`` and sent with
/// ``sendATT(_:on:now:)-(ArraySlice<UInt8>,_,_)``.
///
/// In both roles it behaves like the NimBLE host of an ESP32; tests compare it with recordings.
public final class Host {
    /// The state of the startup.
    enum State {
        case off
        case starting(Startup)
        case ready(ControllerInfo)
        case failed
    }

    let configuration: HostConfiguration
    var state = State.off
    // `@exclusivity(unchecked)`: accessed several times per packet, where the run-time check costs more than the other
    // work; the compile-time checks remain.
    @exclusivity(unchecked) var commands = CommandQueue()
    @exclusivity(unchecked) var flow: ACLFlow
    @exclusivity(unchecked) var hostFlow: HostFlowControl?
    @exclusivity(unchecked) var links: [Link] = []
    /// The procedures of Security Requests sent on ended links, by handle. They last until their time-out, or until
    /// another link gets the handle and adopts the procedure.
    @exclusivity(unchecked) var orphanedProcedures: [ConnectionHandle: PairingProcedure] = [:]
    @exclusivity(unchecked) var advertising = AdvertisingState()
    /// The remaining additions to the accept list that is being set; `nil` if no list is being set.
    var acceptListAdditions: ArraySlice<DeviceAddress>?
    var scanning = ScanningState.off
    @exclusivity(unchecked) var isInitiating = false
    /// The own address for the connection being created.
    var initiatingAddress: DeviceAddress?
    /// Extended advertisements received in part.
    var fragments = AdvertisingFragments()
    var storedBonds: [Bond] {
        get { securityContext.bonds }
        set { securityContext.bonds = newValue }
    }
    var random = RandomSupply()
    var outOfBandValues = FIFO<OutOfBandValue>()
    @exclusivity(unchecked) var privacy = PrivacyState()
    var localIRK: [UInt8]?
    /// The static random address set at startup.
    var staticAddress: DeviceAddress?
    var usesStaticAddress = false
    var securityContext: SecurityContext
    /// The peers in NimBLE's resolving list; a peer stays in the list when a new pairing replaces its bond.
    var resolvingList: [DeviceAddress] = []
    /// A cache of resolved and of unresolvable addresses.
    var resolved: [DeviceAddress: DeviceAddress] = [:]
    var lastSignallingIdentifier: UInt8 = 0
    /// The configuration of later pairings.
    public var security = SecurityConfiguration() {
        didSet { for link in links { link.manager.configuration = security } }
    }
    /// The capacity for bonds; a further bond replaces the oldest. NimBLE's default is 3.
    public var maximumBonds: Int
    /// The maximum number of simultaneous pairings and encryptions with stored keys, at least 1; further ones get no
    /// answer. NimBLE's default is 1.
    public var maximumPairings: Int {
        get { securityContext.maximumProcedures }
        set { securityContext.maximumProcedures = newValue }
    }
    /// True if an ended link is kept until ``finishDisconnection(of:now:)``, as during NimBLE's callbacks. Until then
    /// the owner passes on only answers to commands.
    public var keepsEndedLinks = false
    @exclusivity(unchecked) private var output = FIFO<HCIPacket>()
    @exclusivity(unchecked) private var events = FIFO<HostEvent>()

    /// A host that is off; ``start(now:)`` starts it.
    public init(configuration: HostConfiguration) {
        self.configuration = configuration
        flow = ACLFlow(pool: configuration.pool)
        maximumBonds = configuration.maximumBonds
        securityContext = SecurityContext(
            identity: SecurityContext.Identity(address: DeviceAddress(0, .public), irk: []),
            maximumProcedures: configuration.maximumPairings)
    }

    /// Resets and initializes the controller: ``HostEvent/synchronized(publicAddress:)`` follows, or
    /// ``HostEvent/failed(_:)``. Also restarts a failed host.
    public func start(now: MonotonicInstant) {
        dropEverything()
        state = .starting(Startup(configuration, identityKey: localIRK))
        continueStartup(now)
    }

    /// True if host and controller are synchronized.
    public var isReady: Bool {
        if case .ready = state { return true }
        return false
    }

    /// The controller's properties; `nil` while it is not synchronized.
    public var controllerInfo: ControllerInfo? {
        if case .ready(let controller) = state { return controller }
        return nil
    }

    /// True if scanning and initiating use the extended commands; a host must not mix both kinds (Core 5.4, Vol 4 Part E
    /// 3.1.1).
    var usesExtendedCommands: Bool {
        configuration.hearsExtendedAdvertising && controllerInfo?.hasExtendedAdvertising == true
    }

    func controller(_ operation: StaticString) throws(HostError) -> ControllerInfo {
        guard case .ready(let controller) = state else {
            throw HostError(.notReady, "\(operation): expected a synchronized host, which this is not")
        }
        return controller
    }

    func fail(_ error: HostError) {
        dropEverything()
        state = .failed
        emit(.failed(error))
    }

    private func dropEverything() {
        commands.removeAll()
        output.removeAll()
        flow = ACLFlow(pool: flow.pool)
        hostFlow = configuration.aclBuffers.map { HostFlowControl(bufferCount: Int($0.count)) }
        links = []
        orphanedProcedures = [:]
        securityContext.runningProcedures = 0
        advertising = AdvertisingState()
        acceptListAdditions = nil
        scanning = .off
        isInitiating = false
        random = RandomSupply()
        outOfBandValues.removeAll()
        privacy = PrivacyState()
        resolved = [:]
    }

    // MARK: Input

    /// Receives a packet from the controller.
    public func receive(_ packet: HCIPacket, now: MonotonicInstant) {
        dispatch(packet, now)
        flush(now)
    }

    private func dispatch(_ packet: HCIPacket, _ now: MonotonicInstant) {
        switch (state, packet.kind) {
        case (.off, _), (.failed, _), (_, .command), (_, .synchronous): return
        case (_, .acl): receiveACL(packet.bytes, now)
        case (_, .event):
            do {
                try receiveEvent(packet.bytes, now)
            } catch let error as CodecError {
                emit(.malformedPacket(error))
            } catch {
                return
            }
        }
    }

    /// When ``advance(to:)`` must be called next.
    public var nextDeadline: MonotonicInstant? {
        var earliest = MonotonicInstant.earliest(
            commands.deadline, hostFlow?.deadline, advertising.deadline, isInitiating ? nil : privacy.deadline)
        if !orphanedProcedures.isEmpty {
            for procedure in orphanedProcedures.values { earliest = .earliest(earliest, procedure.deadline) }
        }
        for link in links {
            earliest = .earliest(
                earliest, link.reassembler.deadline, link.update?.deadline, link.manager.nextDeadline)
        }
        return earliest
    }

    /// Handles the deadlines at `now`.
    public func advance(to now: MonotonicInstant) {
        if let deadline = commands.deadline, deadline <= now, let opcode = commands.unanswered {
            return fail(
                HostError(.commandTimedOut(opcode), "HCI \(opcode): expected an answer within 2 s, got none"))
        }
        if let deadline = hostFlow?.deadline, deadline <= now { reportProcessedPackets() }
        if let deadline = advertising.deadline, deadline <= now { endAdvertising() }
        rotateIfDue(now)
        dropOrphanedProcedures(now)
        for link in links {
            if let deadline = link.reassembler.deadline, deadline <= now { reassemblyTimedOut(link) }
            if let update = link.update, update.deadline <= now { updateTimedOut(link) }
            if let deadline = link.manager.nextDeadline, deadline <= now {
                link.manager.advance(to: now)
                performActions(of: link, now)
            }
        }
        flush(now)
    }

    // MARK: Output

    /// The next packet for the controller, until `nil`.
    public func nextOutput() -> HCIPacket? { output.popFirst() }

    /// The next event, until `nil`.
    package func nextEvent() -> HostEvent? { events.popFirst() }

    func emit(_ event: HostEvent) {
        events.append(event)
    }

    /// Sends at once, bypassing the command queue, for Host Number Of Completed Packets: the only command without an
    /// answer.
    func sendBesideQueue(_ packet: HCIPacket) {
        output.append(packet)
    }

    /// Moves the packets that may be sent now to the output.
    func flush(_ now: MonotonicInstant) {
        while let command = commands.next(now: now) { output.append(command) }
        while let data = flow.next() { output.append(data) }
        for link in links where link.isOwnerWaiting { reportRoom(on: link) }
    }
}
