internal import BLECentral
internal import BLEClients
internal import BLECore
internal import BenchExecutor
import LivePage
import MonotonicTime

/// The air around a phone as a page shows it: whoever advertises.
actor LiveAirModel: LiveAir {
    /// How long somebody is shown after he was heard last.
    private static let memory = Duration.seconds(10)

    private nonisolated let central: Central
    nonisolated var unownedExecutor: UnownedSerialExecutor { central.executor.asUnownedSerialExecutor() }

    private let hub: LiveHub
    private var state = AirState()
    private var peers = PeerList()
    private var listening: Task<Void, Never>?

    /// The air that `central` hears.
    init(_ central: Central, _ hub: LiveHub) {
        self.central = central
        self.hub = hub
    }

    /// Tells the page.
    func publish() async {
        state.isListening = listening != nil
        state.peers = peers.nearestFirst(since: central.executor.now.advanced(by: .zero - Self.memory))
        state.links = await central.connectedPeripherals.map { peripheral in
            AirState.Link(central: "phone", peripheral: peers.name(of: peripheral.id) ?? "\(peripheral.id)")
        }
        hub.set("air", state)
    }

    func listen(_ isOn: Bool) async throws {
        guard isOn != (listening != nil) else { return }
        guard isOn else {
            listening?.cancel()
            listening = nil
            return
        }
        let sightings = try await central.sightings(ScanFilter(allowsDuplicates: true))
        listening = Task(executorPreference: central.executor) {
            do {
                for try await sighting in sightings { await self.hear(sighting) }
            } catch {
                // The phone's state says so.
            }
            await self.end()
        }
    }

    private func hear(_ sighting: Advertisement) { peers.add(sighting, at: central.executor.now) }

    private func end() { listening = nil }
}
