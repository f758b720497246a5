import BLECore
import BLEPeripheral
import BLEPeripheralBlueZ
import BenchExecutor
import BusSupport
import DBus
import Foundation
import MonotonicTime
import Synchronization
import Testing

/// A bluetoothd that does what a test tells it, on a bus of its own.
struct Bluetoothd {
    let executor = BenchExecutor(pace: .real)
    let bus: TestBus
    let service: RunningProgram

    init(_ mode: String = "normal") throws {
        bus = try TestBus()
        service = try bus.startService("Bluetooth/BLEPeripheralBlueZTests/Peer/bluetoothd.py", mode)
    }

    func stop() {
        service.stop()
        bus.stop()
    }

    /// Runs a test with a connection for ``ask(_:_:_:_:)`` and its like.
    func run(_ body: @escaping @Sendable (Tester, BlueZPeripheral) async throws -> Void) throws {
        defer { stop() }
        let (executor, address) = (executor, bus.address)
        try executor.run {
            let tester = Tester(connection: try await DBusConnection.open(address, on: executor), executor: executor)
            let peripheral = BlueZPeripheral(executor: executor, bus: address)
            do {
                try await body(tester, peripheral)
            } catch {
                await peripheral.close()
                throw error
            }
            await peripheral.close()
            tester.connection.close()
        }
    }
}

/// What tests ask of the scripted bluetoothd.
struct Tester: Sendable {
    let connection: DBusConnection
    let executor: BenchExecutor

    private func call(_ member: String, _ texts: String...) async throws -> String {
        let reply = try await connection.call(
            DBusMessage(call: "org.bluez", "/test", "io.espbench.Test", member, texts.map { .string($0) }))
        return reply.first?.text ?? ""
    }

    /// Lets it call an object of the application; `arguments` are JSON. Returns JSON with sorted keys.
    func ask(_ path: String, _ interface: String, _ member: String, _ arguments: String = "[]") async throws -> String {
        try Self.sorted(try await call("Ask", path, interface, member, arguments))
    }

    /// Lets it call an attribute.
    func ask(_ path: AttributePath, _ member: String, _ arguments: String = "[]") async throws -> String {
        let interface = path.descriptor == nil ? "org.bluez.GattCharacteristic1" : "org.bluez.GattDescriptor1"
        return try await ask(PublishedObjects.objectPath(path), interface, member, arguments)
    }

    func emit(_ what: String) async throws { _ = try await call("Emit", what) }

    /// What it was called with: an array of JSON objects.
    func log() async throws -> [[String: Any]] {
        let json = try JSONSerialization.jsonObject(with: Data(try await call("Log").utf8))
        return try #require(json as? [[String: Any]])
    }

    /// The log as lines, e.g. `UnregisterAgent ["/io/espbench/agent"]`; without what was registered.
    func lines() async throws -> [String] {
        try await log().filter { $0["found"] == nil }.map { entry in
            try entry.sorted { $0.key < $1.key }.map { "\($0.key) \(try Self.text($0.value))" }.joined(separator: " ")
        }
    }

    /// The objects or properties that were found when `member` was called.
    func found(_ member: String) async throws -> String {
        let entry = try #require(try await log().last { $0[member] != nil })
        return try Self.text(try #require(entry["found"]))
    }

    /// Waits until `condition` is true, at most 5 s.
    func wait(_ condition: () async throws -> Bool) async throws {
        for _ in 0..<250 {
            if try await condition() { return }
            try await BenchClock(executor).sleep(for: .milliseconds(20))
        }
        Issue.record("it has not become true")
    }

    private static func sorted(_ json: String) throws -> String {
        try text(try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed))
    }

    private static func text(_ json: Any) throws -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes]
        return String(decoding: try JSONSerialization.data(withJSONObject: json, options: options), as: UTF8.self)
    }
}

/// Lines that handlers write.
final class Notes: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}
