public import BLEDescriptions
public import BLEPackets

/// The air between the boards and the centrals, where a bench controls it.
public protocol AirControl: Actor {
    /// The abilities of the air.
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

    /// Starts or stops an eavesdropper near each board that receives its pairings, for ``overheardPasskey(near:)``.
    func setEavesdropping(_ isOn: Bool) async

    /// The passkey that the last passkey entry of a board gave away on the air since the board was restored; `nil`:
    /// none did (Core 5.4, Vol 3 Part H 2.3.5.6.3).
    func overheardPasskey(near board: BoardID) async -> UInt32?

    /// The current connections.
    var connections: [AirConnection] { get async }

    /// Plays a described peripheral beside the boards, until ``endSimulations()``.
    ///
    /// - Parameters:
    ///   - name: its device name; `nil`: the description's.
    ///   - values: what values are or follow, by SERVICE.VALUE.
    func simulate(
        _ description: PeripheralDescription, name: String?, values: [(path: String, wave: Wave)]
    ) async throws

    /// Sets values of the played peripheral of that description.
    func setSimulated(_ values: [(path: String, wave: Wave)], of description: String) async throws

    /// Ends all played peripherals.
    func endSimulations() async
}

/// A connection on the air.
public struct AirConnection: Sendable, Hashable {
    /// The board that is its central; `nil`: a device that is not a board.
    public var central: BoardID?
    /// The board that is its peripheral; `nil`: a device that is not a board.
    public var peripheral: BoardID?
    /// The strength of the peripheral at the central, in dBm.
    public var strength: Int

    /// A connection.
    public init(central: BoardID?, peripheral: BoardID?, strength: Int) {
        self.central = central
        self.peripheral = peripheral
        self.strength = strength
    }
}

/// An air on which nothing can be played.
extension AirControl {
    /// None are known.
    public var connections: [AirConnection] { [] }

    /// Fails: without ``BenchAbility/simulation``.
    public func simulate(
        _ description: PeripheralDescription, name: String?, values: [(path: String, wave: Wave)]
    ) async throws { throw UnsupportedByBench(.simulation) }

    /// Fails: without ``BenchAbility/simulation``.
    public func setSimulated(_ values: [(path: String, wave: Wave)], of description: String) async throws {
        throw UnsupportedByBench(.simulation)
    }

    /// Does nothing.
    public func endSimulations() async {}
}

/// When the power is to be cut by the air or the board's storage.
public enum PowerCut: Sendable {
    /// In the middle of the n-th change of the NVS from now on, n counted from 1.
    case storageWrite(Int)
    /// When the n-th PDU of a kind from now on has been received: by either end of the board's links, or, where there
    /// are several boards, by the board.
    case pdu(PDUPoint)
}
