import BenchModel
import MonotonicTime
import BenchExecutor

/// The board's supply and buttons.
extension SuiteRunner {
    func power(_ action: PowerAction) async throws(StepFault) {
        if action != .on {
            try await switchPower(false)
        }
        if action == .cycle { await advance(by: Self.powerOffTime) }
        if action != .off {
            try await switchPower(true)
        }
    }

    func switchPower(_ isOn: Bool) async throws(StepFault) {
        record("board", .power(isOn: isOn))
        do {
            try await device.setPower(isOn)
        } catch {
            throw StepFault(.benchFault, expected: "the board's power to be switched", got: "\(error)")
        }
        if !isOn { log.clear() }
    }

    func reset() async throws(StepFault) {
        log.clear()
        record("board", .reset)
        do {
            try await device.reset()
        } catch {
            throw StepFault(.benchFault, expected: "the board to be reset", got: "\(error)")
        }
    }

    /// Makes the bench as it was when the board had just been flashed, and powers the board.
    func restore() async throws(StepFault) {
        try await switchPower(false)
        consoleHistory.removeAll(keepingCapacity: true)
        pendingPoints.removeAll(keepingCapacity: true)
        try await ask("the bench to be made as it was") { try await self.device.restore() }
        for client in sessions.keys.sorted() {
            guard let session = sessions[client] else { continue }
            try await forgetBoard(session)
        }
        await advance(by: Self.powerOffTime)
        try await switchPower(true)
    }

    func reboot(erasesNVS: Bool) async throws(StepFault) {
        try await switchPower(false)
        if erasesNVS {
            record("board", .nvs(text: "erased"))
            try await ask("the NVS to be erased") { try await self.device.eraseNVS() }
        }
        await advance(by: Self.powerOffTime)
        try await switchPower(true)
    }

    func button(_ step: ButtonStep) async throws(StepFault) {
        switch step.action {
        case .press(let time):
            try await setButton(step.pin, isPressed: true)
            await advance(by: time)
            try await setButton(step.pin, isPressed: false)
        case .hold: try await setButton(step.pin, isPressed: true)
        case .release: try await setButton(step.pin, isPressed: false)
        }
    }

    private func setButton(_ pin: Int, isPressed: Bool) async throws(StepFault) {
        record("board", .button(pin: pin, isPressed: isPressed))
        try await ask("a button to be \(isPressed ? "pressed" : "released")") {
            try await self.device.setButton(pin: pin, isPressed: isPressed)
        }
    }

    /// Has the bench do something that only a fault of its own can keep it from.
    func ask(_ expected: String, _ body: () async throws -> Void) async throws(StepFault) {
        do {
            try await body()
        } catch {
            throw StepFault(.benchFault, expected: expected, got: "\(error)")
        }
    }
}
