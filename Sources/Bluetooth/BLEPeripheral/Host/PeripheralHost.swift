package import BLECore
package import BLEHost
package import BLEPackets
package import MonotonicTime

/// A Bluetooth LE host with a GATT server: the state machine of every peripheral of the bench, used by sketches on a
/// virtual board and by peripherals written in Swift.
///
/// It uses neither clock nor transport. The owner passes packets and time to it. After each call, also of ``host`` or
/// ``server``, the owner handles every ``nextEvent(now:)`` and then sends every ``nextOutput()``. This class relays
/// events and actions between host and server; the others are events for the application.
package final class PeripheralHost {
    /// An event for the application.
    package enum Event {
        /// An event of the host, after the server has handled it.
        case host(HostEvent)
        /// An action of the server, except sending, disconnecting and requesting security, which this class performs.
        /// An action with a token waits for ``GATTServer/resume(_:now:)``.
        case server(GATTServerAction)
    }

    private let behaviour: HostBehaviour
    /// The host.
    package let host: Host
    // `@exclusivity(unchecked)`: accessed several times per packet, where the run-time check costs more than the other
    // work; the compile-time checks remain.
    /// The GATT server; `nil` until ``setDatabase(_:preferredMTU:configure:now:)``.
    @exclusivity(unchecked) package private(set) var server: GATTServer?
    /// True if the application occupies the host's task outside of callbacks that the server waits for: then the
    /// controller's packets wait.
    package var isTaskBusy: (MonotonicInstant) -> Bool = { _ in false }
    @exclusivity(unchecked) private var queue = HostTaskQueue()
    /// True while the server's actions are being returned: all actions precede the next event of the host.
    @exclusivity(unchecked) private var isHandingOutActions = false
    /// The time of the current call, for ``GATTServer/makeRoom``.
    @exclusivity(unchecked) private(set) var now = MonotonicInstant.zero

    /// A host that is off, without a server.
    package init(_ behaviour: HostBehaviour) {
        self.behaviour = behaviour
        host = Host(configuration: HostConfiguration(behaviour))
        setSecurity(SecurityConfiguration())
        // Ended subscriptions are reported before the disconnection.
        host.keepsEndedLinks = true
    }

    /// Sets the security configuration of later pairings; its conduct is set to the host's behaviour.
    package func setSecurity(_ security: SecurityConfiguration) {
        var security = security
        security.conduct = behaviour
        host.security = security
        server?.isSecureConnectionsOnly = security.secureConnectionsOnly
    }

    // MARK: Owner's side

    /// Starts the host; its links end without an event.
    package func start(now: MonotonicInstant) {
        self.now = now
        queue.removePackets()
        for info in host.connections { queue.append(.linkEnding(info.handle)) }
        host.start(now: now)
    }

    /// Receives a packet from the controller. Answers to commands are handled at once: the sender of the command waits
    /// for them.
    package func receive(_ packet: HCIPacket, now: MonotonicInstant) {
        self.now = now
        if packet.isCommandAnswer { host.receive(packet, now: now) } else { queue.append(packet) }
    }

    /// When ``advance(to:)`` must be called next.
    package var nextDeadline: MonotonicInstant? {
        .earliest(host.nextDeadline, server?.nextDeadline)
    }

    /// Handles the deadlines at `now`.
    package func advance(to now: MonotonicInstant) {
        self.now = now
        queue.endReceiving()
        host.advance(to: now)
        server?.advance(to: now)
    }

    /// The next packet for the controller, until `nil`.
    package func nextOutput() -> HCIPacket? { host.nextOutput() }

    /// The next event, until `nil`.
    ///
    /// Changes of bonds, and events for which a call of the application waits, are reported at once, also within a
    /// callback. Other events keep their order and wait while the application is in a callback: NimBLE's single task
    /// handles them after the callback, which may have deleted the bond of such an event.
    package func nextEvent(now: MonotonicInstant) -> Event? {
        self.now = now
        let server = server
        while true {
            if let event = nextHostEvent() {
                if relay(event) { return .host(event) }
            } else if let action = server?.nextAction() {
                isHandingOutActions = true
                if !perform(action) { return .server(action) }
            } else if isHandingOutActions {
                isHandingOutActions = false
            } else if !handleNextPacket() {
                return nil
            }
        }
    }

    private func nextHostEvent() -> HostEvent? {
        if !isHandingOutActions { collectEvents() }
        return queue.nextEvent(isInCallback: isHandingOutActions || server?.isInCallback == true)
    }

    private func collectEvents() {
        while let event = host.nextEvent() {
            // Before the server continues: it may wait for the space of that bond's records.
            if case .bondRemoved(let peer) = event { server?.forgetSubscriptions(of: peer) }
            queue.append(event)
        }
    }

    /// Sends deferred notifications once all received data is handled, and before other packets. Returns whether it did
    /// anything.
    private func handleNextPacket() -> Bool {
        guard !isTaskBusy(now), server?.isInCallback != true else { return false }
        if server?.sendScheduledNotifications(now: now) == true { return true }
        guard let packet = queue.nextPacket() else { return false }
        host.receive(packet, now: now)
        return true
    }

    // MARK: Server

    /// Creates a server for these attributes, also for existing connections; first calls `configure` with the server.
    package func setDatabase(
        _ database: GATTDatabase, preferredMTU: Int, now: MonotonicInstant, configure: (GATTServer) -> Void
    ) {
        self.now = now
        // Ended links have no counterpart in the new server.
        for connection in host.connections { host.finishDisconnection(of: connection.handle, now: now) }
        let server = GATTServer(database: database, preferredMTU: preferredMTU, behaviour: behaviour)
        server.hostBuffers = { [unowned host] in (host.pool ?? NimBLEBuffers(), host.queuedBuffers) }
        server.defersNotifications = { [unowned self] in queue.hasMoreData }
        server.makeRoom = { [unowned self] peer in makeRoom(except: peer) }
        configure(server)
        for connection in host.connections {
            server.connect(connection.handle, security: host.gattSecurity(of: connection.handle))
        }
        self.server = server
    }

    /// `ble_store_util_status_rr`: there is no space for a record; keeps the records of `peer`.
    private func makeRoom(except peer: DeviceAddress) -> ATTErrorCode? {
        let result = host.removeOldestBond(except: peer, now: now)
        collectEvents()
        return result == .done ? nil : ATTErrorCode(rawValue: result.rawValue)
    }
}

/// Relays events and actions between host and GATT server.
extension PeripheralHost {
    /// Passes an event of the host to the server; returns whether it is also an event for the application.
    func relay(_ event: HostEvent) -> Bool {
        switch event {
        case .attributePDU(let handle, let pdu):
            server?.handle(pdu, on: handle, now: now)
            return false
        case .linkEstablished(let info):
            server?.connect(info.handle, security: host.gattSecurity(of: info.handle))
        case .linkEnding(let handle):
            // Ended subscriptions are reported to the application before the disconnection.
            if let server {
                server.disconnect(handle, now: now)
            } else {
                host.finishDisconnection(of: handle, now: now)
            }
            return false
        case .securityChanged(let handle): server?.setSecurity(host.gattSecurity(of: handle), of: handle)
        case .bondEstablished(let handle, let peer): server?.bondEstablished(handle, peer: peer)
        case .bondRestored(let handle, let peer): server?.bondRestored(handle, peer: peer, now: now)
        default: break
        }
        return true
    }

    /// Performs an action of the server on the host; returns false if the action is for the application.
    func perform(_ action: GATTServerAction) -> Bool {
        switch action {
        case .send(let connection, let pdu): host.sendATT(pdu[...], on: connection, now: now)
        case .disconnect(let connection, let reason):
            try? host.disconnect(connection, reason: HCIErrorCode(rawValue: reason), now: now)
        case .closed(let connection): host.finishDisconnection(of: connection, now: now)
        case .startSecurity(let connection): try? host.startSecurity(on: connection, now: now)
        case .readRequested, .written, .subscribed, .mtuChanged, .sent, .subscriptionsStored: return false
        }
        return true
    }
}

extension HCIPacket {
    /// True for Command Complete or Command Status.
    var isCommandAnswer: Bool {
        guard kind == .event, let code = bytes.first else { return false }
        return [.commandComplete, .commandStatus].contains(HCIEventCode(rawValue: code))
    }
}
