// How fast two of our hosts exchange data over our radio, in operations per second of wall time, and how long they
// take to pair: what Scripts/bench prints beside two of Bumble's devices. Then what a link carries in virtual time.
import BLECentral
import BLECentralHCI
import BLECore
import BLERadio
import MonotonicTime
import BenchExecutor

/// Runs `body` `count` times over, and prints how often that is per second.
func measure(_ name: String, _ count: Int, _ body: () async throws -> Void) async throws {
    let start = ContinuousClock.now
    try await body()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("\(name)\t\(Double(count) / seconds)")
}

/// The figures of a link with a given MTU.
func run(_ world: World, _ connection: ConnectionID, mtu: Int, suffix: String = "") async throws {
    let central = world.central.central
    let peripheral = world.peripheral
    let attribute = AttributeID(rawValue: peripheral.value)
    let value = [UInt8](repeating: 0x5A, count: mtu == 23 ? 20 : 244)
    let title = "\(value.count) bytes\(suffix)"
    if mtu != 23 { _ = try await central.exchangeMTU(mtu, on: connection) }
    try await central.setSubscription(.notifications, of: attribute, on: connection)
    try await central.write(value, to: attribute, kind: .withResponse, on: connection)
    await peripheral.waitForWrites(1)
    try await measure("read \(title)", world.count) {
        for _ in 0..<world.count { _ = try await central.read(attribute, on: connection) }
    }
    try await measure("write \(title)", world.count) {
        for _ in 0..<world.count {
            try await central.write(value, to: attribute, kind: .withResponse, on: connection)
        }
        await peripheral.waitForWrites(world.count)
    }
    try await measure("write command \(title)", world.count) {
        for _ in 0..<world.count {
            try await central.write(value, to: attribute, kind: .withoutResponse, on: connection)
        }
        await peripheral.waitForWrites(world.count)
    }
    try await measure("notification \(title)", world.count) {
        await peripheral.notify(world.count, value)
        await world.central.waitForNotifications(world.count)
    }
}

struct World: Sendable {
    let central: BenchCentral
    let peripheral: BenchPeripheral
    let count: Int

    func connect() async throws -> ConnectionID {
        try await central.central.connectAndAccept(to: PeerID(BenchPeripheral.address), within: .seconds(5))
    }
}

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000
let executor = BenchExecutor()
try executor.run {
    let radio = Radio(executor, seed: 1)
    let peripheral = try await BenchPeripheral(executor, radio)
    let world = World(central: try await BenchCentral(executor, radio), peripheral: peripheral, count: count)
    let central = world.central.central
    for mtu in [23, 247] {
        let connection = try await world.connect()
        try await run(world, connection, mtu: mtu)
        try await central.disconnect(connection)
    }
    let pairings = 20
    var elapsed = Duration.zero
    for _ in 0..<pairings {
        let connection = try await world.connect()
        let start = ContinuousClock.now
        try await world.central.pair(connection)
        elapsed += ContinuousClock.now - start
        try await central.disconnect(connection)
    }
    print("passkey pairing\t\(Double(pairings) / (elapsed / .seconds(1)))")
    let connection = try await world.connect()
    try await world.central.pair(connection)
    try await run(world, connection, mtu: 23, suffix: ", encrypted")
    try await run(world, connection, mtu: 247, suffix: ", encrypted")
}
// Virtual time: the same in every run, and each beside what is possible.
for kind in Throughput.kinds {
    print("\(kind.name)\t\(kind.measured())")
    print("\(kind.name), allowed\t\(kind.allowed())")
}
