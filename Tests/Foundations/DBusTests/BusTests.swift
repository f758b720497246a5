import BenchExecutor
import BusSupport
import DBus
import Foundation
import MonotonicTime
import Testing

/// Our connection on a real bus, with independent implementations as peers: dbus-fast, busctl and gdbus.
@Suite struct BusTests {
    private static let peer = "org.example.Peer"

    /// Runs `body` in real time with a connection; it fails after 30 s.
    private func connected(
        handlers: DBusConnection.Handlers = DBusConnection.Handlers(),
        _ body: @escaping @Sendable (TestBus, DBusConnection) async throws -> Void
    ) throws {
        let bus = try TestBus()
        let executor = BenchExecutor(pace: .real)
        try executor.run {
            let connection = try await DBusConnection.open(bus.address, on: executor, handlers: handlers)
            try await body(bus, connection)
            connection.close()
        }
    }

    private func call(_ connection: DBusConnection, _ member: String, _ body: [DBusValue] = []) async throws(DBusError)
        -> [DBusValue]
    {
        try await connection.call(DBusMessage(call: Self.peer, "/peer", Self.peer, member, body), within: .seconds(10))
    }

    @Test func dbusFastEchoesAllTypes() throws {
        try connected { bus, connection in
            let peer = try bus.startService("Foundations/DBusTests/Peer/service.py")
            #expect(connection.uniqueName?.hasPrefix(":1.") == true)
            let values: [DBusValue] = [
                .byte(7), .boolean(true), .int16(-2), .uint16(65_535), .int32(-70_000), .uint32(.max), .int64(.min),
                .uint64(.max), .double(-0.5), .string("Grüße"), .objectPath("/org/bluez/hci0"), .signature("a{sv}"),
                .variant(.bytes([1, 2, 3])), .bytes((0..<200).map { UInt8($0) }), .array(.string, []),
                .array(.structure([.byte, .uint64]), [.structure([.byte(1), .uint64(2)])]),
                .dictionary(.uint16, .variant, [.init(.uint16(0x004C), .variant(.bytes([2, 21])))]),
                .options(["offset": .uint16(0), "type": .string("request")]),
            ]
            #expect(try await call(connection, "Echo", values) == values)
            let long = DBusValue.bytes([UInt8](repeating: 0xA5, count: 1_000_000))
            #expect(try await call(connection, "Echo", [long]) == [long])
            peer.stop()
        }
    }

    @Test func errorsHaveNameAndMessage() throws {
        try connected { bus, connection in
            let peer = try bus.startService("Foundations/DBusTests/Peer/service.py")
            let error = await #expect(throws: DBusError.self) { try await call(connection, "Fail") }
            #expect(error?.name == "org.example.Error.Purpose")
            #expect(error?.description == "org.example.Error.Purpose: it was asked for")
            #expect(try await connection.owner(of: Self.peer)?.hasPrefix(":1.") == true)
            #expect(try await connection.owner(of: "org.example.Nobody") == nil)
            peer.stop()
        }
    }

    @Test func aPeerThatDiesOrNeverAnswersIsAnError() throws {
        try connected { bus, connection in
            let peer = try bus.startService("Foundations/DBusTests/Peer/service.py")
            let late = await #expect(throws: DBusError.self) {
                try await connection.call(
                    DBusMessage(call: Self.peer, "/peer", Self.peer, "Never"), within: .milliseconds(200))
            }
            #expect(late?.code == .timedOut)
            #expect(late?.detail.hasPrefix("org.example.Peer.Never: expected an answer within 0.2 seconds") == true)
            let dead = await #expect(throws: DBusError.self) { try await call(connection, "Die") }
            #expect(dead?.name == "org.freedesktop.DBus.Error.NoReply")
            let gone = await #expect(throws: DBusError.self) { try await call(connection, "Echo") }
            #expect(gone?.name == "org.freedesktop.DBus.Error.ServiceUnknown")
            peer.stop()
        }
    }

    @Test func packetsOfADescriptorComeInOrderWithMessages() throws {
        let received = Received()
        try connected(handlers: DBusConnection.Handlers(signal: { received.add($0.body.first?.text ?? "") })) {
            bus, connection in
            let peer = try bus.startService("Foundations/DBusTests/Peer/service.py")
            try await connection.addMatch(DBusMatch(sender: Self.peer, interface: Self.peer, member: "Sent"))
            let reply = try await call(connection, "Descriptor")
            #expect(reply.last == .uint16(517))
            let descriptor = try #require(reply.first?.fileDescriptor)
            let packets = connection.receivePackets(of: descriptor) { packet in
                received.add("packet \(String(decoding: packet, as: UTF8.self))")
            } onEnd: { error in
                received.add("end \(error?.detail ?? "")")
            }
            _ = try await call(connection, "SendAndSignal")
            // The first is the bus's signal NameAcquired.
            #expect(
                received.lines == [":1.0", "packet one", "packet ", "packet three", "packet four", "after four"])
            _ = try await call(connection, "CloseDescriptor")
            await received.wait(for: "end ")
            packets.close()
            peer.stop()
        }
    }

    /// busctl calls an object of ours, and gdbus emits a signal to us.
    @Test func busctlCallsOurObject() throws {
        let received = Received()
        let bus = try TestBus()
        let executor = BenchExecutor(pace: .real)
        let output = try executor.run {
            let link = Link()
            let handlers = DBusConnection.Handlers(
                signal: { received.add("\($0.name) \($0.body.first?.text ?? "")") },
                call: { call in
                    guard call.member == "Swap", let connection = link.connection else { return false }
                    if call.body.isEmpty {
                        connection.reply(to: call, error: "org.example.Error.Empty", "nothing to swap")
                    } else {
                        connection.reply(to: call, call.body.reversed())
                    }
                    return true
                })
            let connection = try await DBusConnection.open(bus.address, on: executor, handlers: handlers)
            link.connection = connection
            try await connection.addMatch(
                DBusMatch(sender: "org.freedesktop.DBus", member: "NameOwnerChanged"))
            let name = try #require(connection.uniqueName)
            let address = bus.address.description
            return try await BenchExecutor.waitElsewhere {
                try await withCheckedThrowingContinuation { continuation in
                    Thread.detachNewThread {
                        continuation.resume(
                            with: Result {
                                let call = ["--address=\(address)", "call", name, "/ours", "org.example.Ours"]
                                return [
                                    try RunningProgram.output(
                                        "/usr/bin/busctl", call + ["Swap", "sa{sv}", "x", "1", "k", "u", "5"]),
                                    try RunningProgram.output("/usr/bin/busctl", call + ["Swap"]),
                                    try RunningProgram.output("/usr/bin/busctl", call + ["Nothing"]),
                                    try RunningProgram.output(
                                        "/usr/bin/gdbus",
                                        [
                                            "call", "--address", address, "--dest", name, "--object-path", "/ours",
                                            "--method", "org.freedesktop.DBus.Peer.Ping",
                                        ]),
                                ]
                            })
                    }
                }
            }
        }
        #expect(output[0] == "a{sv}s 1 \"k\" u 5 \"x\"\n")
        #expect(output[1].contains("nothing to swap"))
        #expect(output[2].contains("no method org.example.Ours.Nothing of /ours"))
        #expect(output[3] == "()\n")
        #expect(received.lines.contains { $0.hasPrefix("org.freedesktop.DBus.NameOwnerChanged :1.") })
    }

    @Test func theEndOfTheBusFailsEverything() throws {
        let received = Received()
        try connected(handlers: DBusConnection.Handlers(closed: { received.add($0.detail) })) { bus, connection in
            let peer = try bus.startService("Foundations/DBusTests/Peer/service.py")
            async let pending = call(connection, "Never")
            // Answered after the call above was sent.
            _ = try await call(connection, "Echo")
            bus.stop()
            do {
                _ = try await pending
                Issue.record("expected the call to fail")
            } catch {
                let error = error as? DBusError
                #expect(error?.code == .disconnected)
                #expect(error?.detail == "bus \(bus.address): the bus closed the connection")
            }
            let next = await #expect(throws: DBusError.self) { try await call(connection, "Echo") }
            #expect(next?.code == .disconnected)
            #expect(received.lines == ["bus \(bus.address): the bus closed the connection"])
            peer.stop()
        }
    }

    @Test func aMissingBusIsUnreachable() throws {
        let executor = BenchExecutor(pace: .real)
        let error = #expect(throws: DBusError.self) {
            try executor.run {
                _ = try await DBusConnection.open(DBusAddress(path: "/nowhere/bus"), on: executor)
            }
        }
        #expect(error?.code == .unreachable)
        #expect(error?.detail == "bus unix:path=/nowhere/bus: connecting failed: No such file or directory")
    }
}

/// A reference that is set later.
private final class Link: @unchecked Sendable {
    // Touched on the executor only.
    var connection: DBusConnection?
}
