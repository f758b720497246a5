import BLECentral
import BLECentralHCI
import BLECore
import BenchExecutor
import FirmwareBuild
import BLEPackets
import BLERadio
import MonotonicTime
import Synchronization
import Testing
import VirtualBoard

/// A bonded client's subscription over a power cut around its Write Response: NimBLE writes the record in its host's
/// task, and responds when it is in flash.
@Suite struct StoredSubscriptionTests {
    /// The client configuration of the value 0x0010, of which the sketch notifies.
    private static let configuration = AttributeID(rawValue: 0x0011)
    private static let value = AttributeID(rawValue: 0x0010)

    enum Cut: String, Sendable, CaseIterable {
        case whileTheRecordIsWritten, beforeTheResponseIsSent, whenTheResponseHasCome
    }

    @Test(arguments: Cut.allCases) func aSubscriptionIsStoredBeforeItsResponse(_ cut: Cut) async throws {
        try await subscribe(cut, .builtIn)
    }

    @Test(.needsNimBLELibrary, arguments: Cut.allCases) func theLibraryStoresItBeforeItsResponse(_ cut: Cut)
        async throws
    {
        try await subscribe(cut, .library)
    }

    private func subscribe(_ cut: Cut, _ nimble: NimBLEChoice) async throws {
        try await BoardBench.run("BondStore", nimble, after: "ready") { bench, board, log in
            let (central, events) = try await bench.central()
            let connection = try await bench.connect(central, to: board)
            _ = try await central.pair(connection)
            try await bench.sleep(.milliseconds(200))
            // The board answers in a connection event some 30 ms later, long after the record is in flash.
            let failure = PowerFailure(after: cut == .whileTheRecordIsWritten ? .microseconds(20) : .milliseconds(5))
            if cut != .whenTheResponseHasCome { await board.setObserver { failure.notice($0, of: board, log) } }
            let order = ResponseOrder()
            if cut == .whenTheResponseHasCome { await order.watch(board, log, bench) }
            let isAnswered = await isDone {
                try await central.write([1, 0], to: Self.configuration, kind: .withResponse, on: connection)
            }
            try await board.powerOff()
            #expect(isAnswered == (cut == .whenTheResponseHasCome))
            // The first case shows that the record is not in flash by then.
            if isAnswered { #expect(try #require(order.delay) > .microseconds(20)) }
            await board.setObserver { log.append($0) }
            try await bench.sleep(.seconds(3))

            await board.powerOn()
            try await bench.wait(for: "the second start") { log.starts == 2 && log.console.hasSuffix("ready\r\n") }
            let again = try await bench.connect(central, to: board)
            _ = try await central.encrypt(again)
            try await bench.sleep(.milliseconds(200))
            await board.type(Array("n".utf8))
            try await bench.sleep(.milliseconds(300))
            let notified = events.events.contains { event in
                if case .notification(again, Self.value, _, _) = event { true } else { false }
            }
            #expect(notified == (cut != .whileTheRecordIsWritten), "\(log.console)")
        }
    }

    // MARK: Helpers

    private func isDone(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return true
        } catch {
            return false
        }
    }
}

/// The time from the write of a record to the Write Response that the board's host gives its controller.
private final class ResponseOrder: Sendable {
    private let times = Mutex<(stored: MonotonicInstant?, answered: MonotonicInstant?)>((nil, nil))

    var delay: Duration? {
        times.withLock { times in
            guard let stored = times.stored, let answered = times.answered else { return nil }
            return stored.duration(to: answered)
        }
    }

    func watch(_ board: VirtualBoard, _ log: BoardLog, _ bench: BoardBench) async {
        let executor = bench.executor
        await board.setObserver { event in
            log.append(event)
            if case .storage = event { self.times.withLock { $0.stored = executor.now } }
        }
        await bench.radio.setObserver { observation in
            let bytes = observation.packet.bytes
            guard observation.isFromHost, observation.packet.kind == .acl, bytes.count == 9, bytes[8] == 0x13 else {
                return
            }
            self.times.withLock { $0.answered = executor.now }
        }
    }
}
