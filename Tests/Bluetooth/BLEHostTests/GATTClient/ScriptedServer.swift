import BLEHost
import ByteCodec
import MonotonicTime
import Testing

/// A GATT client against a server that knows only its script: every PDU of the client must be the next one of the
/// script, and the script must be used up at the end.
struct ScriptedServer {
    var client = GATTClient()
    var now = MonotonicInstant.zero
    private(set) var events: [GATTClientEvent] = []
    private var script: [(expect: String, answers: [String])]

    /// Pairs of what the client must send and what it gets, in hexadecimal.
    init(_ script: KeyValuePairs<String, String> = [:]) {
        self.script = script.map { ($0.key, $0.value.isEmpty ? [] : $0.value.components(separatedBy: "|")) }
    }

    /// Starts an operation and plays the script as far as it goes.
    mutating func run(
        _ start: (inout GATTClient, MonotonicInstant) -> GATTOperation,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> GATTOperation {
        let operation = start(&client, now)
        try play(sourceLocation)
        return operation
    }

    /// The client gets `pdu` unasked for.
    mutating func send(_ pdu: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        client.receive(try #require(Hexadecimal.bytes(pdu))[...], now: now)
        try play(sourceLocation)
    }

    mutating func advance(by duration: Duration) {
        now = now.advanced(by: duration)
        client.advance(to: now)
        drain()
    }

    mutating func close(_ error: GATTClientError) {
        client.close(error)
        drain()
    }

    private mutating func play(_ location: SourceLocation) throws {
        drain()
        while let pdu = client.nextOutput() {
            let hex = Hexadecimal.string(pdu)
            guard let step = script.first else {
                Issue.record("unexpected PDU \(hex)", sourceLocation: location)
                return
            }
            script.removeFirst()
            #expect(hex == step.expect, sourceLocation: location)
            for answer in step.answers {
                client.receive(try #require(Hexadecimal.bytes(answer))[...], now: now)
            }
            drain()
        }
    }

    private mutating func drain() {
        while let event = client.nextEvent() { events.append(event) }
    }

    /// How an operation ended; `nil` while it runs.
    func result(of operation: GATTOperation) -> Result<GATTResult, GATTClientError>? {
        for case .completed(operation, let result) in events { return result }
        return nil
    }

    /// The error an operation ended with.
    func error(of operation: GATTOperation) -> GATTClientError? {
        if case .failure(let error) = result(of: operation) { return error }
        return nil
    }

    /// The values the server sent of its own accord.
    var notifications: [String] {
        events.compactMap {
            guard case .notification(let handle, let value, let isIndication) = $0 else { return nil }
            return "\(isIndication ? "indication" : "notification") \(handle) \(Hexadecimal.string(value))"
        }
    }

    func expectFinished(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(script.isEmpty, "not asked for: \(script.map(\.expect))", sourceLocation: sourceLocation)
    }
}

extension String {
    fileprivate func components(separatedBy separator: Character) -> [String] {
        split(separator: separator).map { String($0) }
    }
}
