// Operations per second of wall time between two of our hosts over our radio, and the duration of a pairing:
// Scripts/bench compares them with two of Bumble's devices. Then the throughput of a link in virtual time.
import BLECentral
import BLECentralHCI
import BLECore
import BLERadio
import MonotonicTime
import BenchExecutor

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs `body` `count` times, and prints the rate per second.
func measure(_ name: String, _ count: Int, _ body: () async throws -> Void) async throws {
    let start = ContinuousClock.now
    try await body()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("\(name)\t\(Double(count) / seconds)")
}

/// The rates of a link with a given MTU.
func run(_ setup: Setup, _ connection: ConnectionID, mtu: Int, suffix: String = "") async throws {
    let central = setup.central.central
    let peripheral = setup.peripheral
    let attribute = AttributeID(rawValue: peripheral.value)
    let value = [UInt8](repeating: 0x5A, count: mtu == 23 ? 20 : 244)
    let title = "\(value.count) bytes\(suffix)"
    if mtu != 23 { _ = try await central.exchangeMTU(mtu, on: connection) }
    try await central.setSubscription(.notifications, of: attribute, on: connection)
    try await central.write(value, to: attribute, kind: .withResponse, on: connection)
    await peripheral.waitForWrites(1)
    try await measure("read \(title)", setup.count) {
        for _ in 0..<setup.count { _ = try await central.read(attribute, on: connection) }
    }
    try await measure("write \(title)", setup.count) {
        for _ in 0..<setup.count {
            try await central.write(value, to: attribute, kind: .withResponse, on: connection)
        }
        await peripheral.waitForWrites(setup.count)
    }
    try await measure("write command \(title)", setup.count) {
        for _ in 0..<setup.count {
            try await central.write(value, to: attribute, kind: .withoutResponse, on: connection)
        }
        await peripheral.waitForWrites(setup.count)
    }
    try await measure("notification \(title)", setup.count) {
        await peripheral.notify(setup.count, value)
        await setup.central.waitForNotifications(setup.count)
    }
}

struct Setup: Sendable {
    let central: BenchCentral
    let peripheral: BenchPeripheral
    let count: Int

    func connect() async throws -> ConnectionID {
        try await central.central.connectAndAccept(to: PeerID(BenchPeripheral.address), within: .seconds(5))
    }
}

if CommandLine.arguments.dropFirst().first == "sensortag" {
    print("SensorTag, 8 services every 10 ms, times real time\t\(try DescribedTag.measured())")
    exit(0)
}
let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000
let executor = BenchExecutor()
try executor.run {
    let radio = Radio(executor, seed: 1)
    let peripheral = try await BenchPeripheral(executor, radio)
    let setup = Setup(central: try await BenchCentral(executor, radio), peripheral: peripheral, count: count)
    let central = setup.central.central
    for mtu in [23, 247] {
        let connection = try await setup.connect()
        try await run(setup, connection, mtu: mtu)
        try await central.disconnect(connection)
    }
    let pairings = 20
    var elapsed = Duration.zero
    for _ in 0..<pairings {
        let connection = try await setup.connect()
        let start = ContinuousClock.now
        try await setup.central.pair(connection)
        elapsed += ContinuousClock.now - start
        try await central.disconnect(connection)
    }
    print("passkey pairing\t\(Double(pairings) / (elapsed / .seconds(1)))")
    let connection = try await setup.connect()
    try await setup.central.pair(connection)
    try await run(setup, connection, mtu: 23, suffix: ", encrypted")
    try await run(setup, connection, mtu: 247, suffix: ", encrypted")
}
// In virtual time: the same in every run, each compared with its limit.
for kind in Throughput.kinds {
    print("\(kind.name)\t\(kind.measured())")
    print("\(kind.name), allowed\t\(kind.allowed())")
}
