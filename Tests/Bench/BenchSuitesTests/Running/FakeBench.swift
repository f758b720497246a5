import BLECentral
import BLECore
import Bench
import BoardParts
import BenchExecutor
import BenchModel
import MonotonicTime

/// The fake board's reaction to a write; scripted per test.
typealias WriteBehaviour = @Sendable (isolated FakeBench, FakeWrite) -> FakeAnswer

/// A write to the fake board.
struct FakeWrite {
    var central: Int
    var value: [UInt8]
    var kind: WriteKind
}

/// How the fake board's stack answers a write.
enum FakeAnswer {
    /// Acknowledged after this time.
    case acknowledge(after: Duration)
    /// Refused.
    case fail(CentralError)
    /// No answer.
    case hang
}

/// A board with one service whose reactions a test scripts, and centrals that fail the test on an unexpected call. It
/// is every part of its bench at once, without the abilities that the test removes.
actor FakeBench {
    static let service = BLEUUID(0xEBC0)
    static let input = BLEUUID(0xC1AB)
    static let output = BLEUUID(0x6439)
    static let inputValue = AttributeID(rawValue: 16)
    static let outputValue = AttributeID(rawValue: 18)
    static let outputConfiguration = AttributeID(rawValue: 19)

    nonisolated let executor: BenchExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated let events: EventPort<BoardEvent>
    nonisolated let lacking: Set<BenchAbility>
    nonisolated let timeFactor: Double
    /// The boards beside the one that it is itself, with the names of all.
    nonisolated let otherBoards: [FakeBoard]
    private nonisolated let names: [String]

    private let onWrite: WriteBehaviour
    var centrals: [FakeCentral] = []
    /// All calls of the bench, in order.
    private(set) var calls: [String] = []
    var isOn = false
    var isAdvertising = true
    /// What the board advertises, 100 ms apart, in place of its name and service.
    private(set) var advertisements: [Advertisement] = []
    /// Whether a scan reports the board once, before it has been started.
    var reportsAtOnce = false
    /// How long it takes to switch the supply.
    var switchingTime = Duration.zero
    var readValue: [UInt8] = [0]
    /// The picture of the part `screen`.
    var picture = PartPicture(width: 8, height: 4, pixels: Array(repeating: 0, count: 32))
    /// The peers with which the board has bonds.
    var boardBonds: [DeviceAddress] = []
    /// Answers an ATT PDU.
    var attributeAnswer: [UInt8]?
    /// Planned faults, which occur at the next write.
    var faults: Set<Int> = []
    /// The power cut that occurs at the next write.
    var cut: PowerCut?
    /// The board whose power it cuts.
    var cutBoard = BoardID.first
    var isEavesdropping = false
    var overheard: UInt32?
    /// Whether the centrals' stack never answers a disconnect.
    private(set) var disconnectsHang = false
    /// Whether the centrals' adapter is unplugged.
    private(set) var isUnplugged = false

    init(
        _ executor: BenchExecutor, boards names: [String] = [BenchBoard.onlyName], lacking: Set<BenchAbility> = [],
        timeFactor: Double = 1, onWrite: @escaping WriteBehaviour
    ) {
        self.executor = executor
        self.timeFactor = timeFactor
        self.lacking = lacking
        self.onWrite = onWrite
        self.names = names
        otherBoards = names.dropFirst().map { FakeBoard($0, executor) }
        events = EventPort(executor)
    }

    /// The bench, as its parts.
    nonisolated var bench: Bench {
        Bench(
            name: "fake", executor: executor,
            boards: [
                BenchBoard(
                    name: names[0], board: self, storage: lacking.contains(.boardStorage) ? nil : self, world: self)
            ] + otherBoards.map { BenchBoard(name: $0.name, board: $0, storage: $0) },
            centrals: self, air: airAbilities.isEmpty ? nil : self, timeFactor: timeFactor)
    }

    // MARK: Script

    func note(_ call: String) {
        calls.append(call)
    }

    func stopAdvertising() {
        isAdvertising = false
    }

    func advertise(_ advertisements: [Advertisement]) {
        self.advertisements = advertisements
    }

    func reportAtOnce() {
        reportsAtOnce = true
    }

    func answer(_ answer: [UInt8]?) {
        attributeAnswer = answer
    }

    func bond(_ identity: DeviceAddress) {
        boardBonds.removeAll { $0 == identity }
        boardBonds.append(identity)
    }

    func moveServo(to angle: Int?, after delay: Duration) {
        later(delay) { $0.post(ServoMoved(pin: 13, isAttached: angle != nil, angle: angle)) }
    }

    func write(_ write: FakeWrite) -> FakeAnswer {
        faults = []
        if cut.take() != nil {
            isOn = false
            post(PowerSwitched(isOn: false))
        }
        return onWrite(self, write)
    }

    /// Prints a line.
    func print(_ line: String, after delay: Duration) {
        printText(line + "\r\n", after: delay)
    }

    /// Prints text that need not end a line.
    func printText(_ text: String, after delay: Duration) {
        later(delay) { $0.events.post(.console(Array(text.utf8))) }
    }

    func panic(_ message: String, after delay: Duration) {
        later(delay) { $0.post(PanicDetected(message)) }
    }

    func hang(_ message: String, after delay: Duration) {
        later(delay) { $0.post(WatchdogResetDetected(message)) }
    }

    /// Unplugs the centrals' adapter: every operation fails from then on.
    func unplug() {
        isUnplugged = true
    }

    /// Lets every later disconnection of the centrals' stack hang.
    func hangDisconnects() {
        disconnectsHang = true
    }

    /// Plugs the adapter in again; its former connections are lost.
    func plugIn() {
        isUnplugged = false
    }

    func notify(_ value: [UInt8], central: Int = 0, isIndication: Bool = false, after delay: Duration) {
        let central = centrals[central]
        later(delay) { _ in
            central.assumeIsolated { $0.send(value, isIndication: isIndication) }
        }
    }

    func drop(reason: UInt8, central: Int = 0, after delay: Duration) {
        let central = centrals[central]
        central.assumeIsolated { $0.drop(reason: reason, after: delay) }
    }

    func dropAll(reason: UInt8, after delay: Duration) {
        for central in centrals.indices { drop(reason: reason, central: central, after: delay) }
    }

    private func post(_ payload: some EventPayload) {
        events.post(.event(BenchEvent(time: executor.now, source: "board", payload: payload)))
    }

    private func later(_ delay: Duration, _ body: @escaping @Sendable (isolated FakeBench) -> Void) {
        executor.schedule(at: executor.now.advanced(by: delay)) { self.assumeIsolated(body) }
    }
}
