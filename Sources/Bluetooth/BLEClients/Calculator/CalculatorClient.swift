import BenchExecutor
public import BLECentral
public import BLECore
internal import MonotonicTime

/// A client of a calculator: finds it, keeps a connection, calculates.
public actor CalculatorClient {
    /// The calculator's service.
    public static let service = BLEUUID(literal: "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079")
    /// Characteristic that takes requests of 3 bytes.
    public static let input = BLEUUID(literal: "C1AB2C55-7914-4140-B85B-879C5E252FE5")
    /// Characteristic that notifies results of 1 byte.
    public static let output = BLEUUID(literal: "643954A4-A6CC-455C-825C-499190CE7DB0")

    /// Time limit for an answer.
    public static let answerTime = Duration.seconds(5)
    /// Limit of unread states per listener; beyond it, the oldest are dropped.
    public static let stateBufferSize = 64

    private nonisolated let central: Central
    private let policy: ReconnectionPolicy
    private let isWanted: @Sendable (Advertisement) -> Bool
    private lazy var connection = ClientConnection(central, policy, isWanted: isWanted) { [weak self] peripheral in
        try await self?.setUp(peripheral)
    } tell: { [weak self] link in
        await self?.follow(link)
    }
    private var model = CalculatorModel()
    private var listeners = Broadcast<CalculatorModel>()
    private var input: Characteristic?
    private var deadline: BenchExecutor.Event?

    /// The central's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { central.executor.asUnownedSerialExecutor() }

    /// A client.
    ///
    /// - Parameters:
    ///   - central: need not be powered on yet.
    ///   - policy: the rules for connecting again.
    ///   - isWanted: true for the advertisement of a calculator; the first match is used.
    public init(
        _ central: Central, policy: ReconnectionPolicy = ReconnectionPolicy(),
        isWanted: @escaping @Sendable (Advertisement) -> Bool = \.offersCalculator
    ) {
        self.central = central
        self.policy = policy
        self.isWanted = isWanted
    }

    /// The state shown to the user.
    public var state: CalculatorModel { model }

    /// The state shown to the user, now and after each change. Keeps the newest ``stateBufferSize``.
    public func states() -> AsyncStream<CalculatorModel> {
        listeners.stream(keeping: Self.stateBufferSize, first: model)
    }

    /// Finds the calculator and connects; does nothing if it is already searching or connected.
    public func connect() async { await connection.connect() }

    /// Ends the connection, or the search for one.
    public func disconnect() async { await connection.disconnect() }

    /// Presses a key.
    public func press(_ key: CalculatorModel.Key) {
        var request: CalculatorModel.Request?
        change { request = $0.press(key) }
        // `input` is set before the state is `connected`.
        guard let request, let input else { return }
        let executor = central.executor
        deadline = executor.schedule(at: executor.now.advanced(by: Self.answerTime)) { [weak self] in
            self?.assumeIsolated { $0.answerIsLate() }
        }
        Task(executorPreference: executor) {
            do throws(CentralError) {
                try await input.write(request.bytes)
            } catch {
                await self.failed(error)
            }
        }
    }

    private func failed(_ error: CentralError) {
        switch error.code {
        case .disconnected, .notConnected: end { $0.fail("the connection ended") }
        default: end { $0.fail("\(error)") }
        }
    }

    private func receive(_ value: [UInt8]) { end { $0.receive(value) } }

    // MARK: The connection

    private func setUp(_ peripheral: Peripheral) async throws(CentralError) {
        let service = try await peripheral.service(Self.service)
        let input = try service.characteristic(Self.input)
        let values = try await service.characteristic(Self.output).values()
        self.input = input
        Task(executorPreference: central.executor) {
            do {
                for try await value in values { await self.receive(value) }
            } catch {
                // The reconnector reports the error.
            }
        }
    }

    private func follow(_ link: ClientLink) { end { $0.setLink(link) } }

    private func answerIsLate() {
        deadline = nil
        change { $0.fail("no answer within \(Self.answerTime)") }
    }

    /// Changes the visible state; ends the wait for an answer.
    private func end(_ body: (inout CalculatorModel) -> Void) {
        if let deadline { central.executor.cancel(deadline) }
        deadline = nil
        change(body)
    }

    private func change(_ body: (inout CalculatorModel) -> Void) {
        var new = model
        body(&new)
        guard new != model else { return }
        model = new
        listeners.send(new)
    }
}

extension Advertisement {
    /// True if the calculator's service is advertised.
    public var offersCalculator: Bool { data.serviceUUIDs.contains(CalculatorClient.service) }
}

/// An operation of the calculator peripheral, with its code in a request.
public enum CalculatorOperation: UInt8, Sendable, CaseIterable {
    /// a + b
    case add = 0
    /// a − b
    case subtract = 1
    /// a × b
    case multiply = 2

    /// `+`, `-` or `×`.
    public var symbol: String {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "×"
        }
    }

    /// The result, which may not fit into the peripheral's 8 bits.
    public func result(_ a: UInt8, _ b: UInt8) -> Int {
        switch self {
        case .add: Int(a) + Int(b)
        case .subtract: Int(a) - Int(b)
        case .multiply: Int(a) * Int(b)
        }
    }
}
