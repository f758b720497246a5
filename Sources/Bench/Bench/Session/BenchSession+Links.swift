import BLECentral
import BLECore
import BLEPackets
import BenchExecutor
import BenchModel
import MonotonicTime
import Synchronization

/// The conditions of an advertisement to look for; one advertisement must meet all of them.
public struct AdvertisementFilter: Hashable, Sendable {
    /// Services that are all advertised; empty: any or none.
    public var services: [BLEUUID]
    /// The local name; `nil`: any or none.
    public var name: String?
    /// The board that sends it, by its address; `nil`: any device.
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

extension CentralLink {
    /// Ends a link that is no longer wanted and whose events were never received.
    fileprivate func abandon() async throws(CentralError) {
        central.backend.events.accept(connection)
        try await peripheral.disconnect()
    }
}

extension BenchSession {
    // MARK: Centrals

    /// Registers the centrals that a suite or a test describes, in this order; each stack is created at the central's
    /// first use.
    @discardableResult
    public func addCentrals(_ descriptions: [CentralDescription]) -> [CentralID] {
        let start = centrals.count
        centrals += descriptions.map { CentralState(description: $0) }
        return (start..<centrals.count).map { CentralID(index: $0) }
    }

    /// The central with the name of this description; registered first if it is not known.
    public func central(_ description: CentralDescription) -> CentralID {
        if let index = centrals.firstIndex(where: { $0.description.name == description.name }) {
            return CentralID(index: index)
        }
        return addCentrals([description])[0]
    }

    /// The name of a central.
    public func name(of central: CentralID) -> String { centrals[central.index].description.name }

    /// The identity address of a central, whose stack is created if it has not been used yet.
    public func identity(of central: CentralID) async throws(BenchFailure) -> DeviceAddress {
        _ = try await stack(of: central.index)
        guard let identity = centrals[central.index].identity else {
            throw BenchFailure(
                .benchFault, expected: "the address of '\(name(of: central))'", got: "its stack hides it")
        }
        return identity
    }

    /// The central's stack, created at its first use.
    func stack(of central: Int) async throws(BenchFailure) -> Central {
        if let stack = centrals[central].central { return stack }
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
        let (stack, number) = (Central(made.backend, on: executor), lastStack)
        let state = CentralState(description: description)
        state.central = stack
        state.stack = number
        state.identity = made.identity
        state.foreignBonds = made.foreignBonds
        centrals[central] = state
        await stack.addObserver { [weak self] observation in
            guard case .event(let event) = observation else { return }
            self?.assumeIsolated { $0.receive(event, for: central, from: number) }
        }
        await stack.adopt()
        // The addresses of the central's privacy must show in scans and connections before anything is paired.
        if description.usesPrivacy {
            try await perform("privacy for '\(description.name)'") { () async throws(CentralError) in
                try await stack.setSecurity(CentralSecurity(privacy: true))
            }
        }
        if mustForgetBonds { try await forgetBonds(of: central) }
        return stack
    }

    /// Checks that the chain of centrals that share an address, from this central on, ends at a central with an address
    /// of its own.
    private func checkOwner(of central: Int) throws(BenchFailure) {
        var owner = central
        for _ in centrals {
            guard case .of(let next) = centrals[owner].description.address else { return }
            guard centrals.indices.contains(next) else { break }
            owner = next
        }
        let description = centrals[central].description
        throw BenchFailure(
            .suite, expected: "the address of another central for '\(description.name)'",
            got: "'\(description.address)', which refers to no central with its own address")
    }

    /// The central's link.
    func link(_ central: CentralID, expected: String) throws(BenchFailure) -> (
        state: CentralState, central: Central, peripheral: Peripheral
    ) {
        let state = centrals[central.index]
        if let link = state.link { return (state, link.central, link.peripheral) }
        let name = "'\(state.description.name)'"
        if let lost = state.lostLink { throw BenchFailure(.linkLost, expected: expected, got: "\(name) has \(lost)") }
        throw BenchFailure(
            .suite, expected: "\(expected) over a link of \(name)", got: "\(name) is not connected: connect it before")
    }

    // MARK: Scanning

    /// Looks for an advertisement.
    ///
    /// - Parameters:
    ///   - isExpected: true if the advertisement must be received within `duration`; false if it must not be received
    ///     in all of `duration`.
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

    /// Scans until a peer that `filter` describes is heard; also returns the other peers heard.
    private func search(
        _ filter: AdvertisementFilter, _ central: CentralID, for duration: Duration, _ expected: String
    ) async throws(BenchFailure) -> (found: Advertisement?, heard: String) {
        if let board = filter.board { _ = try address(of: board) }
        let sender = filter.board.map { part($0) }
        return try await search(central, for: duration, expected) { filter.isMet(by: $0, from: sender) }
    }

    /// Scans until an advertisement is heard for which `isWanted` is true; also returns the peers heard.
    func search(
        _ central: CentralID, for duration: Duration, _ expected: String, reportsAll: Bool = false,
        _ isWanted: @escaping (Advertisement) -> Bool
    ) async throws(BenchFailure) -> (found: Advertisement?, heard: String) {
        let stack = try await stack(of: central.index)
        let deadline = executor.now.advanced(by: duration)
        // Unfiltered, so that a failure can name the peers that were heard instead.
        let first = try await hearing(central.index) { () async throws(BenchFailure) in
            try await perform(expected) { () async throws(CentralError) in
                try await stack.startScanning(ScanFilter(allowsDuplicates: reportsAll))
            }
        }
        var heard: [PeerID: Advertisement] = [:]
        let found = await waitForAdvertisement(by: central.index, after: first, until: deadline) { advertisement in
            if heard.count < 8 { heard[advertisement.peer] = advertisement }
            return isWanted(advertisement)
        }
        try await perform("scanning to stop") { () async throws(CentralError) in try await stack.stopScanning() }
        let others = heard.values.sorted { "\($0.peer)" < "\($1.peer)" }.map(describe)
        return (found, others.isEmpty ? silence : "heard only " + others.joined(separator: ", "))
    }

    /// The text for a search that heard nothing, with the last output of the console.
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

    /// A likely cause when the firmware runs but does not advertise, unless ``stall()`` finds its place.
    private var hangRemedy: String {
        log.lastStart == nil || bench.boards.allSatisfy(\.board.knowsTasks)
            ? "" : "; the chip has no watchdog for a setup() that does not end"
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
    ///   - discovers: whether to discover the services; otherwise the services discovered last are used.
    public func connect(
        _ central: CentralID, to filter: AdvertisementFilter, within timeout: Duration, discovers: Bool = true
    ) async throws(BenchFailure) {
        let index = central.index
        log.beginAction()
        let limit = TimeLimit(timeout, bench.timeFactor)
        let expected = "a connection to an \(describe(filter)) \(limit)"
        let deadline = executor.now.advanced(by: limit.duration)
        if centrals[index].link != nil {
            throw BenchFailure(
                .suite, expected: expected,
                got: "'\(name(of: central))' is connected already: disconnect it before, or connect another with 'as'")
        }
        if centrals[index].description.address == .new {
            centrals[index] = CentralState(description: centrals[index].description)
        }
        let stack = try await stack(of: index)
        let (found, heard) = try await search(filter, central, for: limit.duration, expected)
        guard let found else { throw BenchFailure(.timedOut, expected: expected, got: heard) }
        let remaining = executor.now.duration(to: deadline)
        let isAbandoned = Atomic(false)
        let link: CentralLink
        do throws(BenchFailure) {
            link = try await perform(expected) { () async throws(CentralError) in
                let connection = try await stack.connectHolding(to: found.peer, within: remaining)
                let link = CentralLink(peripheral: stack.peripheral(found.peer), connection: connection)
                if isAbandoned.load(ordering: .relaxed) { try await link.abandon() }
                return link
            }
        } catch {
            // A crash has ended the step, but not the stack's operation: in real time the connection would stay open
            // and keep the board from advertising.
            isAbandoned.store(true, ordering: .relaxed)
            let peripheral = stack.peripheral(found.peer)
            if let connection = await peripheral.connection {
                let link = CentralLink(peripheral: peripheral, connection: connection)
                Task(executorPreference: executor) { try? await link.abandon() }
            }
            throw error
        }
        record(name(of: central), Connected(address: found.peer.description))
        log.dropDisconnects(of: name(of: central))
        centrals[index].subscriptions.removeAll()
        centrals[index].lostLink = nil
        centrals[index].begin(
            link, knownServices, names, showsUUIDs: showsUUIDs, isDiscovered: false)
        // A bonded peer may already have sent notifications before a discovery.
        if discovers { centrals[index].valuesBeforeDiscovery = [] }
        stack.backend.events.accept(link.connection)
        guard discovers else { return }
        defer { receiveValuesBeforeDiscovery(for: index) }
        try await discover(central)
    }

    /// Discovers the services of the peer.
    private func discover(_ central: CentralID) async throws(BenchFailure) {
        let (_, stack, peripheral) = try link(central, expected: "discovery of the services")
        let services = try await perform("discovery of the services") { () async throws(CentralError) in
            try await stack.discover(peripheral.id)
        }
        knownServices = services
        guard let link = centrals[central.index].link else { return }
        centrals[central.index].begin(
            link, services, names, showsUUIDs: showsUUIDs, isDiscovered: true)
        let characteristics = services.reduce(0) { $0 + $1.characteristics.count }
        record(
            name(of: central), ServicesDiscovered(services: services.count, characteristics: characteristics))
    }

    /// Ends the central's link.
    public func disconnect(_ central: CentralID) async throws(BenchFailure) {
        let (_, _, peripheral) = try link(central, expected: "a disconnect")
        log.beginAction()
        centrals[central.index].isDisconnecting = true
        try await perform("the link to end") { () async throws(CentralError) in try await peripheral.disconnect() }
        centrals[central.index].link = nil
    }

    /// Disconnects all links; ignores errors.
    public func disconnectAll() async {
        answers.removeAll()
        for index in centrals.indices {
            guard let link = centrals[index].link else { continue }
            centrals[index].isDisconnecting = true
            // The board or the stack may be gone: errors are ignored, since the link is not used again.
            _ = await carryOut("the link to end", endsWithCrash: false) { () async throws(CentralError) in
                try await link.peripheral.disconnect()
            }
            centrals[index].link = nil
        }
    }

    /// True if the central has a link.
    public func isConnected(_ central: CentralID) -> Bool { centrals[central.index].link != nil }

    // MARK: Events

    /// Handles the values that were received before the attributes were known.
    private func receiveValuesBeforeDiscovery(for central: Int) {
        let values = centrals[central].valuesBeforeDiscovery.take() ?? []
        for value in values { receive(value, for: central, from: centrals[central].stack) }
    }

    private func receive(_ event: CentralEvent, for central: Int, from stack: Int) {
        let state = centrals[central]
        guard stack == state.stack else { return }
        // Ignores events of a connection that the central has abandoned.
        if let connection = event.connection, connection != state.link?.connection { return }
        switch event {
        // Every later operation fails with this error, and each connection is reported as ended.
        case .failed: break
        case .advertisement(let advertisement):
            record(event, of: state)
            for scan in scans where scan.central == central { scan.receive(advertisement) }
        case .notification(_, let attribute, _, _):
            if let values = state.valuesBeforeDiscovery, state.eventAttributes[attribute] == nil {
                if values.count < CentralEventQueue.heldEventLimit {
                    centrals[central].valuesBeforeDiscovery?.append(event)
                }
                return
            }
            if let event = record(event, of: state) { log.append(event) }
            checkExpectations()
        case .mtuChanged, .securityChanged, .securityRequested: record(event, of: state)
        case .pairingInput(let connection, let input): answer(input, on: connection, for: central)
        case .passkeyDisplayed(_, let passkey): displayed(passkey, for: central)
        case .disconnected(_, let reason, _):
            let event = record(event, of: state)
            centrals[central].link = nil
            if !state.isDisconnecting {
                if let event { log.append(event) }
                let why = reason.map { ": \(HCIErrorCode(rawValue: $0))" } ?? ""
                centrals[central].lostLink = "no link any more, it ended\(why)"
            }
            checkExpectations()
        }
    }

    @discardableResult
    private func record(_ event: CentralEvent, of state: CentralState) -> BenchEvent? {
        event.payload(state.eventAttribute).map { record(state.description.name, $0) }
    }
}
