public import BLEDescriptions
public import BLEPackets

/// The air between the boards and the centrals, on a bench that can control it.
public protocol AirControl: Actor {
    /// The abilities of the air.
    nonisolated var airAbilities: Set<BenchAbility> { get }

    /// Plans a fault on the links of a board, under a number for ``faultsToCome()``.
    func plan(_ fault: PDUFault, number: Int, at board: BoardID) async throws

    /// The numbers of the planned faults that have not occurred yet.
    func faultsToCome() async -> Set<Int>

    /// Removes the faults that have not occurred yet, and restores loss and path loss.
    func clearFaults() async throws

    /// Sets packet loss and path loss between a board, or every board (`nil`), and all other devices: `loss` percent of
    /// the PDUs are lost; signals arrive `pathLoss` dB weaker. `nil` leaves the parameter unchanged.
    func setAir(loss: Int?, pathLoss: Int?, at board: BoardID?) async throws

    /// Cuts a board's supply once, at an event; posts a ``PowerSwitched`` then.
    func cutPower(of board: BoardID, at point: PowerCut) async throws

    /// Starts or stops an eavesdropper near each board that receives its pairings, for ``overheardPasskey(near:)``.
    func setEavesdropping(_ isOn: Bool) async

    /// The passkey that an eavesdropper learned from the board's last passkey entry since the board was restored;
    /// `nil`: none (Core 5.4, Vol 3 Part H 2.3.5.6.3).
    func overheardPasskey(near board: BoardID) async -> UInt32?

    /// The current connections.
    var connections: [AirConnection] { get async }

    /// Simulates a described peripheral beside the boards, until ``endSimulations()``.
    ///
    /// - Parameters:
    ///   - name: its device name; `nil`: the description's.
    ///   - values: what values are or follow, by SERVICE.VALUE.
    func simulate(
        _ description: PeripheralDescription, name: String?, values: [(path: String, wave: Wave)]
    ) async throws

    /// Sets values of the simulated peripheral with that description.
    func setSimulated(_ values: [(path: String, wave: Wave)], of description: String) async throws

    /// Ends all simulated peripherals.
    func endSimulations() async
}

/// A connection on the air.
public struct AirConnection: Sendable, Hashable {
    /// The board that is its central; `nil`: a device that is not a board.
    public var central: BoardID?
    /// The board that is its peripheral; `nil`: a device that is not a board.
    public var peripheral: BoardID?
    /// The signal strength of the peripheral at the central, in dBm.
    public var strength: Int

    /// A connection.
    public init(central: BoardID?, peripheral: BoardID?, strength: Int) {
        self.central = central
        self.peripheral = peripheral
        self.strength = strength
    }
}

/// Defaults for an air that cannot simulate peripherals.
extension AirControl {
    /// By default no connections are known.
    public var connections: [AirConnection] { [] }

    /// Throws ``UnsupportedByBench`` for ``BenchAbility/simulation``.
    public func simulate(
        _ description: PeripheralDescription, name: String?, values: [(path: String, wave: Wave)]
    ) async throws { throw UnsupportedByBench(.simulation) }

    /// Throws ``UnsupportedByBench`` for ``BenchAbility/simulation``.
    public func setSimulated(_ values: [(path: String, wave: Wave)], of description: String) async throws {
        throw UnsupportedByBench(.simulation)
    }

    /// Does nothing.
    public func endSimulations() async {}
}

/// The event at which the air or the board's storage cuts the power.
public enum PowerCut: Sendable {
    /// In the middle of the n-th change of the NVS from now on, counted from 1.
    case storageWrite(Int)
    /// When the n-th PDU of a kind from now on has been received: by either end of the board's links; with several
    /// boards, by the board.
    case pdu(PDUPoint)
}
