import BLECentral
import BLECentralHCI
import BLECore
import BenchExecutor
import FirmwareBuild
import MonotonicTime
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
            let isAnswered = await isDone {
                try await central.write([1, 0], to: Self.configuration, kind: .withResponse, on: connection)
            }
            try await board.powerOff()
            #expect(isAnswered == (cut == .whenTheResponseHasCome))
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
