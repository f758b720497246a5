import BLECentral
import BLECentralHCI
import BLECore
import BenchExecutor
import Synchronization

/// A central on a scripted controller, in virtual time.
struct ScriptedBench: Sendable {
    let executor = BenchExecutor()
    let transport: ScriptedTransport
    let central: HCICentral
    let events = EventLog()
    static let peer = DeviceAddress(0xF0F0_F0F0_F001, .public)

    init(_ script: [String: [String]] = [:], _ configure: (inout ScriptedTransport.State) -> Void = { _ in }) {
        transport = ScriptedTransport(executor)
        transport.state.withLock {
            $0.script = script
            configure(&$0)
        }
        central = HCICentral(executor: executor, transport: transport)
    }

    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        try executor.run {
            central.events.setHandler(on: central.executor) { events.append($0) }
            try await central.powerOn()
            return try await body()
        }
    }

    /// Runs `body` with a connection.
    func connected<Value: Sendable>(
        _ body: @escaping @Sendable (HCICentral, ConnectionID) async throws -> Value
    ) throws -> Value {
        try run {
            try await body(central, try await central.connectAndAccept(to: PeerID(Self.peer), within: .seconds(1)))
        }
    }

    func sleep(_ duration: Duration) async throws {
        try await BenchClock(executor).sleep(for: duration)
    }
}
