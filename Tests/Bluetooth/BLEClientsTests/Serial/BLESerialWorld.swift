import BLECentral
import BLECentralHCI
import BLEClients
import BLECore
import BLEPeripheral
import BLERadio
import BenchExecutor
import MonotonicTime
import Synchronization
import Testing

/// A serial line's client and a board on the virtual air, in virtual time.
struct BLESerialWorld: Sendable {
    let executor: BenchExecutor
    let radio: Radio
    let board: SerialBoard
    let peripheral: BLEPeripheral
    let peripheralPort: RadioPort
    let centralPort: RadioPort
    let central: Central
    let serial: BLESerial
    let events: Events

    /// What was told.
    final class Events: Sendable {
        private let all = Mutex<[BLESerialEvent]>([])
        func add(_ event: BLESerialEvent) { all.withLock { $0.append(event) } }
        var list: [BLESerialEvent] { all.withLock { $0 } }
        var links: [ClientLink] { list.compactMap { if case .link(let link) = $0 { link } else { nil } } }
        /// Without links and openings.
        var losses: [BLESerialEvent] {
            list.filter {
                switch $0 {
                case .link, .opened, .over: false
                default: true
                }
            }
        }
    }

    static func run(
        _ settings: SerialBoard.Settings = SerialBoard.Settings(), pace: BLESerialPace = BLESerialPace(),
        lossRate: Double = 0, policy: ReconnectionPolicy = ReconnectionPolicy(tries: 10), powersOn: Bool = true,
        connects: Bool = true, _ body: @escaping @Sendable (BLESerialWorld) async throws -> Void
    ) async throws {
        let executor = BenchExecutor()
        try await executor.runOnThread(timeLimit: .seconds(36_000)) {
            let radio = Radio(executor, seed: 7)
            let board = SerialBoard(settings, executor)
            let peripheralPort = await radio.attach(address: DeviceAddress(0x240A_C4C0_0001, .public))
            let peripheral = try board.peripheral(on: peripheralPort)
            try await peripheral.start()
            let port = await radio.attach(address: DeviceAddress(0x0200_0000_0001, .public))
            await radio.setPath(RadioPath(lossRate: lossRate), between: peripheralPort.id, and: port.id)
            let central = Central(HCICentral(executor: executor, transport: port), on: executor)
            if powersOn { try await central.powerOn() }
            let serial = BLESerial(central, pace: pace, policy: policy)
            let events = Events()
            let listening = Task(executorPreference: executor) {
                for await event in await serial.events() { events.add(event) }
            }
            let world = BLESerialWorld(
                executor: executor, radio: radio, board: board, peripheral: peripheral,
                peripheralPort: peripheralPort, centralPort: port, central: central, serial: serial, events: events)
            if connects { try await world.connect() }
            try await body(world)
            await serial.disconnect()
            listening.cancel()
            await central.close()
            await peripheral.stop()
        }
        executor.discardEvents()
    }

    func sleep(_ duration: Duration) async throws { try await BenchClock(executor).sleep(for: duration) }

    func connect() async throws {
        await serial.connect()
        try await wait { $0 == .connected }
    }

    /// Waits until the connection is as `isWanted` says.
    func wait(_ isWanted: (ClientLink) -> Bool) async throws {
        for _ in 0..<10_000 where await !isWanted(serial.link) { try await sleep(.milliseconds(10)) }
        let link = await serial.link
        #expect(isWanted(link), "\(link)")
    }

    /// Takes the link away, as a board that leaves, until ``restoreLink()``.
    func cutLink() async {
        await radio.setPath(RadioPath(pathLoss: 200), between: peripheralPort.id, and: centralPort.id)
    }

    func restoreLink() async {
        await radio.setPath(RadioPath(), between: peripheralPort.id, and: centralPort.id)
    }

    /// `count` bytes received.
    func receive(_ count: Int) async throws -> [UInt8] {
        var all: [UInt8] = []
        while all.count < count { all += try await serial.read(upTo: count - all.count) }
        return all
    }
}

/// Bytes without a pattern that a shift, a repetition or a gap would keep.
func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededRandom(seed: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 32) }
}
