public import BLECore
import BenchModel
import Console
import MonotonicTime

/// The supply, buttons, console and storage of a board: the only one, or one of several.
extension BenchSession {
    func part(_ board: BoardID) -> any Board { bench.boards[board.index].board }

    private func source(_ board: BoardID) -> String { boards[board.index].source }

    /// Switches the board's supply. Switching off discards the board's earlier events, but neither the disconnections
    /// that it causes nor the events of other boards.
    public func setPower(_ isOn: Bool, of board: BoardID = .first) async throws(BenchFailure) {
        record(source(board), PowerSwitched(isOn: isOn))
        if !isOn { forgetEvents(of: board) }
        try await ask("\(boards[board.index].power) to be switched") { try await part(board).setPower(isOn) }
        guard !isOn else { return }
        boards[board.index].restartConsole()
        forgetEvents(of: board) { $0 is Disconnected }
    }

    /// Switches the supply off and on.
    public func cyclePower(of board: BoardID = .first) async throws(BenchFailure) {
        try await setPower(false, of: board)
        await advance(by: Self.powerOffTime)
        try await setPower(true, of: board)
    }

    /// Lowers the supply's voltage for a moment; the board's events so far are discarded.
    public func brownOut(_ board: BoardID = .first) async throws(BenchFailure) {
        forgetEvents(of: board)
        record(source(board), BrownoutCaused())
        try await ask("a brownout\(boards[board.index].ofBoard)") { try await part(board).brownOut() }
    }

    /// Resets the board by its EN pin; its events so far are discarded.
    public func reset(_ board: BoardID = .first) async throws(BenchFailure) {
        forgetEvents(of: board)
        boards[board.index].restartConsole()
        record(source(board), BoardReset())
        try await ask("\(boards[board.index].words) to be reset") { try await part(board).reset() }
    }

    /// Restores the state after flashing, without connections and bonds, and starts all boards in their order.
    public func restore() async throws(BenchFailure) {
        let ids = boards.indices.map(BoardID.init(index:))
        let hasPower = bench.abilities.contains(.power)
        if hasPower {
            for board in ids { try await setPower(false, of: board) }
        }
        if ids.count > 1 { log.clear { $0 is Disconnected } }
        consoleHistory.removeAll(keepingCapacity: true)
        plannedPoints.removeAll(keepingCapacity: true)
        for index in boards.indices { boards[index].cutLine = nil }
        try await ask("the bench to be made as it was") {
            for board in ids {
                try await part(board).restore()
                boards[board.index].heldButtons = []
            }
            try await bench.air?.clearFaults()
            await bench.air?.endSimulations()
        }
        await restoreCentrals()
        guard hasPower else {
            for board in ids { try await reset(board) }
            return
        }
        await advance(by: Self.powerOffTime)
        for board in ids { try await setPower(true, of: board) }
    }

    /// Deletes the bonds of every central. If their number is limited, the next case's centrals reuse the stacks. A
    /// failed stack is created again when its central is next used.
    private func restoreCentrals() async {
        for index in centrals.indices { centrals[index].lostLink = nil }
        let haveLostStacks = hasLostStack
        let isLimited = bench.centrals.limit != nil || !bench.abilities.contains(.severalCentrals)
        for index in centrals.indices where centrals[index].central != nil {
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

    /// Switches the supply off and on; erases the NVS in between if `erasesNVS` is true.
    public func reboot(_ board: BoardID = .first, erasesNVS: Bool) async throws(BenchFailure) {
        try await setPower(false, of: board)
        if erasesNVS {
            record(source(board), StorageChanged("erased"))
            try await ask("the NVS\(boards[board.index].ofBoard) to be erased") {
                try await storage(of: board).eraseNVS()
            }
        }
        await advance(by: Self.powerOffTime)
        try await setPower(true, of: board)
    }

    /// Presses or releases the button that pulls `pin` to ground.
    ///
    /// - Parameter pin: the GPIO number, 0...48.
    /// - Throws: also if the firmware cannot notice the button, because the pin is not one of its inputs.
    public func setButton(
        pin: Int, isPressed: Bool, of board: BoardID = .first
    ) async throws(BenchFailure) {
        try check(pin, in: 0...48, "a pin")
        if isPressed { log.beginAction() }
        record(source(board), ButtonChanged(pin: pin, isPressed: isPressed))
        var unnoticed: ButtonWithoutEffect?
        try await ask("a button\(boards[board.index].ofBoard) to be \(isPressed ? "pressed" : "released")") {
            do {
                try await part(board).setButton(pin: pin, isPressed: isPressed)
            } catch let error as ButtonWithoutEffect {
                unnoticed = error
            }
        }
        if let unnoticed {
            throw BenchFailure(
                .assertion, expected: "the firmware\(boards[board.index].ofBoard) to notice the button on pin \(pin)",
                got: unnoticed.description)
        }
        if isPressed {
            boards[board.index].heldButtons.insert(pin)
        } else {
            boards[board.index].heldButtons.remove(pin)
        }
    }

    /// A button that is held, or a part that was set, although the running firmware cannot notice it; `nil`: there is
    /// none, or it is not known which pins are inputs. The button of a strapping pin may be meant for the chip's start.
    public func heldWithoutEffect() async -> BenchFailure? {
        for (index, board) in boards.enumerated() {
            if let unnoticed = await bench.boards[index].world?.unnoticedPart {
                return BenchFailure(
                    .assertion, expected: "the firmware\(board.ofBoard) to notice '\(unnoticed.part)'",
                    got: unnoticed.reason)
            }
            guard !board.heldButtons.isEmpty, let instruments = bench.boards[index].instruments,
                await part(BoardID(index: index)).tasks() != nil
            else { continue }
            let inputs = await instruments.inputPins
            guard let pin = board.heldButtons.sorted().first(where: { $0 != 0 && !inputs.contains($0) }) else {
                continue
            }
            return BenchFailure(
                .assertion, expected: "the firmware\(board.ofBoard) to notice the button held on pin \(pin)",
                got: "pin \(pin) is not an input: the sketch has not called pinMode(\(pin), INPUT_PULLUP)")
        }
        return nil
    }

    /// Presses the button that pulls `pin` to ground for a time.
    public func pressButton(
        pin: Int, for duration: Duration, of board: BoardID = .first
    ) async throws(BenchFailure) {
        try await setButton(pin: pin, isPressed: true, of: board)
        await advance(by: duration)
        try await setButton(pin: pin, isPressed: false, of: board)
    }

    /// Sends a line to the board's console.
    public func type(_ line: String, to board: BoardID = .first) async throws(BenchFailure) {
        log.beginAction()
        record(boards[board.index].consoleSource, ConsoleLineSent(line))
        try await ask("the console\(boards[board.index].ofBoard) to take a line") {
            try await part(board).type(Array(line.utf8) + [UInt8(ascii: "\n")])
        }
    }

    /// Makes the far end of a UART beside the console send bytes, at the UART's rate.
    public func send(_ bytes: [UInt8], uart: Int, of board: BoardID = .first) async throws(BenchFailure) {
        log.beginAction()
        record(source(board), UARTBytesSent(port: uart, bytes: bytes))
        try await ask("UART \(uart)\(boards[board.index].ofBoard) to take \(bytes.count) bytes") {
            try await part(board).send(bytes, uart: uart)
        }
    }

    /// Sets whether the far end of a UART sends only while the board asserts RTS, and whether the far end asserts CTS.
    public func wire(
        uart: Int, watchesRTS: Bool? = nil, clearToSend: Bool? = nil, of board: BoardID = .first
    ) async throws(BenchFailure) {
        try await ask("UART \(uart)\(boards[board.index].ofBoard) to be wired") {
            try await part(board).wire(uart: uart, watchesRTS: watchesRTS, clearToSend: clearToSend)
        }
    }

    /// Records the unfinished console line of each board: a failure's context shows it.
    public func recordUnfinishedLine() {
        for board in boards {
            let beginning = board.lines.partialLine
            guard !beginning.allSatisfy(\.isWhitespace) else { continue }
            record(board.consoleSource, ConsoleLineUnfinished(beginning))
        }
    }

    // MARK: What the firmware stores

    private func storage(of board: BoardID) throws -> any BoardStorage {
        guard let storage = bench.boards[board.index].storage else { throw UnsupportedByBench(.boardStorage) }
        return storage
    }

    /// The identity addresses of the centrals that the board has bonds with, the oldest first.
    public func boardBonds(
        of board: BoardID = .first, _ expected: String? = nil
    ) async throws(BenchFailure) -> [DeviceAddress] {
        do {
            return try await storage(of: board).bonds()
        } catch {
            throw BenchFailure(
                .benchFault, expected: expected ?? "the bonds of \(boards[board.index].words)", got: "\(error)")
        }
    }

    /// Deletes the board's bond with a central, or all bonds, without notifying the firmware.
    public func forgetBoardBonds(
        of board: BoardID = .first, with central: CentralID?
    ) async throws(BenchFailure) {
        var peer: DeviceAddress?
        if let central { peer = try await identity(of: central) }
        try await forgetBonds(of: board, with: peer, named: central.map { name(of: $0) })
    }

    /// Deletes the board's bond with another board without notifying the firmware.
    public func forgetBoardBonds(of board: BoardID, with peer: BoardID) async throws(BenchFailure) {
        try await forgetBonds(of: board, with: try address(of: peer), named: boards[peer.index].name)
    }

    private func forgetBonds(
        of board: BoardID, with peer: DeviceAddress?, named name: String?
    ) async throws(BenchFailure) {
        record(source(board), BondsDeleted(name ?? "everyone"))
        try await ask("\(boards[board.index].words) to forget") {
            try await storage(of: board).forgetBonds(with: peer)
        }
    }

    /// The public address of a board: its identity, unless its sketch uses another address.
    public func address(of board: BoardID) throws(BenchFailure) -> DeviceAddress {
        if let address = part(board).bluetoothAddress { return address }
        throw BenchFailure(
            .benchFault, expected: "the Bluetooth address of \(boards[board.index].words)",
            got: "the bench does not know it")
    }
}
