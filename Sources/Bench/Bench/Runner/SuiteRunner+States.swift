import BLECentral
import BLECore
import BenchModel
import MonotonicTime
import BenchExecutor

/// Expectations of a state rather than an event: asked for again and again until it is there.
extension SuiteRunner {
    private static let pollingInterval = Duration.milliseconds(10)

    /// Waits until `isThere` says `nil`; what it says otherwise is what a failure got.
    private func poll(
        _ expected: String, within timeout: Duration, _ missing: () async throws(StepFault) -> String?
    ) async throws(StepFault) {
        let deadline = executor.now.advanced(by: timeout)
        while let got = try await missing() {
            guard executor.now < deadline, crash == nil else {
                throw StepFault(.assertion, expected: "\(expected) within \(timeout.brief)", got: got)
            }
            await advance(by: min(Self.pollingInterval, executor.now.duration(to: deadline)))
        }
    }

    func expect(
        _ expectation: SecurityExpectation, of client: ClientReference, within timeout: Duration,
        at position: SourcePosition
    ) async throws(StepFault) {
        let keySize: Int? =
            if let size = expectation.keySize { try number(size, PairStep.keySizes, at: position) } else { nil }
        let name = suite.clients[client.index].name
        let expected = "the link of '\(name)' to be \(Self.words(expectation.properties, keySize))"
        try await poll(expected, within: timeout) { () async throws(StepFault) -> String? in
            let (session, connection) = try link(client.index, expected: expected)
            let security = try await perform(expected) { () async throws(CentralError) in
                try await session.backend.security(of: connection)
            }
            let properties = Self.properties(security)
            let isReached =
                properties == expectation.properties && keySize ?? security.keySize == security.keySize
            return isReached ? nil : Self.words(properties, security.isEncrypted ? security.keySize : nil)
        }
    }

    private static func properties(_ security: LinkSecurity) -> Set<SecurityProperty> {
        guard security.isEncrypted else { return [] }
        var properties: Set<SecurityProperty> = [.encrypted]
        if security.isAuthenticated { properties.insert(.authenticated) }
        if security.isBonded { properties.insert(.bonded) }
        return properties
    }

    private static func words(_ properties: Set<SecurityProperty>, _ keySize: Int?) -> String {
        let words = SecurityProperty.allCases.filter(properties.contains).map(\.rawValue)
        let size = keySize.map { ", key size \($0)" } ?? ""
        return (words.isEmpty ? "unprotected" : words.joined(separator: ", ")) + size
    }

    func expect(
        _ expectation: BondExpectation, of holder: BondHolder, within timeout: Duration, at position: SourcePosition
    ) async throws(StepFault) {
        switch holder {
        case .client(let client):
            guard case .count(let expression) = expectation else { return }
            let count = try number(expression, 0...100, at: position)
            let session = try await session(client.index)
            let expected = "'\(session.name)' to have \(count) bond\(count == 1 ? "" : "s")"
            try await poll(expected, within: timeout) { () async throws(StepFault) -> String? in
                let bonds = try await perform(expected) { () async throws(CentralError) in
                    try await session.backend.bonds()
                }
                return bonds.count == count ? nil : "\(bonds.count)"
            }
        case .board: try await expectOnBoard(expectation, within: timeout, at: position)
        }
    }

    private func expectOnBoard(
        _ expectation: BondExpectation, within timeout: Duration, at position: SourcePosition
    ) async throws(StepFault) {
        let expected: String
        let isReached: ([DeviceAddress]) -> Bool
        switch expectation {
        case .count(let expression):
            let count = try number(expression, 0...100, at: position)
            expected = "the board to have \(count) bond\(count == 1 ? "" : "s")"
            isReached = { $0.count == count }
        case .clients(let clients):
            var identities: [DeviceAddress] = []
            for client in clients { identities.append(try await session(client.index).identity) }
            expected =
                "the board to have bonds with " + clients.map { suite.clients[$0.index].name }.joined(separator: ", ")
            isReached = { [identities] in $0 == identities }
        }
        try await poll(expected, within: timeout) { () async throws(StepFault) -> String? in
            var bonds: [DeviceAddress] = []
            do {
                bonds = try await device.bonds()
            } catch {
                throw StepFault(.benchFault, expected: expected, got: "\(error)")
            }
            return isReached(bonds) ? nil : describe(bonds)
        }
    }

    private func describe(_ bonds: [DeviceAddress]) -> String {
        let names = bonds.map { bond in sessions.values.first { $0.identity == bond }?.name ?? bond.description }
        return names.isEmpty ? "none" : "\(bonds.count): " + names.joined(separator: ", ")
    }

    func pattern(
        _ expectation: ServoExpectation, _ pin: Int?, at position: SourcePosition
    ) throws(StepFault) -> ServoPattern {
        switch expectation {
        case .detached: ServoPattern(movement: .detached, pin: pin)
        case .angle(let angle):
            ServoPattern(movement: .angle(try number(angle, 0...180, at: position)), pin: pin)
        case .sweep(let from, let to):
            ServoPattern(
                movement: .sweep(
                    from: try number(from, 0...180, at: position), to: try number(to, 0...180, at: position)),
                pin: pin)
        }
    }
}

extension ServoPattern: CustomStringConvertible {
    var description: String {
        switch movement {
        case .angle(let angle): "at \(angle)°"
        case .sweep(let from, let to): "sweeping from \(from)° to \(to)°"
        case .detached: "detached"
        }
    }
}
