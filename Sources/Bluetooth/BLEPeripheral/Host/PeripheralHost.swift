package import BLECore
package import BLEHost
package import BLEPackets
package import MonotonicTime

/// A Bluetooth LE host with a GATT server: the state machine of every peripheral of the bench, both of sketches on a
/// virtual board and of peripherals written in Swift.
///
/// It has neither clock nor transport. The owner passes packets and time, and after each call, also of ``host`` or
/// ``server``, handles every ``nextEvent(now:)`` and then sends every ``nextOutput()``. Events and actions between host
/// and server are relayed here; the others are events for the application.
package final class PeripheralHost {
    /// An event for the application.
    package enum Event {
        /// An event of the host; the server has handled it.
        case host(HostEvent)
        /// An action of the server, except those that are performed here: sending, disconnecting, requesting security.
        /// One with a token waits for ``GATTServer/resume(_:now:)``.
        case server(GATTServerAction)
    }

    /// The maximum number of events that wait for a callback; beyond it ATT PDUs are dropped, as in ``GATTServer``.
    private static let maximumWaitingCount = 128

    private let behaviour: HostBehaviour
    /// The host.
    package let host: Host
    /// The GATT server; `nil` until ``setDatabase(_:preferredMTU:configure:now:)``.
    package private(set) var server: GATTServer?
    /// Events of the host that the application has not received yet, oldest first.
    private var waitingEvents: [HostEvent] = []
    /// Those events that do not wait for a callback.
    private var immediateEvents: [HostEvent] = []
    /// Whether the server's actions are being returned: all of them before the next event of the host.
    private var isHandingOutActions = false
    /// The time of the current call, for ``GATTServer/makeRoom``.
    private(set) var now = MonotonicInstant.zero

    /// A host that is off, and no server.
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

    /// Receives a packet from the controller.
    package func receive(_ packet: HCIPacket, now: MonotonicInstant) {
        self.now = now
        host.receive(packet, now: now)
    }

    /// When ``advance(to:)`` must be called next.
    package var nextDeadline: MonotonicInstant? {
        .earliest(host.nextDeadline, server?.nextDeadline)
    }

    /// Handles the deadlines at `now`.
    package func advance(to now: MonotonicInstant) {
        self.now = now
        host.advance(to: now)
        server?.advance(to: now)
    }

    /// The next packet for the controller, until `nil`.
    package func nextOutput() -> HCIPacket? { host.nextOutput() }

    /// The next event, until `nil`.
    ///
    /// Changes of bonds are reported at once, and so is what a call of the application waits for, also within a callback.
    /// Other events keep their order and wait while the application is in a callback: NimBLE's single task handles them
    /// when the application has returned, which may have deleted the bond of such an event.
    package func nextEvent(now: MonotonicInstant) -> Event? {
        self.now = now
        while true {
            if let event = nextHostEvent() {
                if relay(event) { return .host(event) }
            } else if let action = server?.nextAction() {
                isHandingOutActions = true
                if !perform(action) { return .server(action) }
            } else if isHandingOutActions {
                isHandingOutActions = false
            } else {
                return nil
            }
        }
    }

    private func nextHostEvent() -> HostEvent? {
        if !isHandingOutActions { collectEvents() }
        if !immediateEvents.isEmpty { return immediateEvents.removeFirst() }
        guard !isHandingOutActions, let event = waitingEvents.first,
            server?.isInCallback != true || event.isAttributePDU
        else { return nil }
        return waitingEvents.removeFirst()
    }

    private func collectEvents() {
        while let event = host.nextEvent() {
            switch event {
            case .bondRemoved(let peer):
                // Before the server continues: it may be waiting for the space of that bond's records.
                server?.forgetSubscriptions(of: peer)
                immediateEvents.append(event)
            case .bondsChanged, .identityKeyMade, .synchronized, .failed, .acceptListAnswered:
                immediateEvents.append(event)
            case .attributePDU where waitingEvents.count >= Self.maximumWaitingCount: break
            default: waitingEvents.append(event)
            }
        }
    }

    // MARK: Server

    /// Creates a server for these attributes, also on existing connections; `configure` is called with it first.
    package func setDatabase(
        _ database: GATTDatabase, preferredMTU: Int, now: MonotonicInstant, configure: (GATTServer) -> Void
    ) {
        self.now = now
        // The new server has no links that have ended.
        for connection in host.connections { host.finishDisconnection(of: connection.handle, now: now) }
        let server = GATTServer(database: database, preferredMTU: preferredMTU, behaviour: behaviour)
        if behaviour == .nimble { server.queuedBuffers = { [unowned host] in host.queuedBuffers } }
        server.makeRoom = { [unowned self] peer in makeRoom(except: peer) }
        configure(server)
        for connection in host.connections {
            server.connect(connection.handle, security: host.gattSecurity(of: connection.handle))
        }
        self.server = server
    }

    /// `ble_store_util_status_rr`: there is no space for a record of `peer`.
    private func makeRoom(except peer: DeviceAddress) -> ATTErrorCode? {
        let result = host.removeOldestBond(except: peer, now: now)
        collectEvents()
        return result == .done ? nil : ATTErrorCode(rawValue: result.rawValue)
    }
}
