public import BLECentral
public import BLECore
public import Bench
public import Testing

/// The link of a central: attributes are named by the UUID of their characteristic; if several have this UUID, the
/// first one is used.
public struct TestLink: Sendable {
    let bench: TestBench
    let id: CentralID

    // MARK: Attributes

    /// Writes a value; with response, a value that is too long for one request is sent as a long write.
    public func write(
        _ value: [UInt8], to characteristic: BLEUUID, hasResponse: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.write(value, to: characteristic, by: id, hasResponse: hasResponse).get()
        }
    }

    /// Writes a text as UTF-8.
    public func write(
        _ text: String, to characteristic: BLEUUID, hasResponse: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await write(
            Array(text.utf8), to: characteristic, hasResponse: hasResponse, sourceLocation: sourceLocation)
    }

    /// Reads a value of any length.
    public func read(
        _ characteristic: BLEUUID, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [UInt8] {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.read(characteristic, by: id).get()
        }
    }

    /// Reads a value and expects it to be this one.
    public func expectRead(
        of characteristic: BLEUUID, _ value: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let got = try await read(characteristic, sourceLocation: sourceLocation)
        guard got == value else {
            throw await bench.failure(
                "\(bench.session.name(of: characteristic)) to be \(BenchFailure.text(value))",
                got: BenchFailure.text(got), sourceLocation)
        }
    }

    /// Subscribes to a characteristic.
    public func subscribe(
        to characteristic: BLEUUID, _ subscription: Subscription = .notifications,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.subscribe(to: characteristic, subscription, by: id).get()
        }
    }

    /// Unsubscribes from a characteristic.
    public func unsubscribe(
        from characteristic: BLEUUID, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await subscribe(to: characteristic, .none, sourceLocation: sourceLocation)
    }

    /// Expects the next notification of a characteristic, with exactly this value; `nil`: any value.
    ///
    /// - Parameter order: its place relative to the response of the link's last write; `nil`: any.
    public func expectNotification(
        of characteristic: BLEUUID, _ value: [UInt8]? = nil, order: ResponseOrder? = nil,
        within timeout: Duration = .seconds(1),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.expect(
            .value(of: characteristic, by: id, isIndication: false, value.map { ValueMatch(bytes: $0) }, order),
            timeout,
            sourceLocation)
    }

    /// Expects the next indication of a characteristic, with exactly this value; `nil`: any value.
    ///
    /// - Parameter order: its place relative to the response of the link's last write; `nil`: any.
    public func expectIndication(
        of characteristic: BLEUUID, _ value: [UInt8]? = nil, order: ResponseOrder? = nil,
        within timeout: Duration = .seconds(1),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.expect(
            .value(of: characteristic, by: id, isIndication: true, value.map { ValueMatch(bytes: $0) }, order), timeout,
            sourceLocation)
    }

    /// Exchanges the ATT MTU; returns the MTU in effect.
    ///
    /// - Parameter offer: 23...517.
    public func exchangeMTU(_ offer: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Int {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.exchangeMTU(offer, by: id)
        }
    }

    /// The services that were discovered.
    public func services(sourceLocation: SourceLocation = #_sourceLocation) async throws -> [DiscoveredService] {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in try await session.services(of: id) }
    }

    /// Sends an ATT PDU, bypassing the central's stack; returns the response, or `nil` if none is received in time.
    public func exchangeATT(
        _ pdu: [UInt8], within timeout: Duration = .seconds(1), sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [UInt8]? {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.exchangeATT(pdu, by: id, within: timeout, expected: "an answer to an ATT PDU")
        }
    }

    // MARK: Security

    /// Pairs again, even if there is a bond; returns the security that was reached. The simulated user answers each
    /// request of the pairing after 1 s.
    ///
    /// - Parameters:
    ///   - passkey: the passkey to enter; `.console(…)`: the number in the newest console line that matches.
    ///   - confirmation: the answer to a numeric comparison.
    ///   - security: the security that the central offers and requests.
    @discardableResult
    public func pair(
        passkey: PairingAnswers.Passkey = .unexpected, confirmation: Bool? = nil,
        _ security: CentralSecurity = CentralSecurity(), sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> LinkSecurity {
        let answers = PairingAnswers(passkey: passkey, confirmation: confirmation)
        return try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.pair(id, security, answers: answers).get()
        }
    }

    /// Encrypts with the key of the bond; returns the security that was reached.
    @discardableResult
    public func encrypt(sourceLocation: SourceLocation = #_sourceLocation) async throws -> LinkSecurity {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in try await session.encrypt(id).get() }
    }

    /// The security of the link.
    public func security(sourceLocation: SourceLocation = #_sourceLocation) async throws -> LinkSecurity {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in try await session.security(of: id) }
    }

    /// The parameters of the link: interval, latency, supervision time-out and PHYs.
    public func parameters(sourceLocation: SourceLocation = #_sourceLocation) async throws -> LinkParameters {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.linkParameters(of: id)
        }
    }

    // MARK: End

    /// Expects the board to end the link, or the link to be lost.
    ///
    /// - Parameter reason: the HCI error code (Core 5.4, Vol 1 Part F 1.3), e.g. 0x13; `nil`: any.
    public func expectDisconnect(
        reason: UInt8? = nil, within timeout: Duration = .seconds(1), sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.expect(.disconnect(id, reason: reason), timeout, sourceLocation)
    }

    /// Ends the link.
    public func disconnect(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in try await session.disconnect(id) }
    }
}
