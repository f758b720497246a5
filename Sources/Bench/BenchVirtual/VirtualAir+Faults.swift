import BLEHost
import BLEPackets
import BLERadio
import Bench
import BenchExecutor
import BenchModel
import MonotonicTime

extension VirtualAir: AirControl {
    /// The virtual air has every ability.
    nonisolated var airAbilities: Set<BenchAbility> { [.airControl, .powerCut, .eavesdropping, .simulation] }

    /// Plans a cut of a board's supply at an event.
    func cutPower(of board: BoardID, at point: PowerCut) async {
        withBoard(board) { $0.cut = point }
        await observeRadio()
    }

    // MARK: The air

    var connections: [AirConnection] {
        get async {
            await radio.connections.map { link in
                AirConnection(
                    central: placed(link.central), peripheral: placed(link.peripheral), strength: link.strength)
            }
        }
    }

    private func placed(_ controller: ControllerID) -> BoardID? {
        boards.firstIndex { $0.controller == controller }.map(BoardID.init(index:))
    }

    /// Plans a fault on the links of a board.
    func plan(_ fault: PDUFault, number: Int, at board: BoardID) async {
        let controller = boards[board.index].controller
        faults[number] = await radio.add(fault, at: controller)
    }

    /// The numbers of the faults that have not occurred yet.
    func faultsToCome() async -> Set<Int> {
        var numbers: Set<Int> = []
        for (number, fault) in faults where await radio.hits(of: fault) == 0 { numbers.insert(number) }
        return numbers
    }

    /// Removes all faults, and restores loss and path loss.
    func clearFaults() async {
        for fault in faults.values { await radio.remove(fault) }
        faults.removeAll()
        for board in boards.indices { withBoard(BoardID(index: board)) { $0.path = RadioPath() } }
        applyPaths()
    }

    /// Sets packet loss and path loss between a board, or every board, and all other devices.
    func setAir(loss: Int?, pathLoss: Int?, at board: BoardID?) async {
        for id in board.map({ [$0] }) ?? boards.indices.map(BoardID.init(index:)) {
            withBoard(id) { board in
                if let loss { board.path.lossRate = Double(loss) / 100 }
                if let pathLoss { board.path.pathLoss = pathLoss }
            }
        }
        applyPaths()
    }

    /// Applies each board's path to its links with centrals, and the worse of two boards' paths to the links between
    /// them.
    func applyPaths() {
        for (index, board) in boards.enumerated() {
            guard let controller = board.controller else { continue }
            for central in centrals { set(board.path, between: controller, and: central) }
            for other in boards[(index + 1)...] {
                guard let controllerOfOther = other.controller else { continue }
                let path = RadioPath(
                    pathLoss: max(board.path.pathLoss, other.path.pathLoss),
                    lossRate: max(board.path.lossRate, other.path.lossRate))
                set(path, between: controller, and: controllerOfOther)
            }
        }
    }

    private func set(_ path: RadioPath, between one: ControllerID, and other: ControllerID) {
        radio.assumeIsolated { $0.setPath(path, between: one, and: other) }
    }

    // MARK: Eavesdropping

    /// Starts or stops an eavesdropper near each board; the eavesdropper receives the board's pairings.
    func setEavesdropping(_ isOn: Bool) async {
        isEavesdropping = isOn
        for board in boards.indices {
            withBoard(BoardID(index: board)) { $0.eavesdropper = isOn ? PasskeyEavesdropper() : nil }
        }
        await observeRadio()
    }

    /// The passkey that was last overheard near a board.
    func overheardPasskey(near board: BoardID) -> UInt32? {
        boards[board.index].eavesdropper?.passkey
    }

    /// Passes a packet of a board to the eavesdropper near the board.
    func overhear(_ seen: Radio.Observation) {
        guard isEavesdropping, let board = board(of: seen.controller) else { return }
        withBoard(board) { $0.eavesdropper?.observe(seen.packet, isFromHost: seen.isFromHost, now: seen.time) }
    }

    // MARK: The cut of the power

    /// Cuts the power once all other events of this instant have occurred.
    private func cutPowerNow(of id: BoardID) {
        withBoard(id) { $0.cut = nil }
        executor.post {
            self.assumeIsolated { air in
                guard let board = air.boards[id.index].board else { return }
                try? board.assumeIsolated { try $0.cutPower() }
                board.events.post(
                    .event(
                        BenchEvent(
                            time: air.executor.now, source: BenchBoard.onlyName, payload: PowerSwitched(isOn: false))))
            }
        }
    }

    /// Counts received PDUs: with a single board, those of all hosts; with several boards, only those that the board
    /// receives.
    func checkPowerCut(_ seen: Radio.Observation) {
        guard let board = boards.count > 1 ? board(of: seen.controller) : .first, boards.indices.contains(board.index),
            case .pdu(var point) = boards[board.index].cut, !seen.isFromHost, seen.packet.startsFrame,
            point.kind.matches(firstPacket: seen.packet.bytes)
        else { return }
        let sender: HCIRole = centrals.contains(seen.controller) ? .peripheral : .central
        guard boards.count > 1 || point.sender ?? sender == sender else { return }
        point.occurrence -= 1
        withBoard(board) { $0.cut = .pdu(point) }
        if point.occurrence == 0 { cutPowerNow(of: board) }
    }

    /// Handles a change of a board's storage, which the chip completes at `end`.
    func storageWritten(of board: BoardID, until end: MonotonicInstant) {
        guard boards.indices.contains(board.index), case .storageWrite(let remaining) = boards[board.index].cut else {
            return
        }
        withBoard(board) { $0.cut = remaining == 1 ? nil : .storageWrite(remaining - 1) }
        guard remaining == 1 else { return }
        let half = executor.now.duration(to: end) / 2
        executor.schedule(at: executor.now.advanced(by: half)) { self.assumeIsolated { $0.cutPowerNow(of: board) } }
    }
}

extension PowerCut {
    var isPDU: Bool {
        if case .pdu = self { true } else { false }
    }
}
