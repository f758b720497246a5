package import BLECore
package import BLEHost
package import BLEPackets
package import MonotonicTime

/// A Bluetooth LE host with a GATT server: the state machine below every peripheral of the bench, a sketch's on a
/// virtual board as well as one written in Swift.
///
/// It has neither clock nor transport. The owner passes in packets and time, and after each call, its own to ``host``
/// and ``server`` included, handles every ``nextEvent(now:)`` and then sends every ``nextOutput()``. What host and
/// server have to tell each other passes here; what is left are events for the application.
package final class PeripheralHost {
    /// What happened, for the application.
    package enum Event {
        /// The host's; the server has heard of it.
        case host(HostEvent)
        /// The server's: all but what is sent, disconnected and secured, which is done here. One with a token waits for
        /// ``GATTServer/resume(_:now:)``.
        case server(GATTServerAction)
    }

    /// Of more events that wait for a callback, ATT PDUs are dropped, as ``GATTServer`` drops them.
    private static let maximumWaitingCount = 128

    private let behaviour: HostBehaviour
    /// The host.
    package let host: Host
    /// The GATT server; `nil` until ``setDatabase(_:preferredMTU:configure:now:)``.
    package private(set) var server: GATTServer?
    /// What the host has reported and the application has not heard of, oldest first.
    private var waitingEvents: [HostEvent] = []
    /// Those of them that do not wait for a callback.
    private var immediateEvents: [HostEvent] = []
    /// Whether the server's actions are being handed out: all of them before another event of the host.
    private var isHandingOutActions = false
    /// The time of the last call, for what the server asks in the middle of one.
    private(set) var now = MonotonicInstant.zero

    /// A host that is off, and no server.
    package init(_ behaviour: HostBehaviour) {
        self.behaviour = behaviour
        host = Host(configuration: HostConfiguration(behaviour))
        setSecurity(SecurityConfiguration())
        // The application hears of subscriptions that end before the disconnection.
        host.keepsEndedLinks = true
    }

    /// Changes what pairings that begin later ask for; the conduct is that of the host.
    package func setSecurity(_ security: SecurityConfiguration) {
        var security = security
        security.conduct = behaviour
        host.security = security
        server?.isSecureConnectionsOnly = security.secureConnectionsOnly
    }

    // MARK: Owner's side

    /// Takes a packet from the controller.
    package func receive(_ packet: HCIPacket, now: MonotonicInstant) {
        self.now = now
        host.receive(packet, now: now)
    }

    /// When ``advance(to:)`` is next needed.
    package var nextDeadline: MonotonicInstant? {
        switch (host.nextDeadline, server?.nextDeadline) {
        case (let first?, let second?): min(first, second)
        case (let first, let second): first ?? second
        }
    }

    /// Does what is due at `now`.
    package func advance(to now: MonotonicInstant) {
        self.now = now
        host.advance(to: now)
        server?.advance(to: now)
    }

    /// The next packet for the controller, until `nil`.
    package func nextOutput() -> HCIPacket? { host.nextOutput() }

    /// What happened next, until `nil`.
    ///
    /// What has become of bonds comes at once. Other events keep their order and, while the application is in a
    /// callback, wait: NimBLE's one task takes them when the application has returned, which may have removed a bond
    /// that one of them is about.
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
                // Before the server goes on: it may wait for the room of that bond's records.
                server?.forgetSubscriptions(of: peer)
                immediateEvents.append(event)
            case .bondsChanged, .identityKeyMade, .synchronized, .failed: immediateEvents.append(event)
            case .attributePDU where waitingEvents.count >= Self.maximumWaitingCount: break
            default: waitingEvents.append(event)
            }
        }
    }

    // MARK: Server

    /// Serves these attributes from now on, also on the connections that are there; `configure` sets the new server up
    /// before that.
    package func setDatabase(
        _ database: GATTDatabase, preferredMTU: Int, now: MonotonicInstant, configure: (GATTServer) -> Void
    ) {
        self.now = now
        // The new server knows nothing of links that have ended.
        for connection in host.connections { host.finishDisconnection(of: connection.handle, now: now) }
        let server = GATTServer(database: database, preferredMTU: preferredMTU, behaviour: behaviour)
        server.makeRoom = { [unowned self] peer in makeRoom(except: peer) }
        configure(server)
        for connection in host.connections {
            server.connect(connection.handle, security: host.gattSecurity(of: connection.handle))
        }
        self.server = server
    }

    /// `ble_store_util_status_rr`: a record of `peer` finds no room.
    private func makeRoom(except peer: DeviceAddress) -> ATTErrorCode? {
        let result = host.removeOldestBond(except: peer, now: now)
        collectEvents()
        return result == .done ? nil : ATTErrorCode(rawValue: result.rawValue)
    }
}
