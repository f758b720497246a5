import BLECentral
import BLECentralHCI
import BLECore
import BenchExecutor
import FirmwareBuild
import Testing
import VirtualBoard

/// NimBLE's queues when a sketch notifies faster than the radio sends: what `notify()` returns, what arrives, and what
/// `onStatus` says. The expectations are what the library (2.5.1, its default configuration) does on the virtual board's
/// controller; the built-in host is to do the same.
@Suite struct QueueTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var place: UInt8 = 0
        var length: UInt8 = 200
        var isIndication = false
        var count: UInt16 = 300
        var hasValue = true
        var mtu: Int? = 255
        var isSubscribed = true
        var centrals = 1
        /// What the sketch prints, then what each central got, as runs of numbers.
        var outcome: [String]

        var testDescription: String { name }

        var order: [UInt8] {
            [place, length, isIndication ? 1 : 0, UInt8(count & 0xFF), UInt8(count >> 8), hasValue ? 1 : 0]
        }
    }

    static let cases = [
        Case(name: "200 bytes in onWrite", outcome: ["taken +18 -282 status 0:18", "0-17 of 200 bytes"]),
        Case(name: "180 bytes in onWrite", length: 180, outcome: ["taken +18 -282 status 0:18", "0-17 of 180 bytes"]),
        Case(name: "100 bytes in onWrite", length: 100, outcome: ["taken +18 -282 status 0:18", "0-17 of 100 bytes"]),
        Case(name: "20 bytes in onWrite", length: 20, outcome: ["taken +18 -282 status 0:18", "0-17 of 20 bytes"]),
        Case(
            name: "250 bytes in onWrite: three blocks each", length: 250,
            outcome: ["taken +10 -290 status 0:10", "0-9 of 250 bytes"]),
        Case(
            name: "20 bytes, MTU 23", length: 20, mtu: nil, outcome: ["taken +18 -282 status 0:18", "0-17 of 20 bytes"]),
        Case(
            name: "200 bytes, MTU 23: cut", length: 200, mtu: nil,
            outcome: ["taken +18 -282 status 0:18", "0-17 of 20 bytes"]),
        Case(
            name: "without subscription", length: 20, isSubscribed: false,
            outcome: ["taken +18 -282 status 0:18", "0-17 of 20 bytes"]),
        Case(
            name: "the stored value", length: 20, hasValue: false,
            outcome: ["taken +300 status 0:1", "299 of 20 bytes"]),
        Case(
            name: "indications in onWrite", length: 20, isIndication: true,
            outcome: ["taken +4 -296 status 6:296 14:1", "0-3 of 20 bytes"]),
        Case(
            name: "indications in loop()", place: 1, length: 20, isIndication: true,
            outcome: ["taken +4 -296 status 6:296 14:1", "0-3 of 20 bytes"]),
        Case(
            name: "the stored value by indication", length: 20, isIndication: true, hasValue: false,
            outcome: ["taken +300 status 14:1", "299 of 20 bytes"]),
        Case(name: "200 bytes in loop()", place: 1, outcome: ["taken +18 -282 status 0:18", "0-17 of 200 bytes"]),
        Case(
            name: "20 bytes in loop()", place: 1, length: 20,
            outcome: ["taken +18 -282 status 0:18", "0-17 of 20 bytes"]),
        Case(name: "200 bytes in a timer", place: 2, outcome: ["taken +18 -282 status 0:18", "0-17 of 200 bytes"]),
        Case(name: "200 bytes in a task", place: 3, outcome: ["taken +18 -282 status 0:18", "0-17 of 200 bytes"]),
        Case(
            name: "two clients, in onWrite", centrals: 2,
            outcome: ["taken +9 -291 status 0:18", "0-8 of 200 bytes", "0-8 of 200 bytes"]),
        Case(
            name: "two clients, 20 bytes, in loop()", place: 1, length: 20, centrals: 2,
            outcome: ["taken +9 -291 status 0:18", "0-8 of 20 bytes", "0-8 of 20 bytes"]),
    ]

    @Test(arguments: cases) func theBuiltInHostsQueuesRunOutAsTheLibrarys(_ subject: Case) async throws {
        let outcome = try await run(subject, .builtIn)
        #expect(outcome == subject.outcome)
    }

    @Test(.needsNimBLELibrary, arguments: cases) func theLibrarysQueuesRunOut(_ subject: Case) async throws {
        let outcome = try await run(subject, .library)
        #expect(outcome == subject.outcome)
    }

    // MARK: Helpers

    private func run(_ subject: Case, _ nimble: NimBLEChoice) async throws -> [String] {
        let firmware = try await SketchBuilds.shared.build("Queues", nimble: nimble)
        let bench = try await BoardBench()
        return try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            var logs: [CentralLog] = []
            var clients: [(central: HCICentral, connection: ConnectionID, output: AttributeID)] = []
            for number in 1...subject.centrals {
                let (central, events) = try await bench.central(UInt64(number))
                let connection = try await central.connectAndAccept(
                    to: PeerID(board.bluetoothAddress), within: .seconds(5))
                let service = try #require(
                    try await central.discoverServices(on: connection).first { $0.uuid == BLEUUID(0xA000) })
                let output = try #require(service.characteristics.first)
                if let mtu = subject.mtu { _ = try await central.exchangeMTU(mtu, on: connection) }
                if subject.isSubscribed {
                    let kind: Subscription = subject.isIndication ? .indications : .notifications
                    try await central.setSubscription(kind, of: output.value, on: connection)
                }
                logs.append(events)
                clients.append((central, connection, output.value))
            }
            try await bench.sleep(.seconds(1))
            let client = clients[0]
            try await client.central.write(
                subject.order, to: client.output, kind: .withoutResponse, on: client.connection)
            try await bench.wait(for: "the sketch's count") {
                log.console.contains("taken") && log.console.hasSuffix("\r\n")
            }
            let printed = log.console.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
            for client in clients { try await client.central.disconnect(client.connection) }
            try await board.powerOff()
            return [printed] + logs.map(Self.received)
        }
    }

    /// The numbers of the values that arrived, as runs, with the length of the first.
    private static func received(_ log: CentralLog) -> String {
        let values = log.events.compactMap { event in
            switch event {
            case .notification(_, _, let value, _): [UInt8](value)
            default: nil
            }
        }
        var runs: [ClosedRange<Int>] = []
        for value in values where value.count >= 2 {
            let number = Int(value[0]) | Int(value[1]) << 8
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        let text = runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        return text.joined(separator: ",") + " of \(values.first?.count ?? 0) bytes"
    }
}
