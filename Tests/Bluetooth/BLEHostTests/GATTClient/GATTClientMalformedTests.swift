import BLEHost
import BLEPackets
import MonotonicTime
import Testing

/// Faults of a server: a clear error, a closed bearer, never a trap.
@Suite struct GATTClientMalformedTests {
    struct Fault: CustomTestStringConvertible, Sendable {
        var name: String
        var request: String
        var answer: String
        var error: String
        var start: @Sendable (inout GATTClient, MonotonicInstant) -> GATTOperation
        var testDescription: String { name }
    }

    static let read: @Sendable (inout GATTClient, MonotonicInstant) -> GATTOperation = { $0.read(0x12, now: $1) }
    static let discover: @Sendable (inout GATTClient, MonotonicInstant) -> GATTOperation = {
        $0.discoverServices(now: $1)
    }

    static let faults = [
        Fault(
            name: "response to another request", request: "0a1200", answer: "13",
            error: "0x0A ATT Read Request: expected its response, got 0x13 ATT Write Response", start: read),
        Fault(
            name: "error of another request", request: "0a1200", answer: "010c120001",
            error:
                "0x01 ATT Error Response: expected one for 0x0A ATT Read Request, got one for 0x0C ATT Read Blob Request",
            start: read),
        Fault(
            name: "cut error", request: "0a1200", answer: "010a12",
            error: "ATT Error Response: expected at least 2 more bytes, got 1 (at offset 2)", start: read),
        Fault(
            name: "more than the MTU", request: "0a1200", answer: "0b" + String(repeating: "00", count: 23),
            error: """
                ATT read: expected at most 22 bytes a response and 512 in all, got 23 and 23 (handle 0x0012)
                """, start: read),
        Fault(
            name: "MTU below 23", request: "020502", answer: "031600",
            error: "ATT Exchange MTU Response: expected an MTU of at least 23, got 22",
            start: { $0.exchangeMTU(517, now: $1) }),
        Fault(
            name: "trailing byte", request: "020502", answer: "03170000",
            error: "ATT Exchange MTU Response: expected the end, got 1 more byte (at offset 3)",
            start: { $0.exchangeMTU(517, now: $1) }),
        Fault(
            name: "service that ends before it begins", request: "100100ffff0028", answer: "1106010000000018",
            error: """
                ATT Read By Group Type Response: expected a handle after handle 0x0000 up to handle 0xffff, \
                got handle 0x0001
                """, start: discover),
        Fault(
            name: "service handles that go back", request: "100100ffff0028", answer: "110605000600001804000900 0118",
            error: """
                ATT Read By Group Type Response: expected a handle after handle 0x0006 up to handle 0xffff, \
                got handle 0x0004
                """, start: discover),
        Fault(
            name: "UUID of three bytes", request: "100100ffff0028", answer: "110701000500001800",
            error: "ATT Read By Group Type Response: expected a UUID of 2 or 16 bytes, got 3 (handle 0x0001)",
            start: discover),
    ]

    @Test(arguments: faults) func closesTheBearerWithAClearError(_ fault: Fault) throws {
        var server = ScriptedServer([fault.request: fault.answer])
        let operation = try server.run(fault.start)
        #expect(server.error(of: operation)?.code == .protocolViolation)
        #expect(server.error(of: operation)?.description == fault.error)
        #expect(server.client.closeReason?.code == .protocolViolation)
        #expect(server.client.isIdle)
    }

    @Test(arguments: ["", "0b", "010a120001", "1b12", "1d", "02"])
    func anUnsolicitedResponseOrATruncatedPDUClosesTheBearer(
        pdu: String
    ) throws {
        var server = ScriptedServer()
        try server.send(pdu)
        #expect(server.client.closeReason?.code == .protocolViolation)
    }

    @Test func discoveryOfAnEndlessServerAlwaysAdvances() throws {
        // Endless characteristics: each response must advance, so the handles run out.
        var client = GATTClient()
        let operation = client.discoverServices(now: .zero)
        var requests = 0
        while let request = client.nextOutput() {
            requests += 1
            let start = [request[1], request[2]]
            switch request[0] {
            case 0x10: client.receive([0x11, 6, 1, 0, 0xFF, 0xFF, 0, 0x18], now: .zero)
            case 0x08 where start != [0xFF, 0xFF]:
                client.receive([9, 7] + start + [2, start[0] | 1, start[1], 0, 0x2A], now: .zero)
            default: client.receive([1, request[0], start[0], start[1], 0x0A], now: .zero)
            }
        }
        #expect((0x7000...0x1_0001).contains(requests))
        guard case .completed(operation, .success) = client.nextEvent() else {
            Issue.record("expected an end of the discovery")
            return
        }
    }

    @Test func everyTruncatedResponseIsHandled() throws {
        let exchanges: [(start: @Sendable (inout GATTClient, MonotonicInstant) -> GATTOperation, answer: [UInt8])] = [
            ({ $0.exchangeMTU(517, now: $1) }, [0x03, 0xFF, 0x00]),
            (Self.discover, [0x11, 6, 1, 0, 5, 0, 0, 0x18]),
            (Self.read, [0x0B, 1, 2, 3]),
            (Self.read, [0x01, 0x0A, 0x12, 0, 5]),
            ({ $0.write([1], to: 0x10, now: $1) }, [0x13]),
            ({ $0.write([UInt8](0..<21)[...], to: 0x10, now: $1) }, [0x17, 0x10, 0, 0, 0] + [UInt8](0..<18)),
        ]
        for (start, answer) in exchanges {
            for count in 0...answer.count {
                var client = GATTClient()
                _ = start(&client, .zero)
                client.receive(answer[..<count], now: .zero)
                // Either the bearer is closed with an error, or the answer was accepted and no operation hangs.
                #expect(client.closeReason != nil || client.isIdle || client.nextDeadline != nil)
            }
        }
    }

    @Test func randomBytesNeverTrap() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<20_000 {
            var client = GATTClient()
            switch random.next() % 4 {
            case 0: _ = client.discoverServices(now: .zero)
            case 1: _ = client.read(0x12, now: .zero)
            case 2: _ = client.write([UInt8](0..<40)[...], to: 0x10, now: .zero)
            default: _ = client.exchangeMTU(100, now: .zero)
            }
            for _ in 0..<4 {
                let request = client.nextOutput()?.first ?? 0
                var pdu = random.bytes(Int(random.next() % 24))
                if !pdu.isEmpty, random.next() % 4 > 0 { pdu[0] = request &+ 1 }
                client.receive(pdu[...], now: .zero)
            }
            client.advance(to: MonotonicInstant.zero.advanced(by: .seconds(60)))
            #expect(client.isIdle && client.nextDeadline == nil)
        }
    }
}
