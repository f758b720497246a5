import BLECentral
import BLECore
import BLEPackets
import BLEPeripheral
import BLEPeripheralBackends
import BenchExecutor
import Synchronization

/// What the handlers of the sensor share, on the executor.
final class SensorState: Sendable {
    private let backend: any PeripheralBackend
    private let executor: BenchExecutor
    private let paths: [BLEUUID: AttributePath]
    private let end: AsyncStream<Void>.Continuation
    private let queue = AsyncStream.makeStream(of: (AttributePath, [UInt8]).self)
    private let room = AsyncStream.makeStream(of: Void.self)

    init(_ backend: any PeripheralBackend, on executor: BenchExecutor, end: AsyncStream<Void>.Continuation) {
        self.backend = backend
        self.executor = executor
        self.end = end
        let definition = Sensor.definition
        paths = Dictionary(
            definition.attributes.compactMap { path in definition.uuid(at: path).map { ($0, path) } },
            uniquingKeysWith: { first, _ in first })
    }

    var handlers: PeripheralHandlers {
        PeripheralHandlers(
            onRead: { [self] path, _ in try read(path) },
            onWrite: { [self] value, path, _ in try write(value, path) },
            onSubscribe: { subscription, path, _ in say("subscription \(subscription) of \(path.characteristic)") },
            onPairingInput: { input, _ in
                guard input == .displayPasskey else { return .cancel }
                say("passkey \(Sensor.passkey)")
                return .passkey(Sensor.passkey)
            },
            onEvent: { [self] event in
                switch event {
                case .connected: say("connected")
                case .disconnected: say("disconnected")
                case .passkeyDisplayed(let passkey, _): say("passkey \(passkey)")
                case .roomAvailable: room.continuation.yield()
                case .failed(let error):
                    say("failed: \(error)")
                    end.finish()
                }
            })
    }

    private let count = Mutex<UInt8>(0)

    private func read(_ path: AttributePath) throws -> [UInt8]? {
        guard path == paths[Sensor.counter] else { return nil }
        return count.withLock { count in
            count += 1
            return [count]
        }
    }

    private func write(_ value: [UInt8], _ path: AttributePath) throws {
        guard path == paths[Sensor.control] else { return }
        switch (value.first, value.dropFirst().first) {
        case (1, let count?):
            for number in 0..<count { try enqueue([number, 0], Sensor.measurement) }
        case (2, let number?): try enqueue([number], Sensor.alarm)
        case (3, let code?): throw ATTErrorCode(rawValue: code)
        case (9, nil):
            // After the answer.
            executor.post { [end] in end.finish() }
        default: throw ATTErrorCode.invalidAttributeValueLength
        }
    }

    private func enqueue(_ value: [UInt8], _ uuid: BLEUUID) throws {
        guard let path = paths[uuid] else { throw ATTErrorCode.unlikelyError }
        queue.continuation.yield((path, value))
    }

    /// Sends what is queued, as fast as there is room.
    func sendAll() async throws {
        var rooms = room.stream.makeAsyncIterator()
        for await (path, value) in queue.stream {
            while try !backend.notify(value, of: path) { _ = await rooms.next() }
        }
    }
}

/// Publishes the sensor until its end is written, or the stack is gone.
func publish(_ address: CentralAddress, on executor: BenchExecutor) async throws {
    let backend = try await PeripheralBackends.open(address, on: executor, systemBus: systemBus)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let state = SensorState(backend, on: executor, end: end)
    try await backend.publish(Sensor.definition, state.handlers)
    say("published")
    let sending = Task(executorPreference: executor) { try await state.sendAll() }
    for await _ in ends {}
    sending.cancel()
    await backend.close()
    say("closed")
}
