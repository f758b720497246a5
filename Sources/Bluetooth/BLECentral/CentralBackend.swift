public import BLECore

/// A host BLE stack in the central role, as the bench uses it: espbench's own HCI host, later BlueZ or CoreBluetooth.
///
/// Operations on one connection are carried out one after another, in the order of the calls. What happens without
/// being asked for is posted to ``events``, from any thread; whoever connects calls
/// ``CentralEventQueue/accept(_:)`` when it can hear the connection's events.
///
/// Stacks differ: ``abilities`` says what this one can do, and an operation that needs more throws
/// ``CentralError/Code/unsupported(_:)``. Where the adapter is gone, every operation throws
/// ``CentralError/Code/unavailable``, those in progress at once, and the connections are reported disconnected.
public protocol CentralBackend: Actor {
    /// Brings the stack up; must come first.
    func powerOn() async throws(CentralError)

    /// What this stack can do that others cannot.
    nonisolated var abilities: Set<CentralAbility> { get }

    /// What happens without being asked for.
    nonisolated var events: CentralEventQueue { get }

    /// Starts or restarts scanning; advertisements that pass `filter` come as ``CentralEvent/advertisement(_:)``.
    func startScanning(_ filter: ScanFilter) async throws(CentralError)

    /// Stops scanning. Does nothing when not scanning.
    func stopScanning() async throws(CentralError)

    /// Connects to `peer`, as it was advertised. Its events wait in ``events`` until they are accepted.
    ///
    /// - Throws: code `timedOut` when `timeout` passes first; the attempt is then cancelled.
    func connect(to peer: PeerID, within timeout: Duration) async throws(CentralError) -> ConnectionID

    /// Ends a connection; returns when it has ended.
    func disconnect(_ connection: ConnectionID) async throws(CentralError)

    /// Offers `mtu` (23...517) to the server; returns the MTU in effect. Needs ``CentralAbility/mtuExchange``.
    func exchangeMTU(_ mtu: Int, on connection: ConnectionID) async throws(CentralError) -> Int

    /// Discovers every primary service with its characteristics and descriptors, in the order of the server.
    func discoverServices(on connection: ConnectionID) async throws(CentralError) -> [DiscoveredService]

    /// Reads a whole attribute value, going on with Read Blob where one response cannot hold it.
    func read(_ attribute: AttributeID, on connection: ConnectionID) async throws(CentralError) -> [UInt8]

    /// Writes a value; with a response, values too long for one request go as a long write (Prepare and Execute).
    /// Without a response it returns when the stack has taken the command.
    func write(_ value: [UInt8], to attribute: AttributeID, kind: WriteKind, on connection: ConnectionID)
        async throws(CentralError)

    /// Writes the characteristic's Client Characteristic Configuration; returns when the server has confirmed it.
    func setSubscription(_ subscription: Subscription, of characteristic: AttributeID, on connection: ConnectionID)
        async throws(CentralError)

    /// Sends any bytes as an ATT PDU past the stack's GATT client; returns the first PDU that comes back within `timeout`
    /// and is no notification or indication, or `nil` when none does, also where the connection ends meanwhile. A
    /// `timeout` of zero does not wait. Needs ``CentralAbility/rawATT``.
    func exchangeATT(_ pdu: [UInt8], on connection: ConnectionID, within timeout: Duration)
        async throws(CentralError) -> [UInt8]?

    /// Says how to pair and which addresses to use; counts for pairings, scans and connections that begin later.
    ///
    /// With ``CentralAbility/attErrors`` nothing is paired or encrypted by itself: an ATT error that asks for it is an
    /// error like any other. Needs ``CentralAbility/pairingControl``.
    func setSecurity(_ security: CentralSecurity) async throws(CentralError)

    /// Pairs anew, whatever bond there is; returns when the keys have been exchanged, with what was reached: a peer
    /// may settle for less than was asked for. ``CentralEvent/pairingInput(_:_:)`` may ask for an answer meanwhile.
    /// Needs ``CentralAbility/pairing``.
    ///
    /// - Throws: `pairingFailed`, `timedOut`, `disconnected`, `invalidState` while another pairing runs.
    func pair(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity

    /// Encrypts with the key of the bond. Needs ``CentralAbility/encryption``.
    ///
    /// - Throws: `notBonded`; `encryptionFailed`, with 0x06 when the peer has lost its key.
    func encrypt(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity

    /// Answers ``CentralEvent/pairingInput(_:_:)``. Needs ``CentralAbility/pairingControl``.
    ///
    /// - Throws: `invalidState` when nothing waits for such an answer.
    func answerPairing(_ answer: PairingAnswer, on connection: ConnectionID) async throws(CentralError)

    /// How well a connection is protected now.
    func security(of connection: ConnectionID) async throws(CentralError) -> LinkSecurity

    /// The peers whose keys are kept, oldest first. Needs ``CentralAbility/bondList``.
    func bonds() async throws(CentralError) -> [BondedPeer]

    /// Deletes the keys of a peer, by its identity address; connections live on. Does nothing when there are none.
    /// Needs ``CentralAbility/bondList``.
    func forget(_ identity: DeviceAddress) async throws(CentralError)
}
