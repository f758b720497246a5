@_exported public import BLECore

/// The bench's interface to a host BLE stack in the central role: espbench's own HCI host, BlueZ, or
/// CoreBluetooth.
///
/// Operations on one connection are executed one at a time, in the order of the calls. Events are posted to ``events``,
/// from any thread; the caller of ``connect(to:within:)`` calls ``CentralEventQueue/accept(_:)`` when it is ready to
/// receive the connection's events.
///
/// Stacks differ: ``abilities`` lists what this one supports; an operation that requires more throws
/// ``CentralError/Code/unsupported(_:)``. After the adapter was removed every operation throws
/// ``CentralError/Code/unavailable``, pending ones at once, and the connections are reported as disconnected.
public protocol CentralBackend: Actor {
    /// Initializes the stack; must be called first.
    func powerOn() async throws(CentralError)

    /// Ends connections and scanning, and restores what the backend has changed on the host, e.g. an adapter's power.
    /// Call it when the central is no longer used; ``powerOn()`` may follow.
    func close() async

    /// The optional abilities of this stack.
    nonisolated var abilities: Set<CentralAbility> { get }

    /// The events of the stack.
    nonisolated var events: CentralEventQueue { get }

    /// Starts or restarts scanning; advertisements that match `filter` are reported as
    /// ``CentralEvent/advertisement(_:)``.
    func startScanning(_ filter: ScanFilter) async throws(CentralError)

    /// Stops scanning. Does nothing when not scanning.
    func stopScanning() async throws(CentralError)

    /// Connects to an advertised `peer`. The connection's events are held in ``events`` until they are accepted.
    ///
    /// - Throws: code `timedOut` when `timeout` passes first, or the calling task is cancelled; the attempt is then
    ///   cancelled.
    func connect(to peer: PeerID, within timeout: Duration) async throws(CentralError) -> ConnectionID

    /// Ends a connection; returns when it has ended.
    func disconnect(_ connection: ConnectionID) async throws(CentralError)

    /// Exchanges the MTU, offering `mtu` (23...517); returns the MTU in effect. Requires
    /// ``CentralAbility/mtuExchange``.
    func exchangeMTU(_ mtu: Int, on connection: ConnectionID) async throws(CentralError) -> Int

    /// Discovers every primary service with its characteristics and descriptors, in the order of the server.
    func discoverServices(on connection: ConnectionID) async throws(CentralError) -> [DiscoveredService]

    /// Reads a whole attribute value, with Read Blob if it does not fit into one response.
    func read(_ attribute: AttributeID, on connection: ConnectionID) async throws(CentralError) -> [UInt8]

    /// Writes a value; with a response, values too long for one request are sent as a long write (Prepare and Execute).
    /// Without a response it returns when the stack has accepted the command.
    func write(_ value: [UInt8], to attribute: AttributeID, kind: WriteKind, on connection: ConnectionID)
        async throws(CentralError)

    /// Writes the characteristic's Client Characteristic Configuration; returns when the server has confirmed it.
    func setSubscription(_ subscription: Subscription, of characteristic: AttributeID, on connection: ConnectionID)
        async throws(CentralError)

    /// Reads the strength at which this side receives the peer, in dBm; `nil`: the controller does not know it.
    /// Requires ``CentralAbility/connectionRSSI``.
    func readRSSI(on connection: ConnectionID) async throws(CentralError) -> Int?

    /// The current parameters of a connection. Requires ``CentralAbility/linkParameters``.
    func linkParameters(of connection: ConnectionID) async throws(CentralError) -> LinkParameters

    /// Sends any bytes as an ATT PDU, bypassing the stack's GATT client; returns the first PDU received within
    /// `timeout` that is not a notification or indication, or `nil` if none arrives or the connection ends. A `timeout`
    /// of zero does not wait. Requires ``CentralAbility/rawATT``.
    func exchangeATT(_ pdu: [UInt8], on connection: ConnectionID, within timeout: Duration)
        async throws(CentralError) -> [UInt8]?

    /// Configures pairing and the own address; applies to pairings, scans and connections started later.
    ///
    /// With ``CentralAbility/attErrors`` the stack never pairs or encrypts on its own: an ATT error that requests it is
    /// returned like any other. Requires ``CentralAbility/pairingControl``.
    func setSecurity(_ security: CentralSecurity) async throws(CentralError)

    /// Pairs, even with an existing bond; returns the achieved security when the keys have been exchanged, which may be
    /// lower than requested. Meanwhile ``CentralEvent/pairingInput(_:_:)`` may request an answer. Requires
    /// ``CentralAbility/pairing``.
    ///
    /// - Throws: `pairingFailed`, `timedOut`, `disconnected`, `invalidState` while another pairing runs.
    func pair(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity

    /// Encrypts with the key of the bond. Requires ``CentralAbility/encryption``. Without
    /// ``CentralAbility/plainLinks`` the stack has encrypted the link when it connected.
    ///
    /// - Throws: `notBonded`; `encryptionFailed`, with 0x06 when the peer has lost its key.
    func encrypt(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity

    /// Answers ``CentralEvent/pairingInput(_:_:)``. Requires ``CentralAbility/pairingControl``.
    ///
    /// - Throws: `invalidState` when no pairing waits for such an answer.
    func answerPairing(_ answer: PairingAnswer, on connection: ConnectionID) async throws(CentralError)

    /// The peer with its identity address, if its address is a private address that the stack can resolve; otherwise
    /// `peer`.
    func identity(of peer: PeerID) async -> PeerID

    /// The current security of a connection.
    func security(of connection: ConnectionID) async throws(CentralError) -> LinkSecurity

    /// The bonded peers, oldest first. Requires ``CentralAbility/bondList``.
    func bonds() async throws(CentralError) -> [BondedPeer]

    /// Deletes the bond with a peer, given by its identity address; connections stay open. Does nothing without a bond.
    /// Requires ``CentralAbility/bondList``.
    func forget(_ identity: DeviceAddress) async throws(CentralError)
}

extension CentralBackend {
    /// Does nothing: for stacks without state to restore.
    public func close() async {}
}

extension CentralBackend {
    /// Connects to `peer` and accepts the connection's events at once: for callers whose event handler does not need
    /// the connection's identifier beforehand.
    public func connectAndAccept(
        to peer: PeerID, within timeout: Duration
    ) async throws(CentralError) -> ConnectionID {
        let connection = try await connect(to: peer, within: timeout)
        events.accept(connection)
        return connection
    }
}

/// The default implementations of operations that require an ability.
extension CentralBackend {
    /// Throws `unsupported`.
    public func exchangeMTU(_ mtu: Int, on connection: ConnectionID) async throws(CentralError) -> Int {
        throw CentralError(unsupported: .mtuExchange, "exchange MTU")
    }

    /// Throws `unsupported`.
    public func readRSSI(on connection: ConnectionID) async throws(CentralError) -> Int? {
        throw CentralError(unsupported: .connectionRSSI, "read the RSSI")
    }

    /// Throws `unsupported`.
    public func linkParameters(of connection: ConnectionID) async throws(CentralError) -> LinkParameters {
        throw CentralError(unsupported: .linkParameters, "read the parameters of a connection")
    }

    /// Returns `peer`.
    public func identity(of peer: PeerID) async -> PeerID { peer }

    /// Throws `unsupported`.
    public func exchangeATT(
        _ pdu: [UInt8], on connection: ConnectionID, within timeout: Duration
    ) async throws(CentralError) -> [UInt8]? {
        throw CentralError(unsupported: .rawATT, "exchange an ATT PDU")
    }

    /// Throws `unsupported`.
    public func setSecurity(_ security: CentralSecurity) async throws(CentralError) {
        throw CentralError(unsupported: .pairingControl, "set how to pair")
    }

    /// Throws `unsupported`.
    public func pair(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        throw CentralError(unsupported: .pairing, "pair")
    }

    /// Throws `unsupported`.
    public func encrypt(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        throw CentralError(unsupported: .encryption, "encrypt")
    }

    /// Throws `unsupported`.
    public func answerPairing(_ answer: PairingAnswer, on connection: ConnectionID) async throws(CentralError) {
        throw CentralError(unsupported: .pairingControl, "answer a pairing")
    }

    /// Throws `unsupported`.
    public func bonds() async throws(CentralError) -> [BondedPeer] {
        throw CentralError(unsupported: .bondList, "list bonds")
    }

    /// Throws `unsupported`.
    public func forget(_ identity: DeviceAddress) async throws(CentralError) {
        throw CentralError(unsupported: .bondList, "delete a bond")
    }
}

/// An event for the observer of a Bluetooth stack's controllers.
public enum ControllerEvent: Hashable, Sendable {
    /// A controller was added; its packets follow.
    ///
    /// - Parameter company: the company identifier of its manufacturer.
    case added(address: DeviceAddress, company: UInt16)
    /// A packet between the host and the controller: an H4 packet with its indicator (Core 5.4, Vol 4 Part A 2).
    case packet([UInt8], isFromHost: Bool)
    /// The controller was removed.
    case removed
}

/// A backend that reports the HCI packets between its host and the controller.
public protocol PacketObserving: CentralBackend {
    /// Sets the observer of the packets from now on; it receives the controller first, and is called on the backend's
    /// executor. `nil`: no observer.
    ///
    /// - Throws: ``CentralError`` with code `unavailable` when the operating system does not permit this.
    func setPacketObserver(_ observer: (@Sendable (ControllerEvent) -> Void)?) async throws(CentralError)
}

/// Identifies a connection of a backend; never reused.
public struct ConnectionID: Hashable, Sendable, Codable {
    /// The number, counted from 1.
    public let rawValue: UInt32

    /// A connection by number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// How a value is written, and whether the server acknowledges it.
public enum WriteKind: String, Sendable, Codable {
    /// ATT Write Request, or Prepare and Execute for long values.
    case withResponse
    /// ATT Write Command.
    case withoutResponse
    /// ATT Prepare Write, with its echo compared to the value, and Execute Write, even for short values (Core 5.4, Vol
    /// 3 Part G 4.9.5). Requires ``CentralAbility/reliableWrites``.
    case reliable
}
