import BLECentral
import BLECore
import BLEPackets
import BenchExecutor
import BenchModel
import MonotonicTime

/// Which advertisement is looked for; all conditions hold for one sighting.
public struct AdvertisementFilter: Hashable, Sendable {
    /// Services that are all advertised; empty: any or none.
    public var services: [BLEUUID]
    /// The local name; `nil`: any or none.
    public var name: String?
    /// The board that sends it, by its address; `nil`: anybody.
    public var board: BoardID?

    /// A filter.
    public init(services: [BLEUUID] = [], name: String? = nil, board: BoardID? = nil) {
        self.services = services
        self.name = name
        self.board = board
    }

    func isMet(by advertisement: Advertisement, from sender: (any Board)?) -> Bool {
        services.allSatisfy(advertisement.data.serviceUUIDs.contains)
            && (name == nil || name == advertisement.data.localName)
            && (sender == nil || advertisement.peer.address.map { sender?.advertises(from: $0) } == true)
    }
}

extension BenchSession {
    // MARK: Centrals

    /// Makes the centrals that a suite or a test describes known, in this order; each is made at its first use.
    @discardableResult
    public func addCentrals(_ descriptions: [CentralDescription]) -> [CentralID] {
        let start = centrals.count
        centrals += descriptions.map { CentralState(description: $0) }
        return (start..<centrals.count).map { CentralID(index: $0) }
    }

    /// The central of this description's name, which is made known if there is none.
    public func central(_ description: CentralDescription) -> CentralID {
        if let index = centrals.firstIndex(where: { $0.description.name == description.name }) {
            return CentralID(index: index)
        }
        return addCentrals([description])[0]
    }

    /// The name of a central.
    public func name(of central: CentralID) -> String { centrals[central.index].description.name }

    /// The identity address of a central, which is made if it has not been used yet.
    public func identity(of central: CentralID) async throws(BenchFailure) -> DeviceAddress {
        _ = try await backend(of: central.index)
        guard let identity = centrals[central.index].identity else {
            throw BenchFailure(
                .benchFault, expected: "the address of '\(name(of: central))'", got: "its stack hides it")
        }
        return identity
    }

    /// The central's stack, made at its first use.
    func backend(of central: Int) async throws(BenchFailure) -> any CentralBackend {
        if let backend = centrals[central].backend { return backend }
        let description = centrals[central].description
        let mustForgetBonds = centrals[central].mustForgetBonds
        var address: DeviceAddress?
        switch description.address {
        case .own, .new: break
        case .fixed(let fixed): address = fixed
        case .of(let owner):
            try checkOwner(of: central)
            address = try await identity(of: CentralID(index: owner))
        }
        let made: BenchCentral
        do {
            made = try await bench.centrals.makeCentral(address: address)
        } catch {
            throw BenchFailure(.benchFault, expected: "a central for '\(description.name)'", got: "\(error)")
        }
        lastStack += 1
        let (executor, stack) = (executor, lastStack)
        var state = CentralState(description: description)
        state.backend = made.backend
        state.stack = stack
        state.identity = made.identity
        state.foreignBonds = made.foreignBonds
        centrals[central] = state
        made.backend.events.setHandler(
            { event in self.assumeIsolated { $0.receive(event, for: central, from: stack) } },
            isOnExecutor: { executor.isIsolatingCurrentContext() == true }, run: { executor.post($0) })
        // Scans and connections show the addresses of the central's privacy before anything is paired.
        if description.usesPrivacy {
            try await perform("privacy for '\(description.name)'") { () async throws(CentralError) in
                try await made.backend.setSecurity(CentralSecurity(privacy: true))
            }
        }
        if mustForgetBonds { try await forgetBonds(of: central) }
        return made.backend
    }

    /// Checks that the addresses which centrals have of one another, from this one's on, lead to a central's own.
    private func checkOwner(of central: Int) throws(BenchFailure) {
        var owner = central
        for _ in centrals {
            guard case .of(let next) = centrals[owner].description.address else { return }
            guard centrals.indices.contains(next) else { break }
            owner = next
        }
        let description = centrals[central].description
        throw BenchFailure(
            .suite, expected: "another central whose address '\(description.name)' has",
            got: "'\(description.address)', which leads to none")
    }

    /// The central's link.
    func link(_ central: CentralID, expected: String) throws(BenchFailure) -> (
        state: CentralState, backend: any CentralBackend, connection: ConnectionID
    ) {
        let state = centrals[central.index]
        if let backend = state.backend, let connection = state.connection { return (state, backend, connection) }
        let name = "'\(state.description.name)'"
        if let lost = state.lostLink { throw BenchFailure(.linkLost, expected: expected, got: "\(name) has \(lost)") }
        throw BenchFailure(
            .suite, expected: "\(expected) over a link of \(name)", got: "\(name) is not connected: connect it before")
    }

    // MARK: Scanning

    /// Looks for an advertisement.
    ///
    /// - Parameters:
    ///   - isExpected: whether it must be heard within `duration`, or must not for all of it.
    public func scan(
        for filter: AdvertisementFilter, by central: CentralID, isExpected: Bool = true, within duration: Duration
    ) async throws(BenchFailure) {
        let limit = isExpected ? TimeLimit(duration, bench.timeFactor) : TimeLimit(duration)
        let expected = (isExpected ? "" : "no ") + describe(filter) + " \(limit)"
        let (found, heard) = try await search(filter, central, for: limit.duration, expected)
        if (found != nil) != isExpected {
            if let found { throw BenchFailure(.assertion, expected: expected, got: describe(found)) }
            throw BenchFailure(.timedOut, expected: expected, got: heard)
        }
    }

    /// Scans until a peer that `filter` describes is heard; also says whom else it heard.
    private func search(
        _ filter: AdvertisementFilter, _ central: CentralID, for duration: Duration, _ expected: String
    ) async throws(BenchFailure) -> (found: Advertisement?, heard: String) {
        if let board = filter.board { _ = try address(of: board) }
        let sender = filter.board.map { part($0) }
        let backend = try await backend(of: central.index)
        let deadline = executor.now.advanced(by: duration)
        // Unfiltered, so that a failure can say what was heard instead.
        let first = try await hearing(central.index) { () async throws(BenchFailure) in
            try await perform(expected) { () async throws(CentralError) in
                try await backend.startScanning(ScanFilter())
            }
        }
        var heard: [PeerID: Advertisement] = [:]
        let found = await waitForAdvertisement(by: central.index, after: first, until: deadline) { advertisement in
            if heard.count < 8 { heard[advertisement.peer] = advertisement }
            return filter.isMet(by: advertisement, from: sender)
        }
        try await perform("scanning to stop") { () async throws(CentralError) in try await backend.stopScanning() }
        let others = heard.values.sorted { "\($0.peer)" < "\($1.peer)" }.map(describe)
        return (found, others.isEmpty ? silence : "heard only " + others.joined(separator: ", "))
    }

    /// That nothing was heard, and what the console has printed.
    private var silence: String {
        let consoles = boards.indices.map { index in
            let name = boards[index].ofBoard
            return log.lastLine(of: index).map {
                "the last of \($0.count) console line\($0.count == 1 ? "" : "s")\(name) is \($0.text)"
            } ?? (name.isEmpty ? "its console printed nothing" : "the console\(name) printed nothing")
        }
        return "heard no advertisement; " + consoles.joined(separator: "; ") + (restarts.map { "; \($0)" } ?? "")
            + hangRemedy
    }

    /// What may be when the firmware runs and says nothing.
    private var hangRemedy: String {
        log.lastStart == nil ? "" : "; the chip has no watchdog for a setup() that does not end"
    }

    private func describe(_ filter: AdvertisementFilter) -> String {
        let services = filter.services.map { uuid in
            names[uuid].map { "'\($0)' (\(uuid))" } ?? "service \(uuid)"
        }
        let name = filter.name.map { ["the name '\($0)'"] } ?? []
        let conditions = services + name
        let sender = filter.board.map { boards[$0.index].ofBoard } ?? ""
        return "advertisement\(sender)" + (conditions.isEmpty ? "" : " with " + conditions.joined(separator: " and "))
    }

    private func describe(_ advertisement: Advertisement) -> String {
        let name = advertisement.data.localName.map { "'\($0)'" } ?? "without a name"
        let services = advertisement.data.serviceUUIDs.map { self.name($0) }.joined(separator: ", ")
        return "\(advertisement.peer) \(name) with services [\(services)]"
    }

    // MARK: Connections

    /// Scans for a peer and connects to it.
    ///
    /// - Parameters:
    ///   - timeout: the longest time for the search and the connection together.
    ///   - discovers: whether to discover the services; else what was discovered last is used.
    public func connect(
        _ central: CentralID, to filter: AdvertisementFilter, within timeout: Duration, discovers: Bool = true
    ) async throws(BenchFailure) {
        let index = central.index
        let limit = TimeLimit(timeout, bench.timeFactor)
        let expected = "a connection to an \(describe(filter)) \(limit)"
        let deadline = executor.now.advanced(by: limit.duration)
        if centrals[index].connection != nil {
            throw BenchFailure(
                .suite, expected: expected,
                got: "'\(name(of: central))' is connected already: disconnect it before, or connect another with 'as'")
        }
        if centrals[index].description.address == .new {
            centrals[index] = CentralState(description: centrals[index].description)
        }
        let backend = try await backend(of: index)
        let (found, heard) = try await search(filter, central, for: limit.duration, expected)
        guard let found else { throw BenchFailure(.timedOut, expected: expected, got: heard) }
        let remaining = executor.now.duration(to: deadline)
        let attempt = ConnectionAttempt()
        let connection: ConnectionID
        do throws(BenchFailure) {
            connection = try await perform(expected) { () async throws(CentralError) in
                let connection = try await backend.connect(to: found.peer, within: remaining)
                if attempt.hasEnded(with: connection) { try await backend.disconnect(connection) }
                return connection
            }
        } catch {
            // A crash has ended the step, but not what the stack does.
            if let connection = attempt.abandon() {
                Task(executorPreference: executor) { try? await backend.disconnect(connection) }
            }
            throw error
        }
        record(name(of: central), Connected(address: found.peer.description))
        log.dropDisconnects(of: name(of: central))
        centrals[index].subscriptions.removeAll()
        centrals[index].lostLink = nil
        centrals[index].begin(
            connection, knownServices, names, showsUUIDs: showsUUIDs, isDiscovered: false)
        // A bonded peer may have notified already, and does not wait for a discovery.
        if discovers { centrals[index].valuesBeforeDiscovery = [] }
        backend.events.accept(connection)
        guard discovers else { return }
        defer { receiveValuesBeforeDiscovery(for: index) }
        try await discover(central)
    }

    /// Discovers the services of the peer.
    private func discover(_ central: CentralID) async throws(BenchFailure) {
        let (_, backend, connection) = try link(central, expected: "discovery of the services")
        let services = try await perform("discovery of the services") { () async throws(CentralError) in
            try await backend.discoverServices(on: connection)
        }
        knownServices = services
        centrals[central.index].begin(
            connection, services, names, showsUUIDs: showsUUIDs, isDiscovered: true)
        let characteristics = services.reduce(0) { $0 + $1.characteristics.count }
        record(
            name(of: central), ServicesDiscovered(services: services.count, characteristics: characteristics))
    }

    /// Ends the central's link.
    public func disconnect(_ central: CentralID) async throws(BenchFailure) {
        let (_, backend, connection) = try link(central, expected: "a disconnect")
        centrals[central.index].isDisconnecting = true
        try await perform("the link to end") { () async throws(CentralError) in
            try await backend.disconnect(connection)
        }
        centrals[central.index].connection = nil
    }

    /// Ends every link there is, as well as that is possible.
    public func disconnectAll() async {
        answers.removeAll()
        for index in centrals.indices {
            guard let backend = centrals[index].backend, let connection = centrals[index].connection else { continue }
            centrals[index].isDisconnecting = true
            // The link may be half gone with its board, or its stack be gone; what matters is that nobody uses it
            // afterwards.
            _ = await carryOut("the link to end", endsWithCrash: false) { () async throws(CentralError) in
                try await backend.disconnect(connection)
            }
            centrals[index].connection = nil
        }
    }

    /// Whether the central has a link.
    public func isConnected(_ central: CentralID) -> Bool { centrals[central.index].connection != nil }

    // MARK: Events

    /// Hears what came before the attributes were known.
    private func receiveValuesBeforeDiscovery(for central: Int) {
        let values = centrals[central].valuesBeforeDiscovery.take() ?? []
        for value in values { receive(value, for: central, from: centrals[central].stack) }
    }

    private func receive(_ event: CentralEvent, for central: Int, from stack: Int) {
        let state = centrals[central]
        guard stack == state.stack else { return }
        let source = state.description.name
        switch event {
        // Every operation fails with it, and the connections are reported.
        case .failed: break
        case .advertisement(let advertisement):
            let data = advertisement.data
            record(
                source,
                AdvertisementReceived(
                    address: advertisement.peer.description, name: data.localName, services: data.serviceUUIDs,
                    rssi: advertisement.rssi))
            for scan in scans where scan.central == central { scan.receive(advertisement) }
        case .notification(let connection, let attribute, let value, let isIndication):
            guard connection == state.connection else { return }
            if let values = state.valuesBeforeDiscovery, state.eventAttributes[attribute] == nil {
                if values.count < CentralEventQueue.heldEventLimit {
                    centrals[central].valuesBeforeDiscovery?.append(event)
                }
                return
            }
            let attribute = state.eventAttribute(attribute)
            log.append(
                isIndication
                    ? record(source, IndicationReceived(attribute, value: value))
                    : record(source, NotificationReceived(attribute, value: value)))
            checkExpectations()
        case .mtuChanged(let connection, let mtu):
            centrals[central].mtu = (connection, mtu)
            record(source, MTUChanged(mtu))
        case .pairingInput(let connection, let input): answer(input, on: connection, for: central)
        case .passkeyDisplayed(let connection, let passkey): displayed(passkey, on: connection, for: central)
        case .securityChanged(let connection, let security):
            guard connection == state.connection else { return }
            record(source, SecurityChanged(security))
        case .securityRequested: record(source, SecurityRequested())
        case .disconnected(let connection, let reason, _):
            guard connection == state.connection else { return }
            let event = record(source, Disconnected(reason: reason))
            centrals[central].connection = nil
            if !state.isDisconnecting {
                log.append(event)
                let why = reason.map { ": \(HCIErrorCode(rawValue: $0))" } ?? ""
                centrals[central].lostLink = "no link any more, it ended\(why)"
            }
            checkExpectations()
        }
    }
}
