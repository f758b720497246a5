public import BLEPackets
import BenchExecutor
import BenchModel
import MonotonicTime

/// Faults on the air, and cuts of the power at events.
extension BenchSession {
    private func air() throws -> any AirControl {
        guard let air = bench.air else { throw UnsupportedByBench(.airControl) }
        return air
    }

    /// Plans a fault on the air; `description` is what the timeline shows.
    @discardableResult
    public func plan(_ fault: PDUFault, _ description: String) async throws(BenchFailure) -> PlannedPoint {
        let point = addPoint(isPowerCut: false)
        record("suite", FaultPlanned("planned: \(description)"))
        try await ask("a fault to be planned") { try await air().plan(fault, number: point.number) }
        return point
    }

    /// Removes the planned faults, and restores loss and path loss.
    public func clearFaults() async throws(BenchFailure) {
        record("suite", FaultPlanned("cleared"))
        plannedPoints.removeAll { !$0.isPowerCut }
        try await ask("the faults to be cleared") { try await air().clearFaults() }
    }

    /// Sets packet loss and path loss between the board and all centrals; `nil` leaves one as it is.
    ///
    /// - Parameters:
    ///   - loss: percent, 0...100.
    ///   - pathLoss: dB, 0...200.
    public func setAir(loss: Int?, pathLoss: Int?) async throws(BenchFailure) {
        try check(loss ?? 0, in: 0...100, "a packet loss in percent")
        try check(pathLoss ?? 0, in: 0...200, "a path loss in dB")
        try await ask("the air to be set") { try await air().setAir(loss: loss, pathLoss: pathLoss) }
    }

    /// Cuts the power at an event of the air or the storage, once.
    @discardableResult
    public func cutPower(at point: PowerCut) async throws(BenchFailure) -> PlannedPoint {
        cutLine = nil
        let planned = addPoint(isPowerCut: true)
        try await ask("a cut of the power to be planned") { try await air().cutPower(at: point) }
        return planned
    }

    /// Cuts the power when a console line is complete, once.
    @discardableResult
    public func cutPower(atLine pattern: ConsolePattern) throws(BenchFailure) -> PlannedPoint {
        if case .regex(let text) = pattern { _ = try regex(text) }
        cutLine = pattern
        return addPoint(isPowerCut: true)
    }

    func check(_ value: Int, in range: ClosedRange<Int>, _ what: String) throws(BenchFailure) {
        guard !range.contains(value) else { return }
        throw BenchFailure(
            .suite, expected: "\(what) of \(range.lowerBound)...\(range.upperBound)", got: "\(value)")
    }

    private func addPoint(isPowerCut: Bool) -> PlannedPoint {
        lastPoint += 1
        let point = PlannedPoint(number: lastPoint, isPowerCut: isPowerCut)
        plannedPoints.append(point)
        return point
    }

    /// Cuts the power as soon as everything of this instant has happened.
    func cutPower() {
        cutLine = nil
        let board = bench.board
        executor.post {
            self.assumeIsolated { session in
                do {
                    try board.assumeIsolated { try $0.cutPower() }
                    session.powerLost(session.record("board", PowerSwitched(isOn: false)))
                } catch {
                    session.terminate(
                        BenchFailure(.benchFault, expected: "the board's power to be cut", got: "\(error)"))
                }
            }
        }
    }

    /// Faults and power cuts that were planned and did not occur: a case that relies on one has proven nothing.
    public func pointsToCome() async -> [PlannedPoint] {
        guard !plannedPoints.isEmpty else { return [] }
        let missing = await bench.air?.faultsToCome() ?? []
        return plannedPoints.filter { $0.isPowerCut || missing.contains($0.number) }
    }

    /// Whether the bench listens to pairings, for ``overheardPasskey()``.
    public func setEavesdropping(_ isOn: Bool) async {
        await bench.air?.setEavesdropping(isOn)
    }

    /// The passkey that the last passkey entry with the board gave away on the air.
    public func overheardPasskey() async throws(BenchFailure) -> UInt32 {
        guard let passkey = await bench.air?.overheardPasskey() else {
            throw BenchFailure(
                .assertion, expected: "a passkey entry with the board that could be overheard before",
                got: "none that went through all 20 rounds on an unencrypted link")
        }
        return passkey
    }
}

/// A fault or a cut of the power that has been planned.
public struct PlannedPoint: Hashable, Sendable {
    /// Its number, counted over the session.
    public let number: Int
    /// Whether it is the cut of the power.
    public let isPowerCut: Bool
}
