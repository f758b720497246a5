internal import BLECentral
public import BLECore
import BLEPackets
import BenchExecutor
import BenchModel
import MonotonicTime

/// Operations on the peer's attributes. Each returns the result of the stack, for callers that expect an error.
extension BenchSession {
    /// The name of a UUID.
    func name(_ uuid: BLEUUID) -> String { names[uuid] ?? uuid.description }

    /// The name of a characteristic in failures.
    public func name(of characteristic: BLEUUID) -> String { name(characteristic) }

    /// The characteristic's value attribute on the central's link.
    private func attribute(_ uuid: BLEUUID, of state: CentralState, expected: String)
        throws(BenchFailure) -> AttributeID
    {
        if let attribute = state.attributes[uuid] { return attribute }
        if state.services.isEmpty, !state.isDiscovered {
            throw BenchFailure(
                .suite, expected: expected,
                got: "a link without discovery, and no central has discovered the board before")
        }
        let there = state.services.flatMap(\.characteristics).map { name($0.uuid) }
        let known = name(uuid) == "\(uuid)" ? "\(uuid)" : "\(name(uuid)) (\(uuid))"
        throw BenchFailure(
            .assertion, expected: "\(expected) of \(known)",
            got: "no such characteristic on the board; it has \(there.joined(separator: ", "))")
    }

    /// Writes a value; a write without response cannot be expected to fail, so its failure is thrown.
    public func write(
        _ value: [UInt8], to characteristic: BLEUUID, by central: CentralID, hasResponse: Bool = true,
        isText: Bool = false
    ) async throws(BenchFailure) -> OperationOutcome<Void> {
        let (state, stack, peripheral) = try link(central, expected: "a write")
        let attribute = try attribute(characteristic, of: state, expected: "a write")
        log.beginAction()
        record(
            state.description.name,
            ValueWritten(state.eventAttribute(attribute), value: value, hasResponse: hasResponse))
        guard hasResponse else {
            log.forgetWrite(state.description.name)
            // Faster than `attempt` in large matrices: no response is awaited, so a crash need not end a wait.
            do throws(CentralError) {
                try await stack.write(value, .withoutResponse, to: attribute, characteristic, of: peripheral.id)
                return OperationOutcome(expected: "", result: .success(()))
            } catch {
                throw BenchFailure(
                    error, expected: "a write of \(ValueText.text(value, isText: isText)) to \(name(characteristic))")
            }
        }
        let expected = "a write of \(ValueText.text(value, isText: isText)) to \(name(characteristic))"
        log.beginWrite(state.description.name)
        let outcome = try await attempt(expected) { () async throws(CentralError) in
            try await stack.write(value, .withResponse, to: attribute, characteristic, of: peripheral.id)
        }
        log.endWrite(state.description.name)
        return recorded(outcome, attribute, state, lacking([.write, .writeWithoutResponse], characteristic, state))
    }

    /// Writes bytes as a stream: in writes of at most ATT_MTU − 3 bytes, at the pace of a UART of `rate` bits per
    /// second with 10 bits per byte.
    ///
    /// - Returns: the result of the last write; a failed one ends the stream.
    public func stream(
        _ bytes: [UInt8], to characteristic: BLEUUID, by central: CentralID, rate: Int, hasResponse: Bool = false
    ) async throws(BenchFailure) -> OperationOutcome<Void> {
        var outcome = OperationOutcome<Void>(expected: "", result: .success(()))
        let started = executor.now
        var sent = 0
        while sent < bytes.count {
            let due = started.advanced(by: .nanoseconds(sent * 10_000_000_000 / rate))
            if due > executor.now { await advance(by: executor.now.duration(to: due)) }
            if let crash { throw crash }
            let (_, _, peripheral) = try link(central, expected: "a write")
            let part = max(20, ((try? await peripheral.mtu) ?? 23) - 3)
            let end = min(sent + part, bytes.count)
            outcome = try await write(
                Array(bytes[sent..<end]), to: characteristic, by: central, hasResponse: hasResponse)
            guard case .success = outcome.result else { return outcome }
            sent = end
        }
        return outcome
    }

    /// Reads a value. `wanted`: the conditions on the value, for failures; they are not checked.
    public func read(
        _ characteristic: BLEUUID, by central: CentralID, expecting wanted: ValueMatch? = nil
    ) async throws(BenchFailure) -> OperationOutcome<[UInt8]> {
        let (state, stack, peripheral) = try link(central, expected: "a read")
        let attribute = try attribute(characteristic, of: state, expected: "a read")
        let expected =
            "a read of \(name(characteristic))"
            + (wanted.map { " to give \($0.givenWords)" } ?? "")
        let outcome = try await attempt(expected) { () async throws(CentralError) in
            try await stack.read(attribute, characteristic, of: peripheral.id)
        }
        if case .success(let value) = outcome.result {
            record(state.description.name, ValueRead(state.eventAttribute(attribute), value: value))
        }
        return recorded(outcome, attribute, state, lacking(.read, characteristic, state))
    }

    /// Writes the Client Characteristic Configuration of a characteristic.
    public func subscribe(
        to characteristic: BLEUUID, _ subscription: Subscription = .notifications, by central: CentralID
    ) async throws(BenchFailure) -> OperationOutcome<Void> {
        let (state, stack, peripheral) = try link(central, expected: "a subscription")
        let attribute = try attribute(characteristic, of: state, expected: "a subscription")
        record(
            state.description.name, SubscriptionWritten(state.eventAttribute(attribute), to: subscription))
        let expected = "a subscription of \(name(characteristic)) to \(subscription.rawValue)"
        let configuration = state.isDiscovered ? nil : state.configuration(of: attribute)
        let outcome = try await attempt(expected) { () async throws(CentralError) in
            // Writes the descriptor directly: `subscribe` would first discover services if the stack has not done so on
            // this link.
            guard let configuration else {
                return try await stack.subscribe(subscription, to: attribute, characteristic, of: peripheral.id)
            }
            let value = [UInt8(truncatingIfNeeded: subscription.configuration), 0]
            try await stack.write(value, .withResponse, to: configuration, characteristic, of: peripheral.id)
        }
        if case .failure(let error) = outcome.result {
            // A characteristic without the property has no configuration descriptor: a stack may fail without sending a
            // request.
            if case .attError = error.code {
            } else if let lacking = lacking([.notify, .indicate], characteristic, state) {
                throw BenchFailure(.assertion, expected: expected, got: lacking)
            }
        } else {
            centrals[central.index].subscriptions[attribute] = subscription
        }
        return recorded(outcome, attribute, state, lacking([.notify, .indicate], characteristic, state))
    }

    /// Records the ATT error that an operation ended with; `reason` is the error's cause in the sketch.
    private func recorded<Value>(
        _ outcome: OperationOutcome<Value>, _ attribute: AttributeID, _ state: CentralState, _ reason: String?
    ) -> OperationOutcome<Value> {
        var outcome = outcome
        if case .failure(let error) = outcome.result, case .attError(let code) = error.code {
            record(state.description.name, ATTErrorReceived(state.eventAttribute(attribute), code: code))
            outcome.reason = reason
        }
        return outcome
    }

    /// Exchanges the ATT MTU; returns the MTU in effect.
    public func exchangeMTU(
        _ offer: Int, by central: CentralID, expected: String = "an MTU exchange"
    ) async throws(BenchFailure) -> Int {
        let (_, _, peripheral) = try link(central, expected: "an MTU exchange")
        return try await perform(expected) { () async throws(CentralError) in try await peripheral.exchangeMTU(offer) }
    }

    /// The peer's services that the central has discovered.
    public func services(of central: CentralID) throws(BenchFailure) -> [DiscoveredService] {
        try link(central, expected: "the services").state.services
    }

    /// The handle of a characteristic's value on the central's link; `nil`: no such characteristic, or the stack hides
    /// handles.
    public func handle(of characteristic: BLEUUID, by central: CentralID) -> UInt16? {
        let state = centrals[central.index]
        return state.attributes[characteristic].flatMap { state.eventAttribute($0).handle }
    }

    /// Sends an ATT PDU, bypassing the central's stack; returns the response, or `nil` if none is received within
    /// `timeout`.
    public func exchangeATT(
        _ pdu: [UInt8], by central: CentralID, within timeout: Duration, expected: String
    ) async throws(BenchFailure) -> [UInt8]? {
        let (state, _, peripheral) = try link(central, expected: "an ATT PDU to be sent")
        log.forgetWrite(state.description.name)
        record(state.description.name, ATTPDUExchanged(isSent: true, pdu: pdu))
        let answer = try await perform(expected) { () async throws(CentralError) in
            try await peripheral.exchangeATT(pdu, within: timeout)
        }
        if let answer { record(state.description.name, ATTPDUExchanged(isSent: false, pdu: answer)) }
        return answer
    }
}
