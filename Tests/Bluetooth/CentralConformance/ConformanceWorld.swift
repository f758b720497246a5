import BLECore
import BLEPeripheral
public import BLERadio
public import BenchExecutor

/// The peers on the air of one radio.
public struct ConformanceWorld: Sendable {
    /// The radio.
    public let radio: Radio
    private let peers: [BLEPeripheral]

    /// Starts the peers on a new radio.
    ///
    /// - Parameter hasClientPeers: whether the calculator and the lock are there, too, and the others in a row, the first
    ///   the nearest.
    public static func start(
        on executor: BenchExecutor, hasClientPeers: Bool = false
    ) async throws -> ConformanceWorld {
        let radio = Radio(executor, seed: 1)
        var peers: [BLEPeripheral] = []
        if hasClientPeers {
            for (address, definition) in [
                (ClientPeers.calculator, ClientPeers.calculatorDefinition(executor)),
                (ClientPeers.lock, ClientPeers.lockDefinition(executor)),
            ] {
                let peer = try BLEPeripheral(definition, on: await radio.attach(address: address), executor: executor)
                try await peer.start()
                peers.append(peer)
            }
        }
        for (index, address) in ConformancePeer.addresses.enumerated() {
            let faults = PeerFaults(
                await radio.attach(address: address, txPower: hasClientPeers ? 3 - 12 * Int8(index) : 3))
            let peer = try BLEPeripheral(
                ConformancePeer.definition(index, faults, executor), on: faults, executor: executor)
            try await peer.start()
            peers.append(peer)
        }
        return ConformanceWorld(radio: radio, peers: peers)
    }
}
