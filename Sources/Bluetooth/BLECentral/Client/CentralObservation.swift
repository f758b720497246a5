public import BLECore

/// An action or event of a central, for ``Central/addObserver(_:)``.
public enum CentralObservation: Sendable, Hashable {
    /// An event of the stack, before the central handles it.
    case event(CentralEvent)
    /// A connection was established, and its events follow; `name` is the peer's name, if known.
    case connected(PeerID, ConnectionID, name: String?)
    /// The caller has requested to disconnect from the peer.
    case disconnecting(PeerID)
    /// The subscription of a characteristic has changed: reported before subscribing, and after unsubscribing.
    case subscribed(PeerID, CharacteristicPath, Subscription)
    /// A request begins; its number distinguishes it from other requests of this central.
    case began(Int, PeerID, CentralRequest)
    /// A request has ended, or the caller has stopped waiting for it.
    case ended(Int, PeerID, CentralRequest, Result<CentralAnswer, CentralError>)
    /// The bond with the peer of this identity was deleted.
    case forgot(DeviceAddress)
}

/// A request over a connection.
public enum CentralRequest: Sendable, Hashable {
    /// Discover services, characteristics and descriptors.
    case discover
    /// Read an attribute.
    case read(AttributeID)
    /// Write an attribute.
    case write(AttributeID, [UInt8], WriteKind)
    /// Write the Client Characteristic Configuration of a characteristic.
    case subscribe(AttributeID, Subscription)
    /// Exchange the MTU, offering this one.
    case exchangeMTU(Int)
    /// Send any bytes as an ATT PDU.
    case exchangeATT([UInt8])
    /// Pair.
    case pair
    /// Encrypt with the key of the bond.
    case encrypt
    /// Answer a pairing's request for input.
    case answerPairing(PairingAnswer)
}

/// The answer to a ``CentralRequest``.
public enum CentralAnswer: Sendable, Hashable {
    /// It was done.
    case done
    /// The services that were discovered.
    case services([DiscoveredService])
    /// The value that was read.
    case value([UInt8])
    /// The MTU in effect.
    case mtu(Int)
    /// The PDU that was received, if any.
    case pdu([UInt8]?)
    /// The security that was achieved.
    case security(LinkSecurity)
}

extension Central {
    /// Calls `observer` on the executor for all events from now on, in order, before they have any effect. The observer
    /// must not block. Observers are called in the order in which they were added; returns the number of this one.
    @discardableResult
    public func addObserver(_ observer: @escaping @Sendable (CentralObservation) -> Void) -> Int {
        let number = nextNumber()
        observers.append((number, observer))
        return number
    }

    /// Removes an observer.
    public func removeObserver(_ number: Int) { observers.removeAll { $0.number == number } }

    /// The path of a value of a connected peer; `nil` if it has not been discovered.
    package func path(of value: AttributeID, on peer: PeerID) -> CharacteristicPath? {
        links[peer].flatMap { CharacteristicPath(of: value, in: $0.discovered) }
    }

    /// The peer of a connection; `nil` when it has ended.
    package func peer(of connection: ConnectionID) -> PeerID? { link(connection)?.peer }

    func observe(_ observation: @autoclosure () -> CentralObservation) {
        guard !observers.isEmpty else { return }
        let observation = observation()
        for (_, observer) in observers { observer(observation) }
    }

    /// Runs a request over the connection to a peer; reports its beginning and end to observers.
    ///
    /// - Parameters:
    ///   - operation: the request as text, for errors.
    ///   - timeout: how long the caller waits: see ``timed(_:_:_:)``.
    ///   - answer: converts the result for observers.
    func perform<Value: Sendable>(
        _ request: CentralRequest, of peer: PeerID, _ operation: @autoclosure () -> String,
        within timeout: Duration? = nil, answer: (Value) -> CentralAnswer = { _ in .done },
        _ body: @escaping @Sendable (any CentralBackend, ConnectionID) async throws(CentralError) -> Value
    ) async throws(CentralError) -> Value {
        let (backend, connection) = (backend, try link(to: peer, for: operation()).connection)
        let number = nextNumber()
        observe(.began(number, peer, request))
        do throws(CentralError) {
            let value: Value
            if let timeout {
                value = try await timed(timeout, "\(operation()): expected a response in time, got none") {
                    () async throws(CentralError) in
                    try await body(backend, connection)
                }
            } else {
                value = try await body(backend, connection)
            }
            observe(.ended(number, peer, request, .success(answer(value))))
            return value
        } catch {
            observe(.ended(number, peer, request, .failure(error)))
            throw error
        }
    }
}
