import BLECentral
import BLECentralHCI
import BLECore
import Simulation
import Synchronization

/// A central on a scripted controller, in virtual time.
struct ScriptedBench: Sendable {
    let simulation = Simulation()
    let transport: ScriptedTransport
    let central: HCICentral
    let events = EventLog()
    static let peer = DeviceAddress(0xF0F0_F0F0_F001, .public)

    init(_ script: [String: [String]] = [:], _ configure: (inout ScriptedTransport.State) -> Void = { _ in }) {
        transport = ScriptedTransport(simulation)
        transport.state.withLock {
            $0.script = script
            configure(&$0)
        }
        central = HCICentral(simulation: simulation, transport: transport)
    }

    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        try simulation.run {
            await central.setEventHandler { events.append($0) }
            try await central.powerOn()
            return try await body()
        }
    }

    /// Runs `body` with a connection.
    func connected<Value: Sendable>(
        _ body: @escaping @Sendable (HCICentral, ConnectionID) async throws -> Value
    ) throws -> Value {
        try run { try await body(central, try await central.connect(to: Self.peer, within: .seconds(1))) }
    }

    func sleep(_ duration: Duration) async throws {
        try await SimulationClock(simulation).sleep(for: duration)
    }
}
