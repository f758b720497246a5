import ESPChips
import MonotonicTime
import SerialPort
import BenchExecutor
import VirtualBoard

/// A ``BoardMachine`` on an executor, with its serial line, connected as in the complete board; applications are not
/// run.
actor TestBoard: BoardLineOwner {
    nonisolated let executor: BenchExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    let machine: BoardMachine
    let identity: ChipIdentity
    private(set) var chipEvents: [BoardMachine.ChipEvent] = []
    private var alarm: Alarm
    private var attachedLine: BoardLine?

    /// A board of `identity`, or of `chip` with an address that tests know.
    init(
        on executor: BenchExecutor, timing: FlashTiming = .typical, chip: Chip = .esp32,
        identity: ChipIdentity? = nil, pace: LoaderPace = .flash
    ) throws {
        self.executor = executor
        let size = 4 << 20
        let flash = try NORFlash(path: nil, size: size, timing: timing, random: SeededRandom(seed: 1))
        self.identity = identity ?? ChipIdentity(number: 0x0102_0304, flashSize: size, chip: chip)
        machine = BoardMachine(flash: flash, identity: self.identity, key: nil, pace: pace)
        alarm = Alarm(executor)
    }

    func powerOn() -> BoardLine {
        let line = BoardLine("virtual", owner: self, on: executor)
        attachedLine = line
        machine.powerOn(at: executor.now)
        settle()
        return line
    }

    func flashBytes(_ offset: Int, _ count: Int) throws -> [UInt8] {
        try machine.flash.read(at: offset, count: count)
    }

    func lineReceived(_ bytes: [UInt8], hasModemLines: Bool) {
        machine.receive(bytes, hasModemLines: hasModemLines, at: executor.now)
        settle()
    }

    func lineConfigured(baudRate: Int) { machine.setClientRate(baudRate) }

    func lineChanged(_ lines: ModemLines) {
        machine.setModemLines(lines, at: executor.now)
        settle()
    }

    func lineClosed(hasModemLines: Bool) {
        machine.clientClosed(hasModemLines: hasModemLines, at: executor.now)
        settle()
    }

    private func settle() {
        for action in machine.drainActions() {
            switch action {
            case .send(let bytes): attachedLine?.assumeIsolated { $0.deliver(bytes) }
            case .chip(let event): chipEvents.append(event)
            case .startApplication, .stopApplication, .deliver: break
            }
        }
        alarm.set(machine.nextDeadline) { [weak self] in self?.assumeIsolated { $0.wake() } }
    }

    private func wake() {
        alarm.fired()
        machine.advance(to: executor.now)
        settle()
    }
}
