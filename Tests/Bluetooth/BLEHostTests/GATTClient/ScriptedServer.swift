import BLEHost
import ByteCodec
import MonotonicTime
import Testing

/// A GATT client against a scripted server: every PDU of the client must be the next one of the script, and the script
/// must be complete at the end.
struct ScriptedServer {
    var client = GATTClient()
    var now = MonotonicInstant.zero
    private(set) var events: [GATTClientEvent] = []
    private var script: [(expect: String, answers: [String])]

    /// Pairs of an expected PDU of the client and the response, in hexadecimal.
    init(_ script: KeyValuePairs<String, String> = [:]) {
        self.script = script.map { ($0.key, $0.value.isEmpty ? [] : $0.value.components(separatedBy: "|")) }
    }

    /// Starts an operation and runs the script.
    mutating func run(
        _ start: (inout GATTClient, MonotonicInstant) -> GATTOperation,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> GATTOperation {
        let operation = start(&client, now)
        try play(sourceLocation)
        return operation
    }

    /// The client receives `pdu` without a request.
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

    /// The result of an operation; `nil` while it runs.
    func result(of operation: GATTOperation) -> Result<GATTResult, GATTClientError>? {
        for case .completed(operation, let result) in events { return result }
        return nil
    }

    /// The error of an operation.
    func error(of operation: GATTOperation) -> GATTClientError? {
        if case .failure(let error) = result(of: operation) { return error }
        return nil
    }

    /// The values that the server notified or indicated.
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
