import BLECentral
import BLECore
import BenchExecutor
import MonotonicTime

/// A central of a ``FakeBench``.
actor FakeCentral: CentralBackend {
    nonisolated let bench: FakeBench
    nonisolated let number: Int
    nonisolated let identity: DeviceAddress
    nonisolated var unownedExecutor: UnownedSerialExecutor { bench.unownedExecutor }

    nonisolated let abilities = Set(CentralAbility.allCases)
    nonisolated let events = CentralEventQueue()
    var settings = CentralSecurity()
    var security = LinkSecurity()
    var hasBond = false
    var answerWaiter: CheckedContinuation<PairingAnswer?, Never>?
    private var isScanning = false
    private var connection: ConnectionID?
    private var nextConnection: UInt32 = 1

    init(_ bench: FakeBench, number: Int, identity: DeviceAddress) {
        self.bench = bench
        self.number = number
        self.identity = identity
    }

    func note(_ call: String) async {
        await bench.note("\(number): \(call)")
    }

    static func unplugged(_ call: String) -> CentralError {
        CentralError(.invalidState, "\(call): the adapter is gone")
    }

    func check(_ connection: ConnectionID, _ call: String) throws(CentralError) {
        try checkAdapter(call)
        guard connection == self.connection else { throw CentralError(.notConnected, "\(call): not connected") }
    }

    func checkAdapter(_ call: String) throws(CentralError) {
        if bench.assumeIsolated({ $0.isUnplugged }) { throw Self.unplugged(call) }
    }

    func post(_ event: CentralEvent) {
        events.post(event)
    }

    func send(_ value: [UInt8], isIndication: Bool) {
        guard let connection else { return }
        post(.notification(connection, FakeBench.outputValue, value: value, isIndication: isIndication))
    }

    /// Drops the current link after a delay.
    func drop(reason: UInt8, after delay: Duration) {
        let dropped = connection
        let executor = bench.executor
        executor.schedule(at: executor.now.advanced(by: delay)) {
            self.assumeIsolated { if $0.connection == dropped { $0.drop(reason: reason) } }
        }
    }

    private func drop(reason: UInt8) {
        guard let connection else { return }
        self.connection = nil
        post(.disconnected(connection, reason: reason))
    }

    // MARK: CentralBackend

    func powerOn() {}

    func startScanning(_ filter: ScanFilter) async throws(CentralError) {
        try checkAdapter("scan")
        isScanning = true
        guard await bench.isOn, await bench.isAdvertising else { return }
        let executor = bench.executor
        let scripted = await bench.advertisements
        for (number, advertisement) in scripted.enumerated() {
            executor.schedule(at: executor.now.advanced(by: .milliseconds(30 + 100 * number))) {
                self.assumeIsolated { if $0.isScanning { $0.post(.advertisement(advertisement)) } }
            }
        }
        guard scripted.isEmpty else { return }
        let data = AdvertisingData(structures: [
            AdvertisingData.Structure(type: .completeLocalName, data: Array("Test Peripheral".utf8)),
            AdvertisingData.Structure(type: .complete16BitServiceUUIDs, data: FakeBench.service.attBytes),
        ])
        let advertisement = Advertisement(
            address: DeviceAddress(0x240A_C400_0110, .public), data: data, rssi: -40, isConnectable: true)
        guard await !bench.reportsAtOnce else { return post(.advertisement(advertisement)) }
        executor.schedule(at: executor.now.advanced(by: .milliseconds(30))) {
            self.assumeIsolated { if $0.isScanning { $0.post(.advertisement(advertisement)) } }
        }
    }

    func stopScanning() {
        isScanning = false
    }

    func connect(to peer: PeerID, within timeout: Duration) async throws(CentralError) -> ConnectionID {
        try checkAdapter("connect")
        await note("connect")
        let connection = ConnectionID(rawValue: nextConnection)
        nextConnection += 1
        self.connection = connection
        security = LinkSecurity()
        return connection
    }

    func disconnect(_ connection: ConnectionID) async throws(CentralError) {
        await note("disconnect")
        if await bench.disconnectsHang { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        try check(connection, "disconnect")
        drop(reason: 0x16)
    }

    func exchangeMTU(_ mtu: Int, on connection: ConnectionID) async throws(CentralError) -> Int {
        try check(connection, "MTU")
        return min(mtu, 255)
    }

    func discoverServices(on connection: ConnectionID) async throws(CentralError) -> [DiscoveredService] {
        try check(connection, "discovery")
        return [
            DiscoveredService(
                uuid: FakeBench.service, handles: 14...19,
                characteristics: [
                    DiscoveredCharacteristic(
                        uuid: FakeBench.input, value: FakeBench.inputValue, handle: FakeBench.inputValue.rawValue,
                        properties: [.write, .writeWithoutResponse],
                        descriptors: []),
                    DiscoveredCharacteristic(
                        uuid: FakeBench.output, value: FakeBench.outputValue, handle: FakeBench.outputValue.rawValue,
                        properties: [.read, .notify],
                        descriptors: [
                            DiscoveredDescriptor(uuid: BLEUUID(0x2902), attribute: FakeBench.outputConfiguration)
                        ]),
                ])
        ]
    }

    func read(_ attribute: AttributeID, on connection: ConnectionID) async throws(CentralError) -> [UInt8] {
        try check(connection, "read")
        guard attribute == FakeBench.outputValue else { throw CentralError(.attError(0x02), "read refused") }
        return await bench.readValue
    }

    func write(_ value: [UInt8], to attribute: AttributeID, kind: WriteKind, on connection: ConnectionID)
        async throws(CentralError)
    {
        try check(connection, "write")
        if attribute == FakeBench.outputConfiguration { return await note("write 0013 \(value)") }
        guard attribute == FakeBench.inputValue else { throw CentralError(.attError(0x03), "write refused") }
        switch await bench.write(FakeWrite(central: number, value: value, kind: kind)) {
        case .acknowledge(let delay):
            if kind == .withResponse { try? await BenchClock(bench.executor).sleep(for: delay) }
        case .fail(let error): throw error
        case .hang: await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
    }

    func setSubscription(_ subscription: Subscription, of characteristic: AttributeID, on connection: ConnectionID)
        async throws(CentralError)
    {
        await note("subscribe \(subscription)")
        try check(connection, "subscription")
        guard characteristic == FakeBench.outputValue else { throw CentralError(.attError(0x06), "refused") }
    }

    func exchangeATT(
        _ pdu: [UInt8], on connection: ConnectionID, within timeout: Duration
    ) async throws(CentralError) -> [UInt8]? {
        try check(connection, "ATT PDU")
        await bench.note("ATT \(pdu)")
        let answer = await bench.attributeAnswer
        if answer == nil { try? await BenchClock(bench.executor).sleep(for: timeout) }
        return timeout > .zero ? answer : nil
    }
}
