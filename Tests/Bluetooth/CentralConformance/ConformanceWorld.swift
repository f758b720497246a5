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
    public static func start(on executor: BenchExecutor) async throws -> ConformanceWorld {
        let radio = Radio(executor, seed: 1)
        var peers: [BLEPeripheral] = []
        for (index, address) in ConformancePeer.addresses.enumerated() {
            let faults = PeerFaults(await radio.attach(address: address))
            let peer = try BLEPeripheral(
                ConformancePeer.definition(index, faults, executor), on: faults, executor: executor)
            try await peer.start()
            peers.append(peer)
        }
        return ConformanceWorld(radio: radio, peers: peers)
    }
}
