internal import BenchExecutor
internal import BLECentral
internal import BLEClients
internal import BLECore
internal import BLEDescriptions
import CommandSupport
import LivePage
import MonotonicTime

/// A phone as a page shows and controls it: one connection at a time, that of its user or of one of its apps.
///
/// Long operations run in the background, and report in the phone's state, since the clock may be stopped meanwhile.
actor LivePhoneModel: LivePhone {
    /// An action that is not possible now.
    struct Refusal: Error, CustomStringConvertible {
        var description: String

        init(_ description: String) { self.description = description }
    }

    nonisolated let central: Central
    nonisolated var unownedExecutor: UnownedSerialExecutor { central.executor.asUnownedSerialExecutor() }

    private let hub: LiveHub
    let questions: PairingQuestions
    var state = PhoneState()
    let names: GATTNames
    private var peers: PeerList
    private var searching: Task<Void, Never>?
    private var reconnector: Reconnector?
    private var following: Task<Void, Never>?
    var services: [Service] = [] {
        didSet { interpreter = ValueInterpreter(names.descriptions, services: services.map(\.uuid)) }
    }
    /// Interprets the peer's values.
    var interpreter = ValueInterpreter([])
    /// The tasks that keep subscriptions, by characteristic.
    var subscriptions: [String: Task<Void, Never>] = [:]
    /// The subscriptions at the loss of the connection.
    private var wanted: Set<String> = []
    let calculator: CalculatorClient
    let lock: LockClient
    var apps: Set<LiveApp> = []
    /// The apps for which a peripheral was found.
    private var offered: Set<LiveApp> = []

    /// A phone with `central`, which is powered on.
    init(_ central: Central, seed: UInt64, _ names: GATTNames, _ hub: LiveHub) {
        self.names = names
        peers = PeerList(names)
        self.central = central
        self.hub = hub
        let questions = PairingQuestions(seed: seed)
        self.questions = questions
        calculator = CalculatorClient(central)
        lock = LockClient(central) { input in await questions.ask(input) }
    }

    /// Sends the state to the page.
    func publish() async {
        state.bluetooth = "\(await central.state)"
        state.isSearching = searching != nil
        state.found = peers.nearestFirst(since: .zero)
        state.question = questions.question
        hub.set("phone", state)
        let calculation = await calculator.state
        var calculatorState = CalculatorState()
        calculatorState.isOffered = offered.contains(.calculator)
        calculatorState.isOpen = apps.contains(.calculator)
        calculatorState.status = calculation.status
        calculatorState.display = calculation.display
        calculatorState.isKeypadShown = calculation.isKeypadShown
        hub.set("calculator", calculatorState)
        let view = await lock.state
        var lockState = LockState()
        lockState.isOffered = offered.contains(.lock)
        lockState.isOpen = apps.contains(.lock)
        lockState.status = view.link.text("lock")
        lockState.bolt = view.bolt.rawValue
        lockState.canLock = view.allows(.lock)
        lockState.canUnlock = view.allows(.unlock)
        lockState.log = view.log.suffix(50)
        hub.set("lock", lockState)
        if !view.isBusy, apps.contains(.lock), state.question == .enterPasskey, view.link != .connected {
            questions.end()
        }
    }

    // MARK: Search

    func search(_ isOn: Bool) async throws {
        guard isOn != (searching != nil) else { return }
        guard isOn else {
            searching?.cancel()
            searching = nil
            return
        }
        peers = PeerList(names)
        let sightings = try await central.sightings(ScanFilter(allowsDuplicates: true))
        searching = Task(executorPreference: central.executor) {
            do {
                for try await sighting in sightings { await self.hear(sighting) }
            } catch {
                await self.tell("\(error)")
            }
            await self.endSearch()
        }
    }

    private func hear(_ sighting: Advertisement) {
        peers.add(sighting, at: central.executor.now)
        offer(sighting.data.serviceUUIDs)
    }

    /// Offers the apps for the services of a peripheral.
    func offer(_ services: [BLEUUID]) {
        if services.contains(CalculatorClient.service) { offered.insert(.calculator) }
        if services.contains(LockClient.service) { offered.insert(.lock) }
    }

    private func endSearch() { searching = nil }

    func tell(_ message: String) { state.message = message }

    // MARK: Connection

    func connect(to id: String) async throws {
        let known = await central.knownPeers.keys.first { "\($0)" == id }
        guard let peer = peers.peer(id) ?? known else { throw Refusal("no peer with that address was found: \(id)") }
        try await search(false)
        for app in apps { try await open(app, false) }
        try await disconnect()
        state.peer = id
        state.peerName = peers.name(of: peer)
        state.connection = "connecting"
        let reconnector = Reconnector(central.peripheral(peer)) { [weak self] peripheral in
            try await self?.setUp(peripheral)
        }
        self.reconnector = reconnector
        let events = await reconnector.events()
        following = Task(executorPreference: central.executor) {
            for await event in events { await self.follow(event) }
        }
        Task(executorPreference: central.executor) { try? await reconnector.connect() }
    }

    func disconnect() async throws {
        let reconnector = reconnector
        self.reconnector = nil
        try? await reconnector?.disconnect()
        following?.cancel()
        following = nil
        endConnection()
        wanted = []
        state.connection = "none"
    }

    private func endConnection() {
        for task in subscriptions.values { task.cancel() }
        wanted.formUnion(subscriptions.keys)
        subscriptions = [:]
        services = []
        state.services = []
        state.security = nil
        questions.end()
    }

    private func follow(_ event: Reconnector.Event) {
        switch event {
        case .connecting(let failures):
            if state.connection != "reconnecting" { state.connection = "connecting" }
            tell(failures == 0 ? "Connecting…" : "Connecting, try \(failures + 1)…")
        case .connected:
            state.connection = "connected"
            tell("Connected.")
            subscribeAgain()
        case .lost(let reason):
            endConnection()
            state.connection = "reconnecting"
            tell("The connection was lost: \(reason.map(DisconnectionText.text) ?? "nobody knows why").")
        case .failed(let error, _, let pause):
            endConnection()
            state.connection = pause == nil ? "none" : "reconnecting"
            tell(pause == nil ? "\(error.detail)." : "\(error.detail); again in \(pause ?? .zero)…")
        case .ended:
            endConnection()
            state.connection = "none"
            tell("Disconnected.")
        }
    }

    /// Restores the subscriptions of the lost connection.
    private func subscribeAgain() {
        let ids = wanted
        wanted = []
        for id in ids { Task(executorPreference: central.executor) { try? await self.subscribe(id, true) } }
    }

    private func setUp(_ peripheral: Peripheral) async throws(CentralError) {
        let events = try await peripheral.events()
        Task(executorPreference: central.executor) {
            for await event in events { await self.receive(event, of: peripheral) }
        }
        let found = try await peripheral.services()
        services = found
        offer(found.map(\.uuid))
        state.services = found.map(view)
    }

    private func receive(_ event: CentralEvent, of peripheral: Peripheral) async {
        switch event {
        case .pairingInput(_, let input):
            let answer = await questions.ask(input)
            // The pairing may have ended; its own error reports that.
            try? await peripheral.answerPairing(answer)
        case .passkeyDisplayed(_, let passkey): questions.show(PasskeyText.text(passkey))
        case .securityChanged(_, let security): show(security)
        default: break
        }
    }

    private func show(_ security: LinkSecurity) {
        questions.end()
        var words = security.isEncrypted ? ["encrypted"] : []
        if security.isAuthenticated { words.append("authenticated") }
        if security.isBonded { words.append("bonded") }
        state.security = words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// The peer of the user's own connection.
    func connected() throws(Refusal) -> Peripheral {
        guard let reconnector, state.connection == "connected" else { throw Refusal("the phone is not connected") }
        return reconnector.peripheral
    }

    func pair() async throws {
        let peripheral = try connected()
        tell("Pairing…")
        run { phone in
            // Whichever request is pending, the pairing has ended.
            defer { phone.questions.end() }
            phone.show(try await peripheral.pair())
            phone.tell("Paired.")
        }
    }

    func answer(isAccepted: Bool, passkey: String?) async throws {
        if isAccepted, questions.question == .enterPasskey, passkey == nil {
            throw Refusal("expected six digits")
        }
        guard questions.answer(isAccepted: isAccepted, passkey: passkey) else { throw Refusal("nothing is asked") }
    }

    func forget() async throws {
        let bonds = try await central.bonds()
        for bond in bonds { try await central.forget(bond.identity) }
        tell(bonds.isEmpty ? "There were no bonds." : "Forgot \(bonds.count) bond\(bonds.count == 1 ? "" : "s").")
    }

    /// Runs a long operation; shows its failure.
    func run(_ body: @escaping @Sendable (isolated LivePhoneModel) async throws -> Void) {
        Task(executorPreference: central.executor) {
            do {
                try await body(self)
            } catch let error as CentralError {
                await self.tell(error.detail)
            } catch {
                await self.tell("\(error)")
            }
        }
    }
}
