import BLECentral
import BLECentralBackends
import BenchExecutor
import CentralConformance
import Glibc

// Runs the conformance cases with a backend, or parts of them that a script combines with faults of the machine; and
// serves their peers to other hosts.
let usage = """
    usage: ConformanceProgram serve [clients]         controllers within reach of the peers, as H4, until the input ends
           ConformanceProgram CENTRAL [[-]TEXT]       the cases whose names contain the text, or do not; e.g. bluez:hci0
           ConformanceProgram clients CENTRAL [TEXT]  those of the clients; beside "serve clients"
           ConformanceProgram power CENTRAL           powers it on and leaves
           ConformanceProgram hold CENTRAL            connects to the first peer, and reads until that fails
           ConformanceProgram restore CENTRAL FOLDER NAME   begins, or takes up what the last one with the name had; stays
           ConformanceProgram figures CENTRAL COUNT   reads, writes and notifications per second, and their CPU time
    """

let arguments = Array(CommandLine.arguments.dropFirst())
let executor = BenchExecutor(pace: .real)

/// Opens a central; it is closed at the end.
func withCentral(_ text: String, _ body: @escaping @Sendable (any CentralBackend) async throws -> Void) throws -> Int32
{
    try executor.run {
        let bus = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
        let central = try await CentralBackends.open(try CentralAddress(text), on: executor, systemBus: bus)
        do {
            try await central.powerOn()
            try await body(central)
            await central.close()
            return 0
        } catch {
            say("error: \((error as? CentralError).map { "\($0.code): " } ?? "")\(error)")
            await central.close()
            return 1
        }
    }
}

/// The abilities of a central that depend on permissions, among others.
func abilities(_ central: any CentralBackend) -> String {
    central.abilities.map(\.rawValue).sorted().joined(separator: " ")
}

let status: Int32
switch (arguments.first, arguments.dropFirst().first) {
case ("serve", nil): status = try serve(on: executor, hasClientPeers: false)
case ("serve", "clients"): status = try serve(on: executor, hasClientPeers: true)
case ("clients", let central?):
    let text = arguments.dropFirst(2).first ?? ""
    status = try withCentral(central) { try await runClientCases($0, on: executor, containing: text) }
case ("power", let central?):
    status = try withCentral(central) { say("powered on, with \(abilities($0))") }
case ("hold", let central?):
    status = try withCentral(central) { try await hold($0, on: executor) }
case ("restore", let central?) where arguments.count == 4:
    status = try withCentral(central) { try await restore($0, arguments[2], arguments[3], on: executor) }
case ("figures", let central?):
    let count = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 100
    status = try withCentral(central) { try await measure($0, on: executor, count: count) }
case (let central?, let text) where central.contains(":") || central == "bluez":
    status = try withCentral(central) { try await runCases($0, on: executor, containing: text ?? "") }
default:
    say(usage)
    status = 64
}
exit(status)
