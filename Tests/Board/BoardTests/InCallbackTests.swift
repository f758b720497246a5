import BLECentral
import BLECentralHCI
import BLECore
import BenchExecutor
import FirmwareBuild
import Synchronization
import Testing
import VirtualBoard

/// Calls that wait for the host, its controller or its store, from within each of its task's callbacks (the sketch
/// `InCallbacks`): they return, the client's operation that caused the callback succeeds, and so do the next ones, as
/// with the library.
@Suite struct InCallbackTests {
    enum Callback: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case onConnect = "c"
        case onMTUChange = "m"
        case onRead = "r"
        case onWrite = "w"
        case onSubscribe = "s"
        case onStatus = "t"
        case descriptorOnRead = "d"
        case descriptorOnWrite = "D"
        case onConnParamsUpdate = "u"
        case onPassKeyDisplay = "p"
        case onPassKeyEntry = "e"
        case onConfirmPassKey = "n"
        case onAuthenticationComplete = "a"
        case onDisconnect = "x"
        case advertisingComplete = "A"

        var testDescription: String { "\(self)" }
    }

    @Test(arguments: Callback.allCases) func aCallReturnsAsInTheLibrary(_ callback: Callback) async throws {
        try await compare(callback, .builtIn)
    }

    @Test(.needsNimBLELibrary, arguments: Callback.allCases)
    func theTableIsWhatTheLibraryDoes(_ callback: Callback) async throws {
        try await compare(callback, .library)
    }

    private func compare(_ callback: Callback, _ nimble: NimBLEChoice) async throws {
        let table = try RecordedTable(of: "InCallbacks")
        let results = try await run(callback, nimble)
        for (name, result) in results { #expect(result == table[name, "\(callback)"], "\(name)") }
        let expected = table.rows.filter { $0.results["\(callback)"] != "–" }.map(\.name)
        #expect(results.map(\.name) == expected)
        try RecordedTable.write(results, column: "\(nimble).\(callback)")
    }

    /// What the sketch printed, then how the client's operations ended.
    private func run(_ callback: Callback, _ nimble: NimBLEChoice) async throws -> [(name: String, result: String)] {
        let results = Mutex<[(name: String, result: String)]>([])
        try await BoardBench.run("InCallbacks", nimble, after: "which?") { bench, board, log in
            await board.type(Array(callback.rawValue.utf8))
            try await bench.wait(for: "the sketch") { log.console.hasSuffix("ready\r\n") }
            let (central, events) = try await bench.central()
            central.answerPairings(with: [4711]) { events.append($0) }
            let connection = try await bench.connect(central, to: board)
            let client = Client(central: central, connection: connection)
            await client.visit(board, bench)
            try await bench.sleep(.milliseconds(500))
            // Of another client: what it finds, and that it is served.
            await board.type(Array("A".utf8))
            try await bench.sleep(.milliseconds(300))
            await board.type(Array("A".utf8))
            let (other, _) = try await bench.central(2)
            var services = "not connected"
            if let connection = try? await other.connectAndAccept(
                to: PeerID(board.bluetoothAddress), within: .seconds(2))
            {
                services =
                    (try? await other.discoverServices(on: connection).map { "\($0.uuid)" }.joined(separator: " "))
                    ?? "not served"
            }
            let received = events.events.compactMap { event -> String? in
                guard case .notification(_, _, let value, let isIndication) = event else { return nil }
                return (isIndication ? "indicated " : "notified ") + value.map { "\($0)" }.joined(separator: " ")
            }
            let printed = log.console.split(separator: "ready\r\n", maxSplits: 1).last ?? ""
            let lines = printed.split(whereSeparator: \.isNewline).compactMap { line in
                line.firstRange(of: ": ").map { (String(line[..<$0.lowerBound]), String(line[$0.upperBound...])) }
            }
            results.withLock { results in
                results = lines + client.outcomes.withLock { $0 }
                results.append(("received", received.isEmpty ? "nothing" : received.joined(separator: ", ")))
                results.append(("another client finds", services))
            }
        }
        return results.withLock { $0 }
    }

    /// A client that causes every callback, whatever becomes of the one before.
    private final class Client: Sendable {
        let central: HCICentral
        let connection: ConnectionID
        let outcomes = Mutex<[(name: String, result: String)]>([])

        init(central: HCICentral, connection: ConnectionID) {
            self.central = central
            self.connection = connection
        }

        func visit(_ board: VirtualBoard, _ bench: BoardBench) async {
            await attempt("exchange MTU") { "\(try await $0.exchangeMTU(100, on: $1))" }
            var found: DiscoveredCharacteristic?
            await attempt("discover") { central, connection in
                let services = try await central.discoverServices(on: connection)
                found = services.first { $0.uuid == BLEUUID(0xA000) }?.characteristics.first
                return services.map { "\($0.uuid)" }.joined(separator: " ")
            }
            guard let value = found?.value,
                let descriptor = found?.descriptors.first(where: { $0.uuid == BLEUUID(0xA002) })?.attribute
            else { return }
            await attempt("read") { "\(try await $0.read(value, on: $1))" }
            await attempt("write") { try await $0.write([9], to: value, kind: .withResponse, on: $1) }
            await attempt("read descriptor") { "\(try await $0.read(descriptor, on: $1))" }
            await attempt("write descriptor") { try await $0.write([8], to: descriptor, kind: .withResponse, on: $1) }
            await attempt("subscribe") { try await $0.setSubscription(.notifications, of: value, on: $1) }
            await board.type(Array("N".utf8))
            try? await bench.sleep(.milliseconds(300))
            await board.type(Array("U".utf8))
            try? await bench.sleep(.milliseconds(500))
            await attempt("pair") { central, connection in
                let security = try await central.pair(connection)
                return "\(security.isAuthenticated ? "authenticated" : "not authenticated")"
            }
            try? await bench.sleep(.milliseconds(200))
            await attempt("read again") { "\(try await $0.read(value, on: $1))" }
            await attempt("disconnect") { try await $0.disconnect($1) }
        }

        private func attempt(_ name: String, _ body: (HCICentral, ConnectionID) async throws -> Void) async {
            await attempt(name) {
                try await body($0, $1); return "done"
            }
        }

        private func attempt(_ name: String, _ body: (HCICentral, ConnectionID) async throws -> String) async {
            do {
                let result = try await body(central, connection)
                outcomes.withLock { $0.append((name, result)) }
            } catch {
                let code = (error as? CentralError).map { "\($0.code)" } ?? "\(error)"
                outcomes.withLock { $0.append((name, "failed: \(code)")) }
            }
        }
    }
}
