import BenchExecutor
import BenchModel
public import BLEDescriptions
public import BLEPackets
public import BoardParts
import MonotonicTime

/// Faults on the air, and cuts of the power at events.
extension BenchSession {
    private func air() throws -> any AirControl {
        guard let air = bench.air else { throw UnsupportedByBench(.airControl) }
        return air
    }

    /// Plans a fault on the air; `description` is what the timeline shows.
    @discardableResult
    public func plan(
        _ fault: PDUFault, _ description: String, at board: BoardID = .first
    ) async throws(BenchFailure) -> PlannedPoint {
        let point = addPoint(board, isPowerCut: false)
        record("suite", FaultPlanned("planned: \(description)"))
        try await ask("a fault to be planned") { try await air().plan(fault, number: point.number, at: board) }
        return point
    }

    /// Plans a fault of a part on an I²C bus; `description` is what the timeline shows.
    @discardableResult
    public func plan(
        _ fault: BusFault, of part: String, _ description: String, at board: BoardID = .first
    ) async throws(BenchFailure) -> PlannedPoint {
        guard let world = bench.boards[board.index].world else {
            throw BenchFailure(.benchFault, expected: description, got: UnsupportedByBench(.parts).description)
        }
        let point = addPoint(board, isPowerCut: false)
        record("suite", FaultPlanned("planned: \(description)"))
        try await ask("a fault of '\(part)' to be planned") {
            try await world.plan(fault, of: part, number: point.number)
        }
        return point
    }

    /// Removes the planned faults of the air and of buses, and restores loss and path loss.
    public func clearFaults() async throws(BenchFailure) {
        record("suite", FaultPlanned("cleared"))
        plannedPoints.removeAll { !$0.isPowerCut }
        var reasons: [String] = []
        for board in bench.boards {
            reasons += await board.world?.busFaultsToCome().sorted { $0.key < $1.key }.map(\.value) ?? []
            await board.world?.clearBusFaults()
        }
        try await ask("the faults to be cleared") { try await bench.air?.clearFaults() }
        if let reason = reasons.first {
            throw BenchFailure(
                .assertion, expected: "the fault of the bus to come before it is removed", got: "it did not: \(reason)")
        }
    }

    /// Sets packet loss and path loss between a board and all other devices; `nil`: unchanged.
    ///
    /// - Parameters:
    ///   - board: the board; `nil`: every board.
    ///   - loss: percent, 0...100.
    ///   - pathLoss: dB, 0...200.
    public func setAir(loss: Int?, pathLoss: Int?, at board: BoardID? = nil) async throws(BenchFailure) {
        try check(loss ?? 0, in: 0...100, "a packet loss in percent")
        try check(pathLoss ?? 0, in: 0...200, "a path loss in dB")
        try await ask("the air to be set") { try await air().setAir(loss: loss, pathLoss: pathLoss, at: board) }
    }

    /// Cuts the power at an event of the air or the storage, once.
    @discardableResult
    public func cutPower(
        of board: BoardID = .first, at point: PowerCut
    ) async throws(BenchFailure) -> PlannedPoint {
        boards[board.index].cutLine = nil
        let planned = addPoint(board, isPowerCut: true)
        try await ask("a cut of the power to be planned") { try await air().cutPower(of: board, at: point) }
        return planned
    }

    /// Cuts the power when a console line is complete, once.
    @discardableResult
    public func cutPower(
        of board: BoardID = .first, atLine pattern: ConsolePattern
    ) throws(BenchFailure) -> PlannedPoint {
        if case .regex(let text) = pattern { _ = try self.pattern(text) }
        boards[board.index].cutLine = pattern
        return addPoint(board, isPowerCut: true)
    }

    func check(_ value: Int, in range: ClosedRange<Int>, _ what: String) throws(BenchFailure) {
        guard !range.contains(value) else { return }
        throw BenchFailure(
            .suite, expected: "\(what) of \(range.lowerBound)...\(range.upperBound)", got: "\(value)")
    }

    private func addPoint(_ board: BoardID, isPowerCut: Bool) -> PlannedPoint {
        lastPoint += 1
        let point = PlannedPoint(number: lastPoint, board: board, isPowerCut: isPowerCut)
        plannedPoints.append(point)
        return point
    }

    /// Cuts the power once all other events of this instant have occurred.
    func cutPower(of board: BoardID) {
        boards[board.index].cutLine = nil
        let part = bench.boards[board.index].board
        executor.post {
            self.assumeIsolated { session in
                do {
                    try part.assumeIsolated { try $0.cutPower() }
                    let event = session.record(session.boards[board.index].source, PowerSwitched(isOn: false))
                    session.powerLost(event, of: board)
                } catch {
                    session.terminate(
                        BenchFailure(
                            .benchFault, expected: "\(session.boards[board.index].power) to be cut", got: "\(error)"))
                }
            }
        }
    }

    /// Faults and power cuts that were planned and did not occur; a case that depends on one of them has proven
    /// nothing.
    public func pointsToCome() async -> [PlannedPoint] {
        guard !plannedPoints.isEmpty else { return [] }
        let missing = await bench.air?.faultsToCome() ?? []
        var reasons: [Int: String] = [:]
        for board in bench.boards {
            reasons.merge(await board.world?.busFaultsToCome() ?? [:]) { reason, _ in reason }
        }
        return plannedPoints.compactMap { point in
            guard point.isPowerCut || missing.contains(point.number) || reasons[point.number] != nil else { return nil }
            var point = point
            point.reason = reasons[point.number]
            return point
        }
    }

    /// Starts or stops listening to pairings, for ``overheardPasskey()``.
    public func setEavesdropping(_ isOn: Bool) async {
        await bench.air?.setEavesdropping(isOn)
    }

    /// The passkey that the eavesdropper learned from the last passkey entry with a board.
    public func overheardPasskey(near board: BoardID = .first) async throws(BenchFailure) -> UInt32 {
        guard let passkey = await bench.air?.overheardPasskey(near: board) else {
            throw BenchFailure(
                .assertion,
                expected: "an earlier passkey entry with \(boards[board.index].words) that could be overheard",
                got: "none that went through all 20 rounds on an unencrypted link")
        }
        return passkey
    }
}

/// A planned fault or power cut.
public struct PlannedPoint: Hashable, Sendable {
    /// The number of the fault or power cut, counted over the session.
    public let number: Int
    /// The board that it concerns.
    public let board: BoardID
    /// True if it is a power cut.
    public let isPowerCut: Bool
    /// Why it has not come, if known.
    public var reason: String?

    /// The outcome, as a failure shows it.
    public var got: String { "it did not" + (reason.map { ": \($0)" } ?? "") }

    /// Equality by number.
    public static func == (one: PlannedPoint, other: PlannedPoint) -> Bool { one.number == other.number }

    /// The hash of the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// Described peripherals beside the boards.
extension BenchSession {
    /// Simulates a described peripheral until the next case.
    ///
    /// - Parameters:
    ///   - name: its device name; `nil`: the description's.
    ///   - values: what values are or follow, by SERVICE.VALUE.
    public func simulate(
        _ description: PeripheralDescription, name: String? = nil, values: [(path: String, wave: Wave)] = []
    ) async throws(BenchFailure) {
        record("suite", PeripheralSimulated("\(description.name) on the air"))
        try await ask("\(description.name) to be simulated") {
            try await simulator().simulate(description, name: name, values: values)
        }
    }

    /// Sets values of a simulated peripheral.
    ///
    /// - Parameters:
    ///   - values: by SERVICE.VALUE.
    ///   - description: the name of its description.
    public func setSimulated(
        _ values: [(path: String, wave: Wave)], of description: String
    ) async throws(BenchFailure) {
        for (path, wave) in values { record("suite", PeripheralSimulated("\(path) = \(wave)")) }
        try await ask("values of the simulated \(description) to be set") {
            try await simulator().setSimulated(values, of: description)
        }
    }

    private func simulator() throws -> any AirControl {
        guard let air = bench.air, bench.abilities.contains(.simulation) else { throw UnsupportedByBench(.simulation) }
        return air
    }
}
