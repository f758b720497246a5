import BLECore
public import BLEPackets
import ByteCodec
public import MonotonicTime

/// A Bluetooth LE host on one controller: HCI, L2CAP and the links, as a pure state machine.
///
/// The owner passes in what the controller sends with ``receive(_:now:)``, wakes the host at ``nextDeadline`` with
/// ``advance(to:)``, and after each call that takes the time sends every ``nextOutput()`` to the controller and takes
/// every ``nextEvent()``. ATT is the owner's: PDUs come as ``HostEvent/attributePDU(_:_:)`` and go with
/// ``sendATT(_:on:now:)-(ArraySlice<UInt8>,_,_)``.
///
/// In both roles it behaves as the NimBLE host of an ESP32 does, held against recordings of one.
public final class Host {
    /// How far the host is with its controller.
    enum State {
        case off
        case starting(Startup)
        case ready(ControllerInfo)
        case failed
    }

    let configuration: HostConfiguration
    var state = State.off
    var commands = CommandQueue()
    var flow = ACLFlow()
    var hostFlow: HostFlowControl?
    var links: [Link] = []
    /// What the controller sent while the owner finished with a link that had ended.
    var heldPackets = FIFO<HCIPacket>()
    /// Security Requests sent on links that had ended, by handle: they wait for an answer until the time-out, or until
    /// another link gets the handle and with it the procedure.
    var leftOverProcedures: [ConnectionHandle: PairingProcedure] = [:]
    var advertising = AdvertisingState()
    /// What is still to be added to the accept list that is being set; `nil` when none is.
    var acceptListAdditions: ArraySlice<DeviceAddress>?
    var scanning = ScanningState.off
    var isInitiating = false
    /// The address on air of the connection being made.
    var initiatingAddress: DeviceAddress?
    /// Whether the controller filters duplicates.
    var scansOnce = false
    var keptBonds: [Bond] = []
    var random = RandomSupply()
    var outOfBandValues = FIFO<OutOfBandValue>()
    var privacy = PrivacyState()
    var localIRK: [UInt8]?
    /// The static random address that the controller was given at the start.
    var staticAddress: DeviceAddress?
    var securityContext: SecurityContext
    /// Whom NimBLE has entered in its resolving list: a bond that another pairing replaces stays there.
    var resolvingList: [DeviceAddress] = []
    /// Addresses that have been resolved, or cannot be.
    var resolved: [DeviceAddress: DeviceAddress] = [:]
    var lastSignallingIdentifier: UInt8 = 0
    /// What pairings that begin later ask for.
    public var security = SecurityConfiguration() {
        didSet { for link in links { link.manager.configuration = security } }
    }
    /// How many bonds are kept; one more costs the oldest. NimBLE's builds say 3 by default.
    public var maximumBonds: Int
    /// How many pairings and encryptions with stored keys may run at a time, at least 1; more get no answer.
    /// NimBLE's builds say 1 by default.
    public var maximumPairings: Int {
        get { securityContext.maximumProcedures }
        set { securityContext.maximumProcedures = newValue }
    }
    /// Whether a link that has ended stays known until ``finishDisconnection(of:now:)``, as to NimBLE's callbacks.
    /// Like NimBLE's one host task, the host takes nothing else from its controller meanwhile but answers to commands.
    public var keepsEndedLinks = false
    private var output = FIFO<HCIPacket>()
    private var events = FIFO<HostEvent>()

    /// A host that is off; ``start(now:)`` brings it up.
    public init(configuration: HostConfiguration) {
        self.configuration = configuration
        maximumBonds = configuration.maximumBonds
        securityContext = SecurityContext(
            identity: SecurityContext.Identity(address: DeviceAddress(0, .public), irk: []),
            maximumProcedures: configuration.maximumPairings)
    }

    /// Resets the controller and brings both up: ``HostEvent/synchronized(publicAddress:)`` follows, or
    /// ``HostEvent/failed(_:)``. Also revives a host that has failed.
    public func start(now: MonotonicInstant) {
        dropEverything()
        state = .starting(Startup(configuration, identityKey: localIRK))
        continueStartup(now)
    }

    /// Whether host and controller are synchronized.
    public var isReady: Bool {
        if case .ready = state { return true }
        return false
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
        flow = ACLFlow()
        hostFlow = configuration.aclBuffers.map { HostFlowControl(bufferCount: Int($0.count)) }
        links = []
        heldPackets.removeAll()
        leftOverProcedures = [:]
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

    /// Takes a packet from the controller.
    public func receive(_ packet: HCIPacket, now: MonotonicInstant) {
        if endingLink != nil, !isCommandAnswer(packet) { return heldPackets.append(packet) }
        take(packet, now)
        flush(now)
    }

    private func isCommandAnswer(_ packet: HCIPacket) -> Bool {
        guard packet.kind == .event, let code = packet.bytes.first else { return false }
        return [.commandComplete, .commandStatus].contains(HCIEventCode(rawValue: code))
    }

    func take(_ packet: HCIPacket, _ now: MonotonicInstant) {
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
        var earliest = commands.deadline
        func consider(_ deadline: MonotonicInstant?) {
            guard let deadline else { return }
            earliest = earliest.map { min($0, deadline) } ?? deadline
        }
        consider(hostFlow?.deadline)
        consider(advertising.deadline)
        if !isInitiating { consider(privacy.deadline) }
        for procedure in leftOverProcedures.values { consider(procedure.deadline) }
        for link in links {
            consider(link.reassembler.deadline)
            consider(link.update?.deadline)
            consider(link.manager.nextDeadline)
        }
        return earliest
    }

    /// Does what is due at `now`.
    public func advance(to now: MonotonicInstant) {
        if let deadline = commands.deadline, deadline <= now, let opcode = commands.unanswered {
            return fail(
                HostError(.commandTimedOut(opcode), "HCI \(opcode): expected an answer within 2 s, got none"))
        }
        if let deadline = hostFlow?.deadline, deadline <= now { reportTakenPackets() }
        if let deadline = advertising.deadline, deadline <= now { endAdvertising() }
        rotateIfDue(now)
        dropLeftOverProcedures(now)
        for link in links {
            if let deadline = link.reassembler.deadline, deadline <= now { giveUpReassembly(link) }
            if let update = link.update, update.deadline <= now { giveUpUpdate(link) }
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

    /// What has happened next, until `nil`.
    public func nextEvent() -> HostEvent? { events.popFirst() }

    func emit(_ event: HostEvent) {
        events.append(event)
    }

    /// Sends at once, beside the command queue: for the one command that has no answer.
    func sendBesideQueue(_ packet: HCIPacket) {
        output.append(packet)
    }

    /// Moves what may be sent now to the output.
    func flush(_ now: MonotonicInstant) {
        while let command = commands.next(now: now) { output.append(command) }
        while let data = flow.next() { output.append(data) }
        for link in links where link.ownerWaits { reportRoom(on: link) }
    }
}
