import BLECentral
import BLECore
import BLEPackets
import Bench
import BenchModel
import MonotonicTime
import BenchExecutor

/// What a fake board does when something is written; scripted per test.
typealias WriteBehaviour = @Sendable (isolated FakeBench, FakeWrite) -> FakeAnswer

/// One write as the fake board sees it.
struct FakeWrite {
    var client: Int
    var value: [UInt8]
    var kind: WriteKind
}

/// How the fake board's stack answers a write.
enum FakeAnswer {
    /// Acknowledged after this time.
    case acknowledge(after: Duration)
    /// Refused.
    case fail(CentralError)
    /// No answer, ever.
    case hang
}

/// A board with one service that does what its test scripts, and centrals that fail on what they do not expect.
actor FakeBench: BenchDevice {
    static let service = BLEUUID(0xEBC0)
    static let input = BLEUUID(0xC1AB)
    static let output = BLEUUID(0x6439)
    static let inputValue = AttributeID(rawValue: 16)
    static let outputValue = AttributeID(rawValue: 18)
    static let outputConfiguration = AttributeID(rawValue: 19)

    nonisolated let executor: BenchExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let onWrite: WriteBehaviour
    private var handler: (@Sendable (DeviceEvent) -> Void)?
    private(set) var centrals: [FakeCentral] = []
    /// Everything asked of the bench, in order.
    private(set) var calls: [String] = []
    private(set) var isOn = false
    var isAdvertising = true
    var readValue: [UInt8] = [0]
    /// With whom the board has bonds.
    var boardBonds: [DeviceAddress] = []
    /// What answers an ATT PDU.
    var attributeAnswer: [UInt8]?
    /// Planted faults that come at the next write.
    var faults: Set<Int> = []
    private var cut: PowerCut?
    private var isEavesdropping = false
    private var overheard: UInt32?

    init(_ executor: BenchExecutor, onWrite: @escaping WriteBehaviour) {
        self.executor = executor
        self.onWrite = onWrite
    }

    // MARK: BenchDevice

    func setEventHandler(_ handler: @escaping @Sendable (DeviceEvent) -> Void) {
        self.handler = handler
    }

    func setPower(_ isOn: Bool) {
        self.isOn = isOn
        note(isOn ? "power on" : "power off")
        if isOn { print("BLE Service is advertising", after: .milliseconds(20)) }
        if !isOn { dropAll(reason: 0x08, after: .milliseconds(420)) }
    }

    func restore() {
        boardBonds = []
        faults = []
        cut = nil
    }

    func cutPower(at point: PowerCut) {
        cut = point
    }

    func reset() {
        note("reset")
        print("BLE Service is advertising", after: .milliseconds(20))
    }

    func setButton(pin: Int, isPressed: Bool) {
        note("button \(pin) \(isPressed ? "pressed" : "released") at \(executor.now.nanoseconds / 1_000_000) ms")
    }

    func type(_ bytes: [UInt8]) {
        note("type \(String(decoding: bytes, as: UTF8.self).dropLast())")
    }

    func eraseNVS() {
        note("erase NVS")
        boardBonds = []
    }

    func bonds() -> [DeviceAddress] { boardBonds }

    func forgetBonds(with peer: DeviceAddress?) {
        boardBonds.removeAll { peer == nil || peer == $0 }
    }

    func setEavesdropping(_ isOn: Bool) {
        isEavesdropping = isOn
    }

    func overheardPasskey() -> UInt32? { isEavesdropping ? overheard : nil }

    func overhear(_ passkey: UInt32) {
        overheard = passkey
    }

    func makeCentral(address: DeviceAddress?) -> BenchCentral {
        let identity = address ?? DeviceAddress(0xC0EB_0000_0001 + UInt64(centrals.count), .random)
        let central = FakeCentral(self, number: centrals.count, identity: identity)
        centrals.append(central)
        return BenchCentral(backend: central, identity: identity)
    }

    func exchangeATT(_ pdu: [UInt8], within timeout: Duration) async -> [UInt8]? {
        note("ATT \(pdu)")
        if attributeAnswer == nil { try? await BenchClock(executor).sleep(for: timeout) }
        return timeout > .zero ? attributeAnswer : nil
    }

    func plant(_ fault: PDUFault, number: Int) {
        let channel = fault.point.kind.isLinkControl ? " of channel 0" : ""
        note(
            "fault \(fault.action) at \(fault.point.kind.opcodes.sorted()) \(fault.point.occurrence)"
                + channel + (fault.count == nil ? ", every" : ""))
        faults.insert(number)
    }

    func faultsToCome() -> Set<Int> { faults }

    func clearFaults() {
        note("faults cleared")
        faults = []
    }

    func setAir(loss: Int?, pathLoss: Int?) {
        note("air \(loss ?? -1) \(pathLoss ?? -1)")
    }

    // MARK: Script

    func note(_ call: String) {
        calls.append(call)
    }

    func stopAdvertising() {
        isAdvertising = false
    }

    func answer(_ answer: [UInt8]?) {
        attributeAnswer = answer
    }

    func bond(_ identity: DeviceAddress) {
        boardBonds.removeAll { $0 == identity }
        boardBonds.append(identity)
    }

    func moveServo(to angle: Int?, after delay: Duration) {
        later(delay) { $0.handler?(.servo(pin: 13, isAttached: angle != nil, angle: angle)) }
    }

    func write(_ write: FakeWrite) -> FakeAnswer {
        faults = []
        return onWrite(self, write)
    }

    func print(_ line: String, after delay: Duration) {
        later(delay) { bench in
            bench.handler?(.console(line: line))
            if case .console(let isWanted)? = bench.cut, isWanted(line) {
                bench.cut = nil
                bench.isOn = false
                bench.dropAll(reason: 0x08, after: .milliseconds(420))
                bench.handler?(.powerCut)
            }
        }
    }

    func panic(_ message: String, after delay: Duration) {
        later(delay) { $0.handler?(.panic(message: message)) }
    }

    func hang(_ message: String, after delay: Duration) {
        later(delay) { $0.handler?(.watchdog(message: message)) }
    }

    func notify(_ value: [UInt8], client: Int = 0, isIndication: Bool = false, after delay: Duration) {
        let central = centrals[client]
        later(delay) { _ in
            central.assumeIsolated { $0.send(value, isIndication: isIndication) }
        }
    }

    func drop(reason: UInt8, client: Int = 0, after delay: Duration) {
        let central = centrals[client]
        central.assumeIsolated { $0.drop(reason: reason, after: delay) }
    }

    private func dropAll(reason: UInt8, after delay: Duration) {
        for client in centrals.indices { drop(reason: reason, client: client, after: delay) }
    }

    private func later(_ delay: Duration, _ body: @escaping @Sendable (isolated FakeBench) -> Void) {
        executor.schedule(at: executor.now.advanced(by: delay)) { self.assumeIsolated(body) }
    }
}

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

    func check(_ connection: ConnectionID, _ call: String) throws(CentralError) {
        guard connection == self.connection else { throw CentralError(.notConnected, "\(call): not connected") }
    }

    func send(_ value: [UInt8], isIndication: Bool) {
        guard let connection else { return }
        events.post(.notification(connection, FakeBench.outputValue, value: value, isIndication: isIndication))
    }

    /// Drops the link there is now, later.
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
        events.post(.disconnected(connection, reason: reason))
    }

    // MARK: CentralBackend

    func powerOn() {}

    func exchangeATT(
        _ pdu: [UInt8], on connection: ConnectionID, within timeout: Duration
    ) async throws(CentralError) -> [UInt8]? {
        await bench.exchangeATT(pdu, within: timeout)
    }

    func startScanning(_ filter: ScanFilter) async {
        isScanning = true
        guard await bench.isOn, await bench.isAdvertising else { return }
        let executor = bench.executor
        let data = AdvertisingData(structures: [
            AdvertisingData.Structure(type: .completeLocalName, data: Array("Test Peripheral".utf8)),
            AdvertisingData.Structure(type: .complete16BitServiceUUIDs, data: FakeBench.service.attBytes),
        ])
        let advertisement = Advertisement(
            address: DeviceAddress(0x240A_C400_0110, .public), data: data, rssi: -40, isConnectable: true)
        executor.schedule(at: executor.now.advanced(by: .milliseconds(30))) {
            self.assumeIsolated { if $0.isScanning { $0.events.post(.advertisement(advertisement)) } }
        }
    }

    func stopScanning() {
        isScanning = false
    }

    func connect(to peer: PeerID, within timeout: Duration) async throws(CentralError) -> ConnectionID {
        await note("connect")
        let connection = ConnectionID(rawValue: nextConnection)
        nextConnection += 1
        self.connection = connection
        security = LinkSecurity()
        return connection
    }

    func disconnect(_ connection: ConnectionID) async throws(CentralError) {
        await note("disconnect")
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
        switch await bench.write(FakeWrite(client: number, value: value, kind: kind)) {
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
}
