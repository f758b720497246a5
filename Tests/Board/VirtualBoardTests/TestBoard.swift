import MonotonicTime
import SerialPort
import Simulation
import VirtualBoard

/// A ``BoardMachine`` on a simulation, with its serial line, as the whole board joins them; applications are not run.
actor TestBoard: BoardLineOwner {
    nonisolated let simulation: Simulation
    nonisolated var unownedExecutor: UnownedSerialExecutor { simulation.asUnownedSerialExecutor() }
    let machine: BoardMachine
    private(set) var notes: [BoardMachine.Note] = []
    private var alarm: Alarm
    private var attachedLine: BoardLine?

    init(on simulation: Simulation, timing: FlashTiming = .typical) throws {
        self.simulation = simulation
        let size = 4 << 20
        let flash = try NORFlash(path: nil, size: size, timing: timing, random: SeededRandom(seed: 1))
        machine = BoardMachine(
            flash: flash, identity: ChipIdentity(number: 0x0102_0304, flashSize: size), key: nil)
        alarm = Alarm(simulation)
    }

    func powerOn() -> BoardLine {
        let line = BoardLine("virtual", owner: self, on: simulation)
        attachedLine = line
        machine.powerOn(at: simulation.now)
        settle()
        return line
    }

    func flashBytes(_ offset: Int, _ count: Int) throws -> [UInt8] {
        try machine.flash.read(at: offset, count: count)
    }

    func lineReceived(_ bytes: [UInt8], hasModemLines: Bool) {
        machine.receive(bytes, hasModemLines: hasModemLines, at: simulation.now)
        settle()
    }

    func lineChanged(_ lines: ModemLines) {
        machine.setModemLines(lines, at: simulation.now)
        settle()
    }

    func lineLeft(hasModemLines: Bool) {
        machine.clientLeft(hasModemLines: hasModemLines, at: simulation.now)
        settle()
    }

    private func settle() {
        for action in machine.takeActions() {
            switch action {
            case .send(let bytes): attachedLine?.assumeIsolated { $0.deliver(bytes) }
            case .note(let note): notes.append(note)
            case .startApplication, .stopApplication, .deliver: break
            }
        }
        alarm.set(machine.nextDeadline) { [weak self] in self?.assumeIsolated { $0.wake() } }
    }

    private func wake() {
        alarm.fired()
        machine.advance(to: simulation.now)
        settle()
    }
}
