public import BLECore
public import BLEPackets
public import MonotonicTime

/// A GATT server. With ``HostBehaviour/nimble`` it answers like the host of NimBLE-Arduino 2.5.1, byte for byte,
/// including its deviations from the specification (listed in `Tests/Bluetooth/Traces/README.md`).
///
/// With ``HostBehaviour/specification`` (Core 5.4, Vol 3) it differs at these points:
///
/// - A characteristic accepts Write Requests only with the property Write, and Write Commands only with Write Without
///   Response (Part G 3.3.1.1); NimBLE accepts both with either.
/// - A request of the wrong length, an Execute Write Request with flags other than 0 and 1, and a Read Multiple Request
///   with one handle are answered with Invalid PDU (Part F 3.4.1.1); NimBLE drops PDUs that are too short and accepts
///   the others. A PDU longer than the MTU is dropped; NimBLE accepts two bytes more.
/// - Find By Type Value matches whole values (Part F 3.4.3.3); in NimBLE a requested value that begins with the
///   attribute's value matches.
/// - Read Blob of a declaration or client configuration begins at the offset (Part F 3.4.4.5); in NimBLE it begins at
///   0.
/// - Values are sent to clients that have subscribed (Part G 3.3.3.3); NimBLE-Arduino's `notify(value)` sends to all.
/// - A subscription requires the security that reading the characteristic requires; NimBLE accepts it, and
///   NimBLE-Arduino requests security.
/// - A client configuration with bits that the characteristic does not support is refused with Value Not Allowed;
///   NimBLE refuses it with Request Not Supported.
/// - The next indication waits for a confirmation (Part F 3.3.2); NimBLE accepts any response as one.
/// - Restoring a subscription sends no value; NimBLE sends a value again if it was notified since the subscription was
///   stored.
/// - The application can refuse a read or a write (``resume(_:refusing:now:)``).
///
/// A pure state machine. Its inputs are PDUs and calls of the application; ``nextAction()`` returns its actions, in
/// order. Like NimBLE, which has one host task, the server waits while the application is in a callback
/// (``isInCallback``): after an action with a token the owner withholds PDUs and events of links until
/// ``resume(_:refusing:now:)``. Meanwhile the application may use the server's other functions.
public final class GATTServer {
    /// The attributes with their handles.
    public let database: GATTDatabase
    /// The behaviour where the specification leaves a choice, and for clients that violate the specification.
    public let behaviour: HostBehaviour
    /// True if MTU changes wait for the application.
    public var hasMTUCallback = false

    var attributes: [Attribute]
    // `@exclusivity(unchecked)`: accessed several times per packet, where the run-time check costs more than the other
    // work; the compile-time checks remain.
    /// The connections, oldest first.
    @exclusivity(unchecked) private(set) var connections: [GATTServerConnection] = []
    private var preferredMTU: Int

    /// True if a characteristic has changed since its subscribers were last notified.
    var hasScheduledNotifications = false
    /// Unconfirmed indications, oldest first.
    @exclusivity(unchecked) var openIndications: [OpenIndication] = []
    /// The number of pool buffers used by queued writes.
    var usedBuffers = 0
    /// The host's pool of buffers, and the number of them used by packets that wait for the controller.
    package var hostBuffers: () -> (pool: NimBLEBuffers, queued: Int) = { (NimBLEBuffers(), 0) }
    /// True if deferred notifications must wait for packets that the owner has received but not passed on yet.
    package var defersNotifications: () -> Bool = { false }

    /// The capacity for stored subscriptions (`BLE_STORE_MAX_CCCDS`).
    public var maximumStoredSubscriptions = 8
    /// The capacity for stored client supported features (`BLE_STORE_MAX_CSFCS`).
    public var maximumStoredFeatures = 3
    /// Called when the store is full, as NimBLE's store calls `store_status_cb`: the owner deletes another bond
    /// (``Host/removeOldestBond(except:now:)``) with its records (``forgetSubscriptions(of:)``) and returns `nil`, or
    /// returns the error for the client's request.
    public var makeRoom: (_ except: DeviceAddress) -> ATTErrorCode? = { _ in .requestNotSupported }
    /// True if every protected attribute requires an authenticated key of 16 bytes (`sm_sc_only`).
    public var isSecureConnectionsOnly = false
    /// The subscriptions of bonded clients, oldest first, as in NimBLE's store. An owner with persistent storage
    /// restores them with ``setStored(_:features:)``, and saves them at ``GATTServerAction/subscriptionsStored``.
    public internal(set) var storedSubscriptions: [StoredSubscription] = []
    /// The client supported features (0x2B29) of bonded clients.
    public internal(set) var storedFeatures: [StoredFeatures] = []

    @exclusivity(unchecked) private var actions = FIFO<GATTServerAction>()
    /// The time of the current call.
    var now = MonotonicInstant.zero
    /// The callback that the application is executing, and its continuation.
    private var pending: (token: GATTCallbackToken, continuation: Continuation, write: PendingWrite?)?
    private var lastToken: UInt64 = 0

    struct OpenIndication {
        var connection: GATTServerConnection
        var valueHandle: UInt16
        var deadline: MonotonicInstant
    }

    /// The attribute of a write callback, and its value before the write.
    struct PendingWrite {
        var index: Int
        var formerValue: [UInt8]
    }

    /// The continuation after a callback.
    indirect enum Continuation {
        case none
        case store(StoredSubscription, then: Continuation)
        case respond(GATTServerConnection, [UInt8])
        case read(GATTServerConnection, index: Int, opcode: ATTOpcode)
        case readMultiple(GATTServerConnection, index: Int, rest: ArraySlice<UInt8>, response: [UInt8])
        case executeWrite(GATTServerConnection, rest: ArraySlice<GATTServerConnection.PreparedWrite>)
        /// Report the ends of these subscriptions, then of the connection.
        case close(GATTServerConnection, slots: ArraySlice<Int>)
        /// Send the missed value of a restored subscription, then restore the client's record with this index, and the
        /// following ones.
        case restore(GATTServerConnection, number: Int, missed: MissedValue?)
    }

    /// A value that changed while its subscriber was away.
    struct MissedValue {
        var subscription: StoredSubscription
        var isIndication: Bool
    }

    /// A server without connections. `preferredMTU` (23...517 bytes) is its answer to an MTU exchange.
    public init(database: GATTDatabase, preferredMTU: Int = 255, behaviour: HostBehaviour = .nimble) {
        self.database = database
        self.behaviour = behaviour
        // No separate limits: the number of bonds limits the stored records.
        if behaviour == .specification { (maximumStoredSubscriptions, maximumStoredFeatures) = (.max, .max) }
        attributes = database.attributes
        self.preferredMTU = preferredMTU
    }

    // MARK: Connections

    /// Call this when a client has connected; `connection` is its HCI connection handle.
    public func connect(_ connection: UInt16, security: GATTSecurity = GATTSecurity()) {
        connections.append(
            GATTServerConnection(
                handle: connection, ownMTU: preferredMTU, configurationCount: database.configurable.count,
                security: security))
    }

    /// Call this when a connection has ended: subscribed characteristics with callbacks get a last
    /// ``GATTServerAction/subscribed(_:valueHandle:connection:value:)``, open indications fail, then
    /// ``GATTServerAction/closed(connection:)`` follows. Must not be called while ``isInCallback``.
    public func disconnect(_ connection: UInt16, now: MonotonicInstant) {
        begin(now)
        guard let index = connections.firstIndex(where: { $0.handle == connection }) else { return }
        let ended = connections.remove(at: index)
        ended.isOpen = false
        clearPreparedWrites(of: ended)
        failIndications(of: ended)
        let subscribed = ended.configurations.indices.filter { ended.configurations[$0].clientBits != 0 }
        close(ended, subscribed[...])
        sendScheduledNotifications(now: now)
    }

    private func close(_ connection: GATTServerConnection, _ slots: ArraySlice<Int>) {
        guard let slot = slots.first else { return perform(.closed(connection: connection.handle)) }
        reportSubscription(slot, 0, of: connection, then: .close(connection, slots: slots.dropFirst()))
    }

    /// Sets the changed security of a connection.
    public func setSecurity(_ security: GATTSecurity, of connection: UInt16) {
        find(connection)?.security = security
    }

    /// The MTU in use on a connection, in bytes.
    package func mtu(of connection: UInt16) -> Int? {
        find(connection)?.mtu
    }

    /// Changes the answer to an MTU exchange (23...517 bytes), for connections without an exchange and for later ones.
    public func setPreferredMTU(_ mtu: Int) {
        preferredMTU = mtu
        for connection in connections where !connection.hasExchangedMTU { connection.ownMTU = mtu }
    }

    /// True if the server follows the specification strictly.
    var isStrict: Bool { behaviour == .specification }

    func find(_ handle: UInt16) -> GATTServerConnection? {
        for connection in connections where connection.handle == handle { return connection }
        return nil
    }

    // MARK: Values

    /// The stored value of an attribute; `nil` for an unknown handle.
    public func value(of handle: UInt16) -> [UInt8]? {
        index(handle).map { attributes[$0].value }
    }

    /// Stores a value; one longer than the attribute's maximum empties it, as NimBLE's `setValue` does.
    public func setValue(_ value: [UInt8], of handle: UInt16) {
        guard let index = index(handle), attributes[index].kind == .value else { return }
        attributes[index].value = value.count > attributes[index].maximumLength ? [] : value
    }

    /// Sets whether access to an attribute waits for the application.
    public func setHasCallbacks(_ hasCallbacks: Bool, of handle: UInt16) {
        guard let index = index(handle) else { return }
        attributes[index].hasCallbacks = hasCallbacks
    }

    /// The index of the attribute with this handle.
    func index(_ handle: UInt16) -> Int? {
        let index = Int(handle) - 1
        return attributes.indices.contains(index) ? index : nil
    }

    // MARK: PDUs and callbacks

    /// Handles an ATT PDU of a client. Must not be called while ``isInCallback``.
    public func handle(_ pdu: ArraySlice<UInt8>, on connection: UInt16, now: MonotonicInstant) {
        begin(now)
        guard let connection = find(connection) else { return }
        process(pdu, connection, now)
        sendScheduledNotifications(now: now)
    }

    /// Call this when the application has returned from the callback with `token`.
    ///
    /// - Parameter refusal: the error sent to the client instead of the value read or of success; a written value is
    ///   reverted. Has no effect with ``HostBehaviour/nimble``, whose callbacks return nothing.
    public func resume(_ token: GATTCallbackToken, refusing refusal: ATTErrorCode? = nil, now: MonotonicInstant) {
        self.now = now
        guard let callback = pending, callback.token == token else { return }
        pending = nil
        if let refusal, isStrict {
            if let write = callback.write { attributes[write.index].value = write.formerValue }
            refuse(callback.continuation, refusal, written: callback.write?.index)
        } else {
            resume(callback.continuation)
        }
        sendScheduledNotifications(now: now)
    }

    /// Call this when the application enters a callback of the host (``HostEvent/encryptionChanged(_:_:_:)``): the
    /// server waits until ``resume(_:refusing:now:)``. Must not be called while ``isInCallback``.
    public func enterCallback() -> GATTCallbackToken {
        begin(now)
        return suspend(then: .none)
    }

    /// True if the server waits for the application.
    public var isInCallback: Bool { pending != nil }

    /// Begins a call that is allowed only outside of callbacks: a PDU that the server dropped would block its client.
    func begin(_ now: MonotonicInstant) {
        precondition(!isInCallback, "GATT server: expected the application to have returned from its callback first")
        self.now = now
    }

    /// The next action, until `nil`.
    public func nextAction() -> GATTServerAction? {
        actions.popFirst()
    }

    func perform(_ action: GATTServerAction) {
        actions.append(action)
    }

    func send(_ pdu: [UInt8], to connection: GATTServerConnection) {
        guard connection.isOpen else { return }
        perform(.send(connection: connection.handle, pdu: pdu))
    }

    /// Returns a token for a callback; the server then waits, and continues with `continuation`.
    func suspend(then continuation: Continuation, write: PendingWrite? = nil) -> GATTCallbackToken {
        lastToken += 1
        let token = GATTCallbackToken(rawValue: lastToken)
        pending = (token, continuation, write)
        return token
    }

    func resume(_ continuation: Continuation) {
        switch continuation {
        case .none: break
        case .store(let subscription, let next): store(subscription, then: next)
        case .respond(let connection, let pdu): send(pdu, to: connection)
        case .read(let connection, let index, let opcode): respondWithValue(of: index, opcode, connection)
        case .readMultiple(let connection, let index, let rest, let response):
            readMultiple(rest, response + currentValue(index, connection), connection)
        case .executeWrite(let connection, let rest): executeWrites(rest, connection)
        case .close(let connection, let slots): close(connection, slots)
        case .restore(let connection, let number, let missed):
            if let missed { sendMissed(missed, on: connection) }
            restore(number, on: connection)
        }
    }

    /// Answers a request that its callback has refused; `written` is the index of a written attribute.
    private func refuse(_ continuation: Continuation, _ code: ATTErrorCode, written: Int?) {
        let handle = UInt16(truncatingIfNeeded: (written ?? -1) + 1)
        switch continuation {
        case .read(let connection, let index, let opcode):
            refuse(opcode, UInt16(truncatingIfNeeded: index + 1), code, connection)
        case .readMultiple(let connection, let index, _, _):
            refuse(.readMultipleRequest, UInt16(truncatingIfNeeded: index + 1), code, connection)
        case .respond(let connection, _): refuse(.writeRequest, handle, code, connection)
        case .executeWrite(let connection, _): refuse(.executeWriteRequest, handle, code, connection)
        case .close, .restore: resume(continuation)
        case .none, .store: break
        }
    }

    // MARK: Time

    /// When ``advance(to:)`` must be called next.
    public var nextDeadline: MonotonicInstant? {
        var earliest = openIndications.first?.deadline
        for connection in connections {
            guard let deadline = connection.preparedWritesDeadline else { continue }
            earliest = min(earliest ?? deadline, deadline)
        }
        return earliest
    }

    /// Ends connections if the client left a queued write or an indication open too long.
    public func advance(to now: MonotonicInstant) {
        expireIndications(now)
        for connection in connections {
            guard let deadline = connection.preparedWritesDeadline, deadline <= now else { continue }
            connection.preparedWritesDeadline = nil
            perform(.disconnect(connection: connection.handle, reason: Self.terminationReason))
        }
    }

    /// Remote User Terminated Connection (Core 5.4, Vol 1 Part F 2.18).
    static let terminationReason: UInt8 = 0x13
    /// The maximum time for which a client may leave a queued write or an indication open.
    static let transactionTimeout = Duration.seconds(30)
}
