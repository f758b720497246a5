import BLECentral
import BLECore
import BLEPackets
import BenchModel

extension SuiteRunner {
    /// The characteristic's value attribute on the client's link.
    private func attribute(_ uuid: UUIDReference, of session: ClientSession, expected: String)
        throws(StepFault) -> AttributeID
    {
        if let attribute = session.attributes[uuid.index] { return attribute }
        if session.services.isEmpty, !session.isDiscovered {
            throw StepFault(
                .benchFault, expected: expected,
                got: "a link without discovery, and no central has discovered the board before")
        }
        let there = session.services.flatMap(\.characteristics).map(\.uuid.description)
        throw StepFault(
            .assertion, expected: expected,
            got:
                "no characteristic \(suite.uuids[uuid.index].uuid) on the board; it has \(there.joined(separator: " "))"
        )
    }

    func name(_ uuid: UUIDReference) -> String { suite.uuids[uuid.index].name }

    func write(_ step: WriteStep, at position: SourcePosition) async throws(StepFault) {
        let (session, connection) = try link(step.client.index, expected: "a write")
        let attribute = try attribute(step.characteristic, of: session, expected: "a write")
        let value = try bytes(step.value)
        record(
            session.name, .write(attribute: attribute.rawValue, value: value, hasResponse: step.hasResponse))
        guard step.hasResponse else {
            // Nothing to wait for, so nothing for a crash to abort: the short way for long matrices.
            do throws(CentralError) {
                return try await session.backend.write(value, to: attribute, kind: .withoutResponse, on: connection)
            } catch {
                throw StepFault(error, expected: "a write of \(CaseLog.text(value)) to \(name(step.characteristic))")
            }
        }
        let expected = "a write of \(CaseLog.text(value)) to \(name(step.characteristic))"
        let outcome = try await attempt(expected) { () async throws(CentralError) in
            try await session.backend.write(value, to: attribute, kind: .withResponse, on: connection)
        }
        try check(outcome, error: step.expectedError, attribute, of: session, expected, at: position)
    }

    func read(_ step: ReadStep, at position: SourcePosition) async throws(StepFault) {
        let (session, connection) = try link(step.client.index, expected: "a read")
        let attribute = try attribute(step.characteristic, of: session, expected: "a read")
        let wanted: [UInt8]? = if let value = step.value { try bytes(value) } else { nil }
        let expected =
            "a read of \(name(step.characteristic))" + (wanted.map { " to give \(CaseLog.text($0))" } ?? "")
        let outcome = try await attempt(expected) { () async throws(CentralError) in
            try await session.backend.read(attribute, on: connection)
        }
        guard let value = try check(outcome, error: step.expectedError, attribute, of: session, expected, at: position)
        else { return }
        record(session.name, .read(attribute: attribute.rawValue, value: value))
        if let wanted, wanted != value {
            throw StepFault(.assertion, expected: expected, got: CaseLog.text(value))
        }
    }

    func subscribe(_ step: SubscribeStep, at position: SourcePosition) async throws(StepFault) {
        let (session, connection) = try link(step.client.index, expected: "a subscription")
        let attribute = try attribute(step.characteristic, of: session, expected: "a subscription")
        record(session.name, .subscription(attribute: attribute.rawValue, kind: step.kind))
        let subscription: Subscription =
            switch step.kind {
            case .none: .none
            case .notifications: .notifications
            case .indications: .indications
            }
        let expected = "a subscription of \(name(step.characteristic)) to \(step.kind.rawValue)"
        let configuration = session.isDiscovered ? nil : session.configuration(of: attribute)
        let outcome = try await attempt(expected) { () async throws(CentralError) in
            // A stack that has not discovered this link would do it first.
            guard let configuration else {
                return try await session.backend.setSubscription(subscription, of: attribute, on: connection)
            }
            let value = [UInt8(truncatingIfNeeded: subscription.rawValue), 0]
            try await session.backend.write(value, to: configuration, kind: .withResponse, on: connection)
        }
        try check(outcome, error: step.expectedError, attribute, of: session, expected, at: position)
    }

    /// Compares how an operation came out with how it should: `nil` when it failed as expected.
    @discardableResult
    private func check<Value>(
        _ outcome: Result<Value, CentralError>, error expectedError: ExpectedError?, _ attribute: AttributeID,
        of session: ClientSession, _ operation: String, at position: SourcePosition
    ) throws(StepFault) -> Value? {
        if case .failure(let error) = outcome, case .attError(let code) = error.code {
            record(session.name, .attError(attribute: attribute.rawValue, code: code))
        }
        try check(outcome, expectedError, operation, at: position) { "ATT error \(ATTErrorCode(rawValue: $0))" }
        return try? outcome.get()
    }

    func exchangeMTU(_ step: MTUStep, at position: SourcePosition) async throws(StepFault) {
        let (session, connection) = try link(step.client.index, expected: "an MTU exchange")
        let offer = try mtu(step.offer, at: position)
        let effective: Int? = if let effective = step.effective { try mtu(effective, at: position) } else { nil }
        let expected = "an MTU" + (effective.map { " of \($0)" } ?? "") + " for an offer of \(offer)"
        let mtu = try await perform(expected) { () async throws(CentralError) in
            try await session.backend.exchangeMTU(offer, on: connection)
        }
        if let effective, effective != mtu { throw StepFault(.assertion, expected: expected, got: "\(mtu)") }
    }

    private func mtu(_ expression: Expression, at position: SourcePosition) throws(StepFault) -> Int {
        let range = MTUStep.range
        let value = try integer(expression, at: position)
        guard range.contains(Int(clamping: value)) else {
            throw StepFault(
                .benchFault, expected: "an MTU of \(range.lowerBound)...\(range.upperBound)", got: "\(value)",
                position: position)
        }
        return Int(value)
    }

    func discover(_ step: DiscoverStep) throws(StepFault) {
        let (session, _) = try link(step.client.index, expected: "the services")
        for wanted in step.services {
            let name = name(wanted.uuid)
            let uuid = suite.uuids[wanted.uuid.index].uuid
            guard let service = session.services.first(where: { $0.uuid == uuid }) else {
                let there = session.services.map(\.uuid.description).joined(separator: " ")
                throw StepFault(.assertion, expected: "a service \(name) (\(uuid))", got: there)
            }
            let expected = wanted.characteristics.map {
                Self.describe(suite.uuids[$0.uuid.index].uuid, $0.properties)
            }
            let got = service.characteristics.map { Self.describe($0.uuid, $0.properties) }
            guard expected == got else {
                throw StepFault(
                    .assertion, expected: "the service \(name) to have \(expected.joined(separator: ", "))",
                    got: got.isEmpty ? "no characteristics" : got.joined(separator: ", "))
            }
        }
    }

    private static func describe(_ uuid: BLEUUID, _ properties: CharacteristicProperties) -> String {
        "\(uuid) (\(properties.names))"
    }
}
