public import BLEPackets

/// The air between the boards and the centrals, where a bench controls it.
public protocol AirControl: Actor {
    /// What it can do.
    nonisolated var airAbilities: Set<BenchAbility> { get }

    /// Plans a fault on the links of a board, under a number for ``faultsToCome()``.
    func plan(_ fault: PDUFault, number: Int, at board: BoardID) async throws

    /// The numbers of the faults that have not come yet.
    func faultsToCome() async -> Set<Int>

    /// Removes the faults that are still to come, and restores loss and path loss.
    func clearFaults() async throws

    /// Sets how well the air carries between a board, or every board (`nil`), and all others from now on: of a hundred
    /// PDUs, `loss` are lost; a signal arrives `pathLoss` dB weaker. `nil` leaves it as it is.
    func setAir(loss: Int?, pathLoss: Int?, at board: BoardID?) async throws

    /// Cuts a board's supply at an event, once; a ``PowerSwitched`` follows.
    func cutPower(of board: BoardID, at point: PowerCut) async throws

    /// Whether an eavesdropper near each board receives its pairings from now on, for ``overheardPasskey(near:)``.
    func setEavesdropping(_ isOn: Bool) async

    /// The passkey that the last passkey entry of a board gave away on the air since the board was restored; `nil`:
    /// none did (Core 5.4, Vol 3 Part H 2.3.5.6.3).
    func overheardPasskey(near board: BoardID) async -> UInt32?
}

/// When the power is to be cut by the air or the board's storage.
public enum PowerCut: Sendable {
    /// In the middle of the n-th change of the NVS from now on, n counted from 1.
    case storageWrite(Int)
    /// When the n-th PDU of a kind from now on has been received: by either end of the board's links, or, where there
    /// are several boards, by the board.
    case pdu(PDUPoint)
}
