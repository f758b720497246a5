public import BLECentral
import BenchExecutor
internal import MonotonicTime

/// Reads the RSSI of a peripheral's connection periodically, until the connection ends.
///
/// If the stack cannot read it (``CentralAbility/connectionRSSI``), the only reading is ``Reading/failed(_:)``.
public struct RSSIPing: Sendable {
    /// One reading.
    public enum Reading: Sendable, Hashable {
        /// The strength, in dBm.
        case strength(Int)
        /// The controller does not know the strength.
        case unknown
        /// Reading failed, or took longer than the interval.
        case failed(CentralError)
    }

    /// Limit of unread readings per listener; beyond it, the oldest are dropped.
    public static let bufferSize = 64

    /// The measured peripheral.
    public let peripheral: Peripheral
    /// The interval between readings, more than 0.
    public let interval: Duration

    /// Readings of a peripheral; the default: every 2.0 s.
    public init(_ peripheral: Peripheral, every interval: Duration = .seconds(2)) {
        self.peripheral = peripheral
        self.interval = max(interval, .milliseconds(1))
    }

    /// The readings of the present connection, the first one at once; ends with the connection, or when its listener
    /// stops. Keeps the newest ``bufferSize``.
    ///
    /// - Throws: `notConnected`.
    public func readings() async throws(CentralError) -> AsyncStream<Reading> {
        // This stream ends with the connection.
        let events = try await peripheral.events()
        let (stream, continuation) = AsyncStream.makeStream(
            of: Reading.self, bufferingPolicy: .bufferingNewest(Self.bufferSize))
        let executor = peripheral.central.executor
        let reading = Task(executorPreference: executor) { await read(continuation) }
        let watching = Task(executorPreference: executor) {
            for await _ in events {}
            continuation.finish()
        }
        continuation.onTermination = { _ in
            reading.cancel()
            watching.cancel()
        }
        return stream
    }

    private func read(_ continuation: AsyncStream<Reading>.Continuation) async {
        let clock = BenchClock(peripheral.central.executor)
        var next = clock.now
        while !Task.isCancelled {
            next = next.advanced(by: interval)
            do throws(CentralError) {
                let rssi = try await peripheral.rssi(within: interval)
                continuation.yield(rssi.map { .strength($0) } ?? .unknown)
            } catch {
                switch error.code {
                case .notConnected, .disconnected: return continuation.finish()
                case .unsupported:
                    continuation.yield(.failed(error))
                    return continuation.finish()
                default: continuation.yield(.failed(error))
                }
            }
            try? await clock.sleep(until: next)
        }
    }
}
