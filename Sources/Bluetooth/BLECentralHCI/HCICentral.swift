public import BLECentral
public import BLECore
import BLEHost
public import BLEPackets
import MonotonicTime
public import BenchExecutor

/// espbench's own host in the central role, on a controller behind an `HCITransport`.
///
/// An actor on the executor of a bench: events of the controller enter it without a switch, and in virtual time every
/// time-out is virtual. All that happens is in the order the controller tells it.
public actor HCICentral: CentralBackend {
    /// The bench.
    public nonisolated let executor: BenchExecutor

    /// The bench's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// All: this stack hides nothing.
    public nonisolated let abilities = Set(CentralAbility.allCases)

    /// What happens without being asked for; posted on the bench's executor.
    public nonisolated let events = CentralEventQueue()

    let host: Host
    var connections: [Connection] = []
    var lastConnection: UInt32 = 0
    var attempts: [Attempt] = []
    var rawExchanges: [Int: RawExchange] = [:]
    var lastRawExchange = 0
    var merger: AdvertisementMerger?
    var scanWaiters: [CheckedContinuation<CentralError?, Never>] = []
    let bondStore: any BondStore
    var hasLoadedKeys = false
    /// Why the store did not keep what it was last given.
    var storageError: CentralError?
    var isPrivate = false
    /// Who waits for out-of-band data.
    var outOfBandWaiters: [CheckedContinuation<Result<OutOfBandValue, CentralError>, Never>] = []
    private let transport: any HCITransport
    private var powerWaiters: [CheckedContinuation<CentralError?, Never>] = []
    private var alarm: Alarm
    private var alarmDeadline: MonotonicInstant?

    /// A central on the controller behind `transport`; it scans and connects with `address`, a static random one, or
    /// with the controller's public address where that is `nil`. Its keys are kept in `bondStore`.
    public init(
        executor: BenchExecutor, transport: any HCITransport, address: DeviceAddress? = nil,
        bondStore: any BondStore = MemoryBondStore()
    ) {
        self.executor = executor
        self.transport = transport
        self.bondStore = bondStore
        host = Host(configuration: .central(address.map { .fixed($0) } ?? .none))
        host.security = Self.configuration(CentralSecurity())
        alarm = Alarm(executor)
    }

    /// Resets the controller and brings it up. Does nothing when it is up.
    public func powerOn() async throws(CentralError) {
        guard !host.isReady else { return }
        try loadKeys()
        let error = await withCheckedContinuation { continuation in
            powerWaiters.append(continuation)
            guard powerWaiters.count == 1 else { return }
            transport.setReceiver { [weak self] packet in
                self?.assumeIsolated { $0.receive(packet) }
            }
            host.start(now: executor.now)
            pump()
        }
        if let error { throw error }
    }

    // MARK: Driving the host

    private func receive(_ packet: HCIPacket) {
        host.receive(packet, now: executor.now)
        pump()
    }

    /// Sends all there is to send, tells all there is to tell, and sets the alarm.
    func pump() {
        while true {
            while let packet = host.nextOutput() { transport.send(packet) }
            if !outOfBandWaiters.isEmpty { tellOutOfBandValue() }
            guard let event = host.nextEvent() else { break }
            take(event)
        }
        setAlarm()
    }

    private func take(_ event: HostEvent) {
        switch event {
        case .attributePDU(let handle, let pdu):
            if let connection = connection(handle: handle) { receive(pdu, on: connection) }
        case .roomAvailable(let handle):
            guard let connection = connection(handle: handle) else { return }
            for sender in connection.senders { sender.resume(returning: nil) }
            connection.senders = []
        case .advertisingReport(let report):
            if let advertisement = merger?.receive(report, now: executor.now) { tell(advertisement) }
        case .linkEstablished(let info): linkEstablished(info)
        case .connectionFailed(let status): connectionFailed(status)
        case .disconnected(let info, let reason, _): disconnected(info, reason)
        case .scanningStarted, .scanningStopped: scanChanged(nil)
        case .commandFailed(.disconnect, let status): disconnectRefused(status)
        case .commandFailed(let opcode, let status):
            if opcode == .leSetScanParameters || opcode == .leSetScanEnable { scanRefused(opcode, status) }
        case .synchronized: synchronized()
        case .failed(let error): failed(error)
        case .pairingInput, .encryptionChanged, .securityChanged, .securityRequested, .bondsChanged, .identityKeyMade:
            takeSecurity(event)
        case .pairingEnded, .bondEstablished, .bondRestored, .bondRemoved, .identityResolved: break
        case .connected, .linkEnding, .parametersUpdated, .parameterUpdateFailed, .malformedPacket, .advertisingEnded,
            .acceptListAnswered:
            break
        }
    }

    private func synchronized() {
        do throws(CentralError) {
            try applyPrivacy()
            powerEnded(nil)
        } catch {
            powerEnded(error)
        }
    }

    private func powerEnded(_ error: CentralError?) {
        for waiter in powerWaiters { waiter.resume(returning: error) }
        powerWaiters = []
    }

    /// The controller is gone, and with it everything.
    private func failed(_ error: HostError) {
        let error = CentralError(error)
        powerEnded(error)
        scanChanged(error)
        merger = nil
        for waiter in outOfBandWaiters { waiter.resume(returning: .failure(error)) }
        outOfBandWaiters = []
        for attempt in attempts { attempt.continuation.resume(returning: .failure(error)) }
        attempts = []
        for connection in connections { ended(connection, .hardwareFailure, error.detail) }
    }

    // MARK: Time

    /// The alarm only ever moves earlier: one that goes off too soon costs less than one that is moved at each packet.
    private func setAlarm() {
        var next = host.nextDeadline
        func consider(_ deadline: MonotonicInstant?) {
            guard let deadline else { return }
            next = next.map { min($0, deadline) } ?? deadline
        }
        for connection in connections { consider(connection.client.nextDeadline) }
        for attempt in attempts where !attempt.hasTimedOut { consider(attempt.deadline) }
        consider(merger?.nextDeadline)
        guard let next, alarmDeadline.map({ next < $0 }) ?? true else { return }
        alarmDeadline = next
        alarm.set(next) { [weak self] in self?.assumeIsolated { $0.wake() } }
    }

    private func wake() {
        alarm.fired()
        alarmDeadline = nil
        let now = executor.now
        host.advance(to: now)
        for connection in connections {
            connection.client.advance(to: now)
            drain(connection)
        }
        advanceAttempts(to: now)
        for advertisement in merger?.advance(to: now) ?? [] { tell(advertisement) }
        pump()
    }
}
