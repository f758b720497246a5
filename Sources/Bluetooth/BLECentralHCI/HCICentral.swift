public import BLECentral
package import BLECore
import BLEHost
package import BLEPackets
import MonotonicTime
public import BenchExecutor

/// espbench's own host in the central role, on a controller behind an `HCITransport`.
///
/// An actor on the executor of a bench: the controller's events are handled without a thread switch, and in virtual
/// time every time-out is virtual. Events keep the controller's order.
public actor HCICentral: CentralBackend {
    /// The bench.
    public nonisolated let executor: BenchExecutor

    /// The bench's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// All abilities.
    public nonisolated let abilities = Set(CentralAbility.allCases)

    /// The central's events, posted on the bench's executor.
    public nonisolated let events = CentralEventQueue()

    let host: Host
    var connections: [Connection] = []
    var lastConnection: UInt32 = 0
    var attempts: [Attempt] = []
    var lastAttempt: UInt64 = 0
    var rawExchanges: [Int: RawExchange] = [:]
    var lastRawExchange = 0
    var merger: AdvertisementMerger?
    var scanWaiters: [CheckedContinuation<CentralError?, Never>] = []
    let bondStore: any BondStore
    var hasLoadedKeys = false
    /// The error of the last save.
    var storageError: CentralError?
    var isPrivate = false
    /// Calls that wait for out-of-band data.
    var outOfBandWaiters: [CheckedContinuation<Result<OutOfBandValue, CentralError>, Never>] = []
    /// The reads that the controller has not answered.
    var rssiReads = LinkReads<Int?>()
    var phyReads = LinkReads<LinkPHYs>()
    private var packetObserver: (@Sendable (ControllerEvent) -> Void)?
    /// The error of every operation after the end of the transport.
    private var loss: CentralError?
    private let name: String
    private let transport: any HCITransport
    private var powerWaiters: [CheckedContinuation<CentralError?, Never>] = []
    private var alarm: Alarm
    // `@exclusivity(unchecked)`: accessed several times per packet, where the run-time check costs more than the other
    // work; the compile-time checks remain.
    @exclusivity(unchecked) private var alarmDeadline: MonotonicInstant?

    /// A central on the controller behind `transport`; it scans and connects with `address`, a static random address,
    /// or with the controller's public address if that is `nil`. Its keys are stored in `bondStore`. `name` names the
    /// controller in errors.
    package init(
        executor: BenchExecutor, transport: any HCITransport, name: String = "the controller",
        address: DeviceAddress? = nil, bondStore: any BondStore = MemoryBondStore()
    ) {
        self.executor = executor
        self.name = name
        self.transport = transport
        self.bondStore = bondStore
        host = Host(configuration: .central(address.map { .fixed($0) } ?? .none))
        host.security = Self.configuration(CentralSecurity())
        alarm = Alarm(executor)
    }

    /// Resets and initializes the controller. Does nothing if it is initialized.
    public func powerOn() async throws(CentralError) {
        try checkAvailable()
        guard !host.isReady else { return }
        try loadKeys()
        let error = await withCheckedContinuation { continuation in
            powerWaiters.append(continuation)
            guard powerWaiters.count == 1 else { return }
            transport.setReceiver { [weak self] packet in
                self?.assumeIsolated { $0.receive(packet) }
            }
            transport.setLossHandler { [weak self] reason in
                self?.assumeIsolated { $0.lost(reason) }
            }
            host.start(now: executor.now)
            pump()
        }
        if let error { throw error }
    }

    /// The controller's properties; `nil` while the central is not powered on. `address` is the address that opens it.
    public func adapter(at address: CentralAddress) -> CentralAdapter? {
        guard loss == nil, let info = host.controllerInfo else { return nil }
        return CentralAdapter(
            address: address, deviceAddress: info.publicAddress.value == 0 ? nil : info.publicAddress,
            version: info.hciVersion, manufacturer: info.manufacturer)
    }

    /// Reports the controller to the observer of packets, once it is known.
    private func reportController() {
        guard let packetObserver, let info = host.controllerInfo else { return }
        packetObserver(.added(address: info.publicAddress, company: info.manufacturer))
    }

    /// Throws if the controller was lost.
    func checkAvailable() throws(CentralError) {
        if let loss { throw loss }
    }

    /// Handles the end of the transport: no packet reaches the controller any more.
    private func lost(_ reason: String) {
        let error = CentralError(.unavailable, "\(name): \(reason)")
        loss = error
        packetObserver?(.removed)
        endRawExchanges()
        end(error, connections: .unavailable)
    }

    // MARK: Driving the host

    private func receive(_ packet: HCIPacket) {
        packetObserver?(.packet(packet.h4, isFromHost: false))
        host.receive(packet, now: executor.now)
        pump()
    }

    /// Sends the host's packets, handles its events, and sets the alarm.
    func pump() {
        while true {
            while let packet = host.nextOutput() {
                packetObserver?(.packet(packet.h4, isFromHost: true))
                transport.send(packet)
            }
            if !outOfBandWaiters.isEmpty { deliverOutOfBandValue() }
            guard let event = host.nextEvent() else { break }
            handle(event)
        }
        setAlarm()
    }

    private func handle(_ event: HostEvent) {
        switch event {
        case .attributePDU(let handle, let pdu):
            if let connection = connection(handle: handle) { receive(pdu, on: connection) }
        case .roomAvailable(let handle):
            guard let connection = connection(handle: handle) else { return }
            for waiter in connection.writeWaiters { waiter.resume(returning: nil) }
            connection.writeWaiters = []
        case .advertisingReport(let packet):
            if let advertisement = merger?.receive(packet, now: executor.now) { report(advertisement) }
        case .linkEstablished(let info): linkEstablished(info)
        case .connectionFailed(let status): connectionFailed(status)
        case .disconnected(let info, let reason, _): disconnected(info, reason)
        case .scanningStarted, .scanningStopped: scanChanged(nil)
        case .commandFailed(.disconnect, let status): disconnectRefused(status)
        case .commandFailed(let opcode, let status):
            let scanning: [HCIOpcode] = [
                .leSetScanParameters, .leSetScanEnable, .leSetExtendedScanParameters, .leSetExtendedScanEnable,
            ]
            if scanning.contains(opcode) { scanRefused(opcode, status) }
        case .synchronized: synchronized()
        case .rssiAnswered(let result): rssiReads.answer(result)
        case .phyAnswered(let result): phyReads.answer(result)
        case .failed(let error): failed(error)
        case .pairingInput, .encryptionChanged, .securityChanged, .securityRequested, .bondsChanged, .identityKeyMade:
            handleSecurity(event)
        case .pairingEnded, .bondEstablished, .bondRestored, .bondRemoved, .identityResolved: break
        case .connected, .linkEnding, .parametersUpdated, .parameterUpdateFailed, .malformedPacket, .advertisingEnded,
            .acceptListAnswered:
            break
        }
    }

    private func synchronized() {
        reportController()
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

    /// Handles a failure of the controller: every operation and connection ends.
    private func failed(_ error: HostError) {
        var failure = CentralError(error)
        // A controller that does not answer counts as unavailable.
        if case .commandTimedOut = error.code { failure = CentralError(.unavailable, "\(name): \(error.detail)") }
        end(failure, connections: .disconnected(reason: HCIErrorCode.hardwareFailure.rawValue))
    }

    private func end(_ error: CentralError, connections code: CentralError.Code) {
        powerEnded(error)
        scanChanged(error)
        merger = nil
        for waiter in outOfBandWaiters { waiter.resume(returning: .failure(error)) }
        outOfBandWaiters = []
        for attempt in attempts { attempt.continuation.resume(returning: .failure(error)) }
        attempts = []
        for connection in connections { ended(connection, .hardwareFailure, code, error.detail) }
        rssiReads = LinkReads()
        phyReads = LinkReads()
        events.post(.failed(error))
    }

    // MARK: Time

    /// The alarm is only moved to earlier times: waking too early costs less than rescheduling the alarm for each
    /// packet.
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
        alarm.set(next, { [weak self] in self?.assumeIsolated { $0.wake() } })
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
        for advertisement in merger?.advance(to: now) ?? [] { report(advertisement) }
        pump()
    }
}

extension HCICentral: PacketObserving {
    /// Sets the observer of the packets.
    public func setPacketObserver(_ observer: (@Sendable (ControllerEvent) -> Void)?) {
        packetObserver = observer
        if loss == nil { reportController() }
    }
}
