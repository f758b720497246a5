public import BLECore
import BenchModel
import Console
import MonotonicTime

/// The board's supply, buttons, console and storage.
extension BenchSession {
    /// Switches the board's supply; what happened so far is forgotten when it goes off. The ends of links that come while
    /// it goes off are not: they are its effect.
    public func setPower(_ isOn: Bool) async throws(BenchFailure) {
        record("board", PowerSwitched(isOn: isOn))
        if !isOn { log.clear() }
        try await ask("the board's power to be switched") { try await bench.board.setPower(isOn) }
        guard !isOn else { return }
        lines = LineAssembler()
        log.clear { $0 is Disconnected }
    }

    /// Cuts the supply and gives it again.
    public func cyclePower() async throws(BenchFailure) {
        try await setPower(false)
        await advance(by: Self.powerOffTime)
        try await setPower(true)
    }

    /// Lets the supply's voltage drop for a moment; what happened so far is forgotten.
    public func brownOut() async throws(BenchFailure) {
        log.clear()
        record("board", BrownoutCaused())
        try await ask("a brownout") { try await bench.board.brownOut() }
    }

    /// Resets the board by its EN pin; what happened so far is forgotten.
    public func reset() async throws(BenchFailure) {
        log.clear()
        lines = LineAssembler()
        record("board", BoardReset())
        try await ask("the board to be reset") { try await bench.board.reset() }
    }

    /// Makes the bench as it was when the board had just been flashed, nobody connected and no bonds, and starts the
    /// board.
    public func restore() async throws(BenchFailure) {
        let hasPower = bench.abilities.contains(.power)
        if hasPower { try await setPower(false) }
        consoleHistory.removeAll(keepingCapacity: true)
        plannedPoints.removeAll(keepingCapacity: true)
        cutLine = nil
        try await ask("the bench to be made as it was") {
            try await bench.board.restore()
            try await bench.air?.clearFaults()
        }
        await restoreCentrals()
        guard hasPower else { return try await reset() }
        await advance(by: Self.powerOffTime)
        try await setPower(true)
    }

    /// Deletes the bonds of every central. Where their number is limited, the next case's centrals get their stacks. A
    /// stack that does not work any more concerns only who uses its central: it is made anew then.
    private func restoreCentrals() async {
        for index in centrals.indices { centrals[index].lostLink = nil }
        let haveLostStacks = hasLostStack
        let isLimited = bench.centrals.limit != nil || !bench.abilities.contains(.severalCentrals)
        for index in centrals.indices where centrals[index].backend != nil {
            do throws(BenchFailure) {
                if !haveLostStacks {
                    try await forgetBonds(of: index)
                    if isLimited { centrals[index] = CentralState(description: centrals[index].description) }
                    continue
                }
            } catch {}
            centrals[index] = CentralState(description: centrals[index].description, mustForgetBonds: true)
        }
        hasLostStack = false
        await bench.centrals.releaseCentrals()
    }

    /// Cuts the supply and gives it again, with the NVS erased between where asked.
    public func reboot(erasesNVS: Bool) async throws(BenchFailure) {
        try await setPower(false)
        if erasesNVS {
            record("board", StorageChanged("erased"))
            try await ask("the NVS to be erased") { try await storage().eraseNVS() }
        }
        await advance(by: Self.powerOffTime)
        try await setPower(true)
    }

    /// Presses or releases the button that pulls `pin` to ground.
    ///
    /// - Parameter pin: the GPIO number, 0...48.
    public func setButton(pin: Int, isPressed: Bool) async throws(BenchFailure) {
        try check(pin, in: 0...48, "a pin")
        record("board", ButtonChanged(pin: pin, isPressed: isPressed))
        try await ask("a button to be \(isPressed ? "pressed" : "released")") {
            try await bench.board.setButton(pin: pin, isPressed: isPressed)
        }
    }

    /// Presses the button that pulls `pin` to ground for a time.
    public func pressButton(pin: Int, for duration: Duration) async throws(BenchFailure) {
        try await setButton(pin: pin, isPressed: true)
        await advance(by: duration)
        try await setButton(pin: pin, isPressed: false)
    }

    /// Sends a line to the board's console.
    public func type(_ line: String) async throws(BenchFailure) {
        record("console", ConsoleLineSent(line))
        try await ask("the console to take a line") {
            try await bench.board.type(Array(line.utf8) + [UInt8(ascii: "\n")])
        }
    }

    /// Records a console line that has begun and not ended, if there is one: a failure's context shows it.
    public func recordUnfinishedLine() {
        let beginning = lines.partialLine
        guard !beginning.allSatisfy(\.isWhitespace) else { return }
        record("console", ConsoleLineUnfinished(beginning))
    }

    // MARK: What the firmware stores

    private func storage() throws -> any BoardStorage {
        guard let storage = bench.storage else { throw UnsupportedByBench(.boardStorage) }
        return storage
    }

    /// The identity addresses of the centrals that the board has bonds with, the oldest first.
    public func boardBonds(_ expected: String = "the bonds of the board") async throws(BenchFailure) -> [DeviceAddress]
    {
        do {
            return try await storage().bonds()
        } catch {
            throw BenchFailure(.benchFault, expected: expected, got: "\(error)")
        }
    }

    /// Deletes the board's bond with a central, or all, behind the firmware's back.
    public func forgetBoardBonds(with central: CentralID?) async throws(BenchFailure) {
        var peer: DeviceAddress?
        if let central { peer = try await identity(of: central) }
        record("board", BondsDeleted(central.map { centrals[$0.index].description.name } ?? "everyone"))
        let address = peer
        try await ask("the board to forget") { try await storage().forgetBonds(with: address) }
    }
}
