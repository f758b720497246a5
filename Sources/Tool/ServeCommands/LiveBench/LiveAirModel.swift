import Bench
internal import BenchExecutor
internal import BLECentral
internal import BLEClients
internal import BLECore
import LivePage
import MonotonicTime

/// The air around a phone as a page shows it: the advertising peers and the connections.
actor LiveAirModel: LiveAir {
    /// How long a peer is shown after its last advertisement.
    private static let memory = Duration.seconds(10)

    private nonisolated let central: Central
    nonisolated var unownedExecutor: UnownedSerialExecutor { central.executor.asUnownedSerialExecutor() }

    private let air: (any AirControl)?
    /// The boards, in their order.
    private let boards: [String]
    /// Learns which services are advertised.
    private let phone: LivePhoneModel
    private let hub: LiveHub
    private var state = AirState()
    private var peers: PeerList
    private var listening: Task<Void, Never>?
    /// The signal strength of each connection of the phone, if only the phone's stack knows it.
    private var strengths: [PeerID: Int] = [:]
    private var pings: [PeerID: Task<Void, Never>] = [:]

    /// The air around `boards`, as the central of `phone` receives it; `air`: the whole air, if the bench can observe it.
    init(_ phone: LivePhoneModel, _ air: (any AirControl)?, boards: [String], _ names: GATTNames, _ hub: LiveHub) {
        peers = PeerList(names)
        self.phone = phone
        central = phone.central
        self.air = air
        self.boards = boards
        self.hub = hub
    }

    /// Sends the state to the page.
    func publish() async {
        state.isListening = listening != nil
        state.peers = peers.nearestFirst(since: central.executor.now.advanced(by: .zero - Self.memory))
        if let air {
            state.links = await air.connections.map { link in
                AirState.Link(
                    central: link.central.map { boards[$0.index] } ?? "phone",
                    peripheral: link.peripheral.map { boards[$0.index] } ?? "phone", rssi: link.strength)
            }
        } else {
            state.links = await central.connectedPeripherals.map { peripheral in
                ping(peripheral)
                return AirState.Link(
                    central: "phone", peripheral: peers.name(of: peripheral.id) ?? "\(peripheral.id)",
                    rssi: strengths[peripheral.id])
            }
        }
        hub.set("air", state)
    }

    /// Follows the signal strength of a connection until its end.
    private func ping(_ peripheral: Peripheral) {
        guard pings[peripheral.id] == nil, central.abilities.contains(.connectionRSSI) else { return }
        pings[peripheral.id] = Task(executorPreference: central.executor) {
            await self.follow(peripheral)
        }
    }

    private func follow(_ peripheral: Peripheral) async {
        if let readings = try? await RSSIPing(peripheral).readings() {
            for await reading in readings {
                strengths[peripheral.id] = if case .strength(let strength) = reading { strength } else { nil }
            }
        }
        (strengths[peripheral.id], pings[peripheral.id]) = (nil, nil)
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
                // The phone's state reports the failure.
            }
            await self.end()
        }
    }

    private func hear(_ sighting: Advertisement) async {
        peers.add(sighting, at: central.executor.now)
        await phone.offer(sighting.data.serviceUUIDs)
    }

    private func end() { listening = nil }
}
