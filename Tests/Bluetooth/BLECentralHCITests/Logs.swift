import BLECentral
import Synchronization

/// The events of a central, in order.
final class EventLog: Sendable {
    private let events = Mutex<[CentralEvent]>([])

    func append(_ event: CentralEvent) {
        events.withLock { $0.append(event) }
    }

    var all: [CentralEvent] { events.withLock { $0 } }
}

/// Lines, in order.
final class PacketLog: Sendable {
    private let lines = Mutex<[String]>([])

    func append(_ line: String) {
        lines.withLock { $0.append(line) }
    }

    var all: [String] { lines.withLock { $0 } }
}

/// The error that `body` throws.
func failure<Value>(_ body: () async throws -> Value) async -> CentralError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? CentralError
    }
}
