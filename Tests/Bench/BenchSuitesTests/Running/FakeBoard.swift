import BLECore
import Bench
import BenchExecutor
import BenchModel
import MonotonicTime

/// A board beside the fake bench's own: what it is asked for it repeats on its console, and it does what a line typed into
/// it says: `panic`, `hang`, `servo 90`, `prompt`.
actor FakeBoard {
    nonisolated let name: String
    nonisolated let executor: BenchExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated let events: EventPort<BoardEvent>
    private var peers: [DeviceAddress] = []

    init(_ name: String, _ executor: BenchExecutor) {
        self.name = name
        self.executor = executor
        events = EventPort(executor)
    }

    private func say(_ text: String) {
        executor.schedule(at: executor.now.advanced(by: .milliseconds(1))) {
            self.events.post(.console(Array(text.utf8)))
        }
    }

    private func post(_ payload: some EventPayload) {
        events.post(.event(BenchEvent(time: executor.now, source: BenchBoard.onlyName, payload: payload)))
    }
}

extension FakeBoard: Board, BoardStorage {
    nonisolated var abilities: Set<BenchAbility> {
        [
            .power, .reset, .flash, .console, .buttons, .bootButton, .servo, .outputPins, .centralAddresses,
            .severalCentrals,
        ]
    }

    nonisolated var bluetoothAddress: DeviceAddress? { DeviceAddress(0x24_0A_C4_00_00_02, .public) }

    func restore() { peers = [DeviceAddress(0xC0EB_0000_0001, .random)] }

    func setPower(_ isOn: Bool) {
        if isOn { say("\(name) is on\r\n") }
    }

    func cutPower() {}

    func reset() { say("\(name) is reset\r\n") }

    func setButton(pin: Int, isPressed: Bool) { say("pin \(pin) \(isPressed ? "low" : "high")\r\n") }

    func type(_ bytes: [UInt8]) {
        let line = String(decoding: bytes.dropLast(), as: UTF8.self)
        let words = line.split(separator: " ")
        switch words.first {
        case "panic":
            post(PanicDetected("Guru Meditation Error: Core  1 panic'ed (LoadProhibited)"))
            say("Backtrace: 0x400d1234:0x3ffb1f80\r\n")
        case "hang": post(WatchdogResetDetected("Task watchdog got triggered"))
        case "servo": post(ServoMoved(pin: 13, isAttached: true, angle: words.last.flatMap { Int($0) }))
        case "prompt": say("> ")
        default: say("typed \(line)\r\n")
        }
    }

    func eraseNVS() { say("erased\r\n") }

    func bonds() -> [DeviceAddress] { peers }

    func forgetBonds(with peer: DeviceAddress?) { peers.removeAll { peer == nil || peer == $0 } }
}
