import BLECentral
import BLECore
import BLEPackets
import BenchModel
import MonotonicTime
import BenchExecutor

extension SuiteRunner {
    /// The client's central, made at its first use.
    func session(_ client: Int) async throws(StepFault) -> ClientSession {
        if let session = sessions[client] { return session }
        let description = suite.clients[client]
        let address: DeviceAddress? =
            switch description.address {
            case .own, .new: nil
            case .fixed(let address): address
            case .of(let owner): try await session(owner.index).identity
            }
        let central: BenchCentral
        do {
            central = try await device.makeCentral(address: address)
        } catch {
            throw StepFault(.benchFault, expected: "a central for '\(description.name)'", got: "\(error)")
        }
        let executor = executor
        central.backend.events.setHandler(
            { event in self.assumeIsolated { $0.receive(event, for: client) } },
            isOnExecutor: { executor.isIsolatingCurrentContext() == true }, run: { executor.post($0) })
        let session = ClientSession(name: description.name, backend: central.backend, identity: central.identity)
        sessions[client] = session
        // Scans and connections show the addresses of the central's privacy before anything is paired.
        if description.usesPrivacy {
            try await perform("privacy for '\(description.name)'") { () async throws(CentralError) in
                try await central.backend.setSecurity(CentralSecurity(privacy: true))
            }
        }
        return session
    }

    // MARK: Scanning

    func scan(_ step: ScanStep) async throws(StepFault) {
        let expected = (step.isExpected ? "" : "no ") + describe(step.filter) + " within \(step.duration.brief)"
        let (found, heard) = try await search(step.filter, client: step.client.index, for: step.duration, expected)
        if (found != nil) != step.isExpected {
            throw StepFault(.assertion, expected: expected, got: found.map(Self.describe) ?? heard)
        }
    }

    /// Scans until a peer that `filter` describes is heard; also says whom else it heard.
    private func search(_ filter: AdvertisementFilter, client: Int, for duration: Duration, _ expected: String)
        async throws(StepFault) -> (found: Advertisement?, heard: String)
    {
        let backend = try await session(client).backend
        let deadline = executor.now.advanced(by: duration)
        // Unfiltered, so that a failure can say what was heard instead.
        try await perform(expected) { () async throws(CentralError) in try await backend.startScanning(ScanFilter()) }
        let services = filter.services.map { suite.uuids[$0.index].uuid }
        var heard: [PeerID: Advertisement] = [:]
        let found = await waitForAdvertisement(until: deadline) { advertisement in
            if heard.count < 8 { heard[advertisement.peer] = advertisement }
            return services.allSatisfy(advertisement.data.serviceUUIDs.contains)
                && (filter.name == nil || filter.name == advertisement.data.localName)
        }
        try await perform("scanning to stop") { () async throws(CentralError) in try await backend.stopScanning() }
        let others = heard.values.sorted { "\($0.peer)" < "\($1.peer)" }.map(Self.describe)
        return (found, others.isEmpty ? "heard nobody" : "heard only " + others.joined(separator: ", "))
    }

    private func describe(_ filter: AdvertisementFilter) -> String {
        let services = filter.services.map { "service \(suite.uuids[$0.index].name)" }
        let name = filter.name.map { ["the name '\($0)'"] } ?? []
        return "advertisement with " + (services + name).joined(separator: " and ")
    }

    private static func describe(_ advertisement: Advertisement) -> String {
        let name = advertisement.data.localName.map { "'\($0)'" } ?? "without a name"
        let services = advertisement.data.serviceUUIDs.map(\.description).joined(separator: " ")
        return "\(advertisement.peer) \(name) with services [\(services)]"
    }

    // MARK: Connections

    func connect(_ step: ConnectStep) async throws(StepFault) {
        let client = step.client.index
        let expected = "a connection to an \(describe(step.filter)) within \(step.timeout.brief)"
        let deadline = executor.now.advanced(by: step.timeout)
        if sessions[client]?.connection != nil {
            throw StepFault(
                .benchFault, expected: expected, got: "'\(suite.clients[client].name)' is connected already")
        }
        if suite.clients[client].address == .new { sessions[client] = nil }
        let backend = try await session(client).backend
        let (found, heard) = try await search(step.filter, client: client, for: step.timeout, expected)
        guard let found else { throw StepFault(.assertion, expected: expected, got: heard) }
        let remaining = executor.now.duration(to: deadline)
        let connection = try await perform(expected) { () async throws(CentralError) in
            try await backend.connect(to: found.peer, within: remaining)
        }
        record(suite.clients[client].name, .connected(address: found.peer.description))
        log.dropDisconnects(of: client)
        sessions[client]?.begin(connection, knownServices, suite.uuids, isDiscovered: false)
        backend.events.accept(connection)
        guard step.discovers else { return }
        let services = try await perform("discovery of the services") { () async throws(CentralError) in
            try await backend.discoverServices(on: connection)
        }
        knownServices = services
        sessions[client]?.begin(connection, services, suite.uuids, isDiscovered: true)
        let characteristics = services.reduce(0) { $0 + $1.characteristics.count }
        record(suite.clients[client].name, .discovered(services: services.count, characteristics: characteristics))
    }

    func disconnect(_ client: Int) async throws(StepFault) {
        let (session, connection) = try link(client, expected: "a disconnect")
        sessions[client]?.isDisconnecting = true
        try await perform("the link to end") { () async throws(CentralError) in
            try await session.backend.disconnect(connection)
        }
        sessions[client]?.connection = nil
    }

    /// Ends every link there is, as well as that goes.
    func disconnectAll() async {
        answers.removeAll()
        for client in sessions.keys.sorted() {
            guard let session = sessions[client], let connection = session.connection else { continue }
            sessions[client]?.isDisconnecting = true
            // The link may be half gone with its board; what matters is that it is gone afterwards.
            try? await session.backend.disconnect(connection)
            sessions[client]?.connection = nil
        }
    }

    /// The client's link.
    func link(_ client: Int, expected: String) throws(StepFault) -> (ClientSession, ConnectionID) {
        if let session = sessions[client], let connection = session.connection { return (session, connection) }
        throw StepFault(.linkLost, expected: expected, got: "'\(suite.clients[client].name)' has no link")
    }
}
