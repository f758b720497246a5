public import BLECentral
public import BLECore
import BenchExecutor
internal import MonotonicTime

/// A lock's client: finds it, keeps a connection, pairs when the lock requires it, locks and unlocks.
public actor LockClient {
    /// The lock's service.
    public static let service = BLEUUID(literal: "3C3996E0-4D2C-11ED-BDC3-0242AC120002")
    /// Characteristic that takes `0` and `1`.
    public static let command = BLEUUID(literal: "3C399A64-4D2C-11ED-BDC3-0242AC120002")
    /// Characteristic that notifies `0` and `1`.
    public static let state = BLEUUID(literal: "3C399C44-4D2C-11ED-BDC3-0242AC120002")
    /// Characteristic that notifies `locked`, `unlocked`, `moving`; not in the original lock.
    public static let bolt = BLEUUID(literal: "3C399E2E-4D2C-11ED-BDC3-0242AC120002")
    /// Characteristic to read the same texts; not in the original lock.
    public static let status = BLEUUID(literal: "3C39A068-4D2C-11ED-BDC3-0242AC120002")

    /// Answers a question of the pairing, like a phone's dialog.
    public typealias Answer = @Sendable (PairingInput) async -> PairingAnswer

    /// Time limit for a command, without the pairing.
    public static let commandTime = Duration.seconds(10)
    /// Limit of unread states per listener; beyond it, the oldest are dropped.
    public static let stateBufferSize = 64

    private nonisolated let central: Central
    private let policy: ReconnectionPolicy
    private let isWanted: @Sendable (Advertisement) -> Bool
    private let answer: Answer
    private lazy var connection = ClientConnection(central, policy, isWanted: isWanted) { [weak self] peripheral in
        try await self?.setUp(peripheral)
    } tell: { [weak self] link in
        await self?.follow(link)
    }
    private var model = LockModel()
    private var listeners = Broadcast<LockModel>()
    private var service: Service?
    private var deadline: BenchExecutor.Event?
    /// The number of pairing questions so far.
    private var questionCount = 0

    /// The central's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { central.executor.asUnownedSerialExecutor() }

    /// A client.
    ///
    /// - Parameters:
    ///   - central: need not be powered on yet.
    ///   - policy: the rules for connecting again.
    ///   - isWanted: true for the advertisement of a lock; the first match is used.
    ///   - answer: passes the pairing's questions to the user.
    public init(
        _ central: Central, policy: ReconnectionPolicy = ReconnectionPolicy(),
        isWanted: @escaping @Sendable (Advertisement) -> Bool = \.offersLock, answer: @escaping Answer
    ) {
        self.central = central
        self.policy = policy
        self.isWanted = isWanted
        self.answer = answer
    }

    /// The state shown to the user.
    public var state: LockModel { model }

    /// The state shown to the user, now and after each change. Keeps the newest ``stateBufferSize``.
    public func states() -> AsyncStream<LockModel> { listeners.stream(keeping: Self.stateBufferSize, first: model) }

    /// Finds the lock and connects; does nothing if it is already searching or connected.
    public func connect() async { await connection.connect() }

    /// Ends the connection, or the search for one.
    public func disconnect() async { await connection.disconnect() }

    /// Gives a command; does nothing if it is not allowed. Pairs first if the lock refuses it.
    public func perform(_ command: LockCommand) {
        var value: [UInt8]?
        change { value = $0.begin(command) }
        guard let value, let service else { return }
        Task(executorPreference: central.executor) { await self.send(value, service) }
    }

    /// Gives the command that moves the bolt.
    public func toggle() { perform(model.opposite) }

    // MARK: Commands

    private func send(_ value: [UInt8], _ service: Service) async {
        do throws(CentralError) {
            let characteristic = try service.characteristic(Self.command)
            let formerCount = questionCount
            do throws(CentralError) {
                try await characteristic.write(value)
            } catch {
                // If questions were asked, the stack has already tried to pair, and failed.
                guard error.asksForSecurity, questionCount == formerCount else { throw error }
                change { $0.beginPairing() }
                let security = try await service.peripheral.pair()
                // An unauthenticated pairing is useless: the lock ends it.
                if security.isAuthenticated { change { $0.note("Paired.") } }
                // The lock reports the position of its bolt to owners only.
                await readStatus(service)
                guard model.isBusy else { return }
                try await characteristic.write(value)
            }
            awaitBolt()
        } catch {
            end { $0.fail(Self.text(error)) }
        }
    }

    /// Starts the time limit within which the bolt has to reach its position.
    private func awaitBolt() {
        change { $0.endPairing() }
        guard model.isBusy else { return }
        let executor = central.executor
        deadline = executor.schedule(at: executor.now.advanced(by: Self.commandTime)) { [weak self] in
            self?.assumeIsolated { client in
                client.deadline = nil
                client.change { $0.fail("the bolt has not moved within \(Self.commandTime)") }
            }
        }
    }

    private static func text(_ error: CentralError) -> String {
        switch error.code {
        case .disconnected, .notConnected: LockModel.ended
        default: error.detail
        }
    }

    // MARK: The connection

    private func setUp(_ peripheral: Peripheral) async throws(CentralError) {
        answerPairings(of: peripheral, try await peripheral.events())
        var isStranger = false
        do throws(CentralError) {
            // Encrypts an owner's link before any other use.
            _ = try await peripheral.encrypt()
        } catch {
            switch error.code {
            case .notBonded: isStranger = true
            case .unsupported: break
            default: throw error
            }
        }
        let service = try await peripheral.service(Self.service)
        follow(try await service.characteristic(Self.state).values()) { $0.receive(state: $1) }
        if let bolt = try? service.characteristic(Self.bolt) {
            follow(try await bolt.values()) { $0.receive(bolt: $1) }
        }
        // With some stacks, a stranger's read of a protected value starts a pairing before the user has asked for one.
        if !isStranger { await readStatus(service) }
        self.service = service
    }

    private func readStatus(_ service: Service) async {
        // The original lock has no status.
        guard let status = try? service.characteristic(Self.status), let value = try? await status.read() else {
            return
        }
        change { $0.receive(bolt: value) }
    }

    private func follow(
        _ values: AsyncThrowingStream<[UInt8], any Error>,
        _ body: @escaping @Sendable (inout LockModel, [UInt8]) -> Void
    ) {
        Task(executorPreference: central.executor) {
            do {
                for try await value in values { await self.receive(value, body) }
            } catch {
                // The reconnector reports the error.
            }
        }
    }

    private func receive(_ value: [UInt8], _ body: @Sendable (inout LockModel, [UInt8]) -> Void) {
        change { body(&$0, value) }
        if !model.isBusy { end { _ in } }
    }

    private func answerPairings(of peripheral: Peripheral, _ events: AsyncStream<CentralEvent>) {
        Task(executorPreference: central.executor) {
            for await event in events {
                if case .pairingInput(_, let input) = event {
                    try? await peripheral.answerPairing(await self.ask(input))
                }
            }
        }
    }

    private func ask(_ input: PairingInput) async -> PairingAnswer {
        questionCount += 1
        change { $0.beginPairing() }
        return await answer(input)
    }

    private func follow(_ link: ClientLink) { end { $0.setLink(link) } }

    /// Changes the visible state; ends the wait for an answer.
    private func end(_ body: (inout LockModel) -> Void) {
        if let deadline { central.executor.cancel(deadline) }
        deadline = nil
        change(body)
    }

    private func change(_ body: (inout LockModel) -> Void) {
        var new = model
        body(&new)
        guard new != model else { return }
        model = new
        listeners.send(new)
    }
}

extension CentralError {
    /// True if the peer requires a better protected link: Insufficient Authentication, Encryption Key Size or
    /// Encryption (Core 5.4, Vol 3 Part F 3.4.1.1).
    fileprivate var asksForSecurity: Bool {
        switch code {
        case .attError(0x05), .attError(0x0C), .attError(0x0F): true
        default: false
        }
    }
}

extension Advertisement {
    /// True if the lock's service is advertised.
    public var offersLock: Bool { data.serviceUUIDs.contains(LockClient.service) }
}
