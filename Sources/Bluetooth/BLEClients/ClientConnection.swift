import BenchExecutor
internal import BLECentral
import BLECore
internal import MonotonicTime

/// The common part of clients of a peripheral: finds it, keeps a connection, and reports its state.
actor ClientConnection {
    private nonisolated let central: Central
    private let policy: ReconnectionPolicy
    private let isWanted: @Sendable (Advertisement) -> Bool
    private let setUp: Reconnector.SetUp
    private let tell: @Sendable (ClientLink) async -> Void
    private let ended: @Sendable () async -> Void
    private var reconnector: Reconnector?
    /// The number of the last call of ``connect()``, and the number of the call that still wants a connection.
    private var lastCall = 0
    private var wantedCall: Int?
    private var work: Task<Void, Never>?
    private var following: Task<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { central.executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - isWanted: true for an advertisement of the peripheral; the first match is used.
    ///   - setUp: prepares each connection.
    ///   - tell: is called with each change.
    ///   - ended: is called once disconnected, with no further attempt.
    init(
        _ central: Central, _ policy: ReconnectionPolicy, isWanted: @escaping @Sendable (Advertisement) -> Bool,
        setUp: @escaping Reconnector.SetUp, tell: @escaping @Sendable (ClientLink) async -> Void,
        ended: @escaping @Sendable () async -> Void = {}
    ) {
        self.central = central
        self.policy = policy
        self.isWanted = isWanted
        self.setUp = setUp
        self.tell = tell
        self.ended = ended
    }

    /// Finds the peripheral and connects; does nothing if it is already searching or connected. Reports the search
    /// before it returns.
    func connect() async {
        guard wantedCall == nil else { return }
        lastCall += 1
        let call = lastCall
        wantedCall = call
        await work?.value
        guard wantedCall == call else { return }
        await tell(.searching)
        guard wantedCall == call else { return }
        work = Task(executorPreference: central.executor) { await self.run(call) }
        guard following == nil else { return }
        following = Task(executorPreference: central.executor) { await self.followStates() }
    }

    /// Ends the connection, or the search for one.
    func disconnect() async {
        wantedCall = nil
        let work = work
        work?.cancel()
        try? await reconnector?.disconnect()
        await work?.value
        if wantedCall == nil { await tell(.disconnected) }
    }

    private func run(_ call: Int) async {
        do throws(CentralError) {
            // A failed stack, e.g. one that the user switched off, restarts only with `powerOn()`.
            let state = await central.state
            if state != .poweredOn { try await central.powerOn() }
            let sighting = try await central.firstSighting(
                ScanFilter(), within: ClientLink.searchTime, where: isWanted)
            let reconnector = Reconnector(central.peripheral(sighting.peer), policy: policy, setUp: setUp)
            self.reconnector = reconnector
            let events = await reconnector.events()
            let connecting = Task(executorPreference: central.executor) { try? await reconnector.connect() }
            await withTaskCancellationHandler {
                await follow(events)
            } onCancel: {
                connecting.cancel()
            }
            try? await reconnector.disconnect()
        } catch {
            if !Task.isCancelled { await tell(error.code == .timedOut ? .notFound : Self.link(error)) }
        }
        await ended()
        reconnector = nil
        work = nil
        if wantedCall == call { wantedCall = nil }
    }

    private func follow(_ events: AsyncStream<Reconnector.Event>) async {
        for await event in events {
            switch event {
            case .connecting(let failures): if await isPoweredOn { await tell(.connecting(try: failures + 1)) }
            case .connected: await tell(.connected)
            case .lost:
                if await isPoweredOn { await tell(.disconnected) }
                guard policy.isEnabled else { return }
            case .failed(let error, _, nil): return await tell(Self.link(error))
            case .failed: break
            case .ended: return await tell(.disconnected)
            }
        }
    }

    /// While powered off, ``followStates()`` has reported the reason, and the next attempt fails at once.
    private var isPoweredOn: Bool { get async { await central.state == .poweredOn } }

    /// Reports the state of the stack, even while not connected.
    private func followStates() async {
        var wasUnavailable = false
        for await state in await central.states() {
            let why: String? =
                switch state {
                case .poweredOn, .unknown: nil
                case .resetting: "its service has ended"
                case .unsupported: "there is no adapter"
                case .unauthorized: "this user may not use it"
                case .poweredOff: "it is switched off"
                }
            if let why {
                await tell(.unavailable(why))
            } else if wasUnavailable, wantedCall == nil {
                await tell(.disconnected)
            }
            wasUnavailable = why != nil
        }
    }

    private static func link(_ error: CentralError) -> ClientLink {
        switch error.code {
        case .unavailable: .unavailable(error.detail)
        // PIN or Key Missing; Authentication Failure.
        case .encryptionFailed(status: 0x06), .disconnected(reason: 0x05):
            .failed(
                "\(error.detail): it may have lost its bond with this host, which must forget it, too, and pair again")
        default: .failed(error.detail)
        }
    }
}

/// The connection of a client to its peripheral, as shown to the user.
public enum ClientLink: Sendable, Hashable {
    /// Bluetooth cannot be used; the reason.
    case unavailable(String)
    /// Not connected, and not trying to connect.
    case disconnected
    /// Searching for the peripheral.
    case searching
    /// No peripheral was found.
    case notFound
    /// Connecting; the number of this attempt in a row, counted from 1.
    case connecting(try: Int)
    /// Connected and set up.
    case connected
    /// Connecting failed; the reason.
    case failed(String)

    /// Time limit of the search for the peripheral.
    public static let searchTime = Duration.seconds(10)

    /// The state in words.
    ///
    /// - Parameter noun: the peripheral: `calculator`.
    public func text(_ noun: String) -> String {
        switch self {
        case .unavailable(let why): "Bluetooth is not available: \(why)"
        case .disconnected: "Disconnected"
        case .searching: "Searching..."
        case .notFound: "No \(noun) found"
        case .connecting(let number): number > 1 ? "Connecting... (try \(number))" : "Connecting..."
        case .connected: "Connected."
        case .failed(let why): "Connection error: \(why)"
        }
    }
}
