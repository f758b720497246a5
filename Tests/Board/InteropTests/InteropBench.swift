import BLECentral
import BLECentralHCI
import BLECore
import BLECapture
import BLERadio
import BLERadioServing
import Foundation
import BenchExecutor
import Synchronization
import Testing

/// A radio in real time on a separate thread, with an H4 port that offers controllers to Bumble.
struct InteropBench: Sendable {
    let executor: BenchExecutor
    let radio: Radio
    /// The TCP port of the H4 server.
    let port: String
    /// All HCI packets, as `--btsnoop` writes them.
    let capture: Capture

    /// Runs `body` on a radio whose H4 port offers controllers of `personality`.
    static func run(
        _ personality: ControllerPersonality = .esp32, _ body: @escaping @Sendable (InteropBench) async throws -> Void
    ) async throws {
        try await onThread { executor in try await serve(executor, personality, body) }
    }

    /// Runs `body` in real time on a separate thread.
    static func onThread(_ body: @escaping @Sendable (BenchExecutor) async throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let thread = Thread {
                let executor = BenchExecutor(pace: .real)
                continuation.resume(with: Result { try executor.run { try await body(executor) } })
            }
            thread.stackSize = 4 << 20
            thread.start()
        }
    }

    private static func serve(
        _ executor: BenchExecutor, _ personality: ControllerPersonality,
        _ body: @escaping @Sendable (InteropBench) async throws -> Void
    ) async throws {
        let radio = Radio(executor, seed: 1)
        let log = Mutex<[String]>([])
        let server = try H4Server(radio, executor, personality: personality, addresses: ControllerAddresses(), port: 0)
        {
            line in
            log.withLock { $0.append(line) }
        }
        let capture = Capture()
        await capture.observe(radio)
        let bench = InteropBench(executor: executor, radio: radio, port: String(server.port), capture: capture)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(bench))
            } catch {
                result = .failure(error)
            }
            server.stop()
            try await group.waitForAll()
            try result.get()
        }
        #expect(log.withLock { $0.filter { $0.contains("cut off") } } == [])
    }

    /// Our started central, and its events.
    func central() async throws -> (HCICentral, CentralEvents) {
        let transport = await radio.attach(address: DeviceAddress(0x02FF_0000_0001, .public))
        let central = HCICentral(
            executor: executor, transport: transport, address: DeviceAddress(0xF0F1_F2F3_F4F5, .random))
        let events = CentralEvents(executor)
        central.events.setHandler(on: central.executor) { events.append($0) }
        try await central.powerOn()
        return (central, events)
    }

    /// Scans until a peer called `name` is reported.
    func find(_ name: String, _ central: HCICentral, _ events: CentralEvents) async throws -> Advertisement {
        try await central.startScanning(ScanFilter(name: name))
        let found = try await events.next { event -> Advertisement? in
            if case .advertisement(let advertisement) = event { advertisement } else { nil }
        }
        try await central.stopScanning()
        return found
    }
}

/// The HCI packets of a radio in the btsnoop format.
final class Capture: Sendable {
    /// November 14th, 2023, 22:13:20 UTC.
    static let epoch = 1_700_000_000

    private struct State {
        var format = BTSnoop<ControllerID>(startingAt: Int64(epoch) * 1_000_000)
        var file = BTSnoop<ControllerID>.header
        var observations: [Radio.Observation] = []
        var addresses: [ControllerID: DeviceAddress] = [:]
    }
    private let state = Mutex(State())

    /// The file.
    var file: [UInt8] { state.withLock { $0.file } }

    /// The addresses of all controllers that were there.
    var addresses: [ControllerID: DeviceAddress] { state.withLock { $0.addresses } }

    /// The packets in it.
    var observations: [Radio.Observation] { state.withLock { $0.observations } }

    func observe(_ radio: Radio) async {
        await radio.setControllerObserver { self.add($0) }
        await radio.setObserver { self.add($0) }
    }

    private func add(_ change: Radio.ControllerChange) {
        state.withLock { state in
            switch change.kind {
            case .added(let address, let company):
                state.addresses[change.controller] = address
                state.file += state.format.add(change.controller, address: address, company: company, at: change.time)
            case .removed: state.file += state.format.remove(change.controller, at: change.time)
            }
        }
    }

    private func add(_ observation: Radio.Observation) {
        state.withLock { state in
            state.file += state.format.record(
                observation.h4, of: observation.controller, isFromHost: observation.isFromHost,
                at: observation.time)
            state.observations.append(observation)
        }
    }
}

/// Events of a central, in order, with functions that wait for one.
final class CentralEvents: Sendable {
    private let executor: BenchExecutor
    private let events = Mutex<[CentralEvent]>([])

    init(_ executor: BenchExecutor) {
        self.executor = executor
    }

    func append(_ event: CentralEvent) {
        events.withLock { $0.append(event) }
    }

    /// Waits for the first event for which `pick` returns a value; removes it and all before it.
    func next<Value>(_ pick: (CentralEvent) -> Value?) async throws -> Value {
        for _ in 0..<60_000 {
            let found = events.withLock { events -> Value? in
                while !events.isEmpty {
                    if let value = pick(events.removeFirst()) { return value }
                }
                return nil
            }
            if let found { return found }
            try await BenchClock(executor).sleep(for: .milliseconds(2))
        }
        throw BumbleScript.Failure(description: "waited 120 s for an event of the central")
    }
}
