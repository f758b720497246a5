import BenchExecutor
import BusSupport
import DBus
import Foundation
import MonotonicTime
import Testing

/// Buses that misbehave end with an error that says how.
@Suite struct StrangeBusTests {
    @Test(arguments: [
        ("silent", DBusError.Code.timedOut, "expected its answer to the authentication"),
        ("rejecting", .accessDenied, #"authentication: expected OK, got "REJECTED DBUS_COOKIE_SHA1""#),
        ("confused", .protocolViolation, #"authentication: expected OK, got "220 mail.example.org ESMTP""#),
        ("endless", .protocolViolation, "authentication: expected lines of at most 16384 bytes"),
        ("order", .protocolViolation, "message: expected byte order l or B, got 0x78"),
        ("version", .protocolViolation, "message: expected protocol version 1, got 9"),
        (
            "huge", .protocolViolation,
            "message: expected at most 134217728 bytes, got 0 of fields and 2147483647 of body"
        ),
        ("fields", .protocolViolation, "message: expected at most 134217728 bytes, got 2147483647 of fields"),
        ("type", .protocolViolation, "message: header field 1: unexpected type u"),
        ("descriptors", .protocolViolation, "message: expected 3 file descriptors, got 0"),
        ("truncated", .disconnected, "the bus closed the connection"),
    ])
    func isRefused(mode: String, code: DBusError.Code, detail: String) throws {
        let error = #expect(throws: DBusError.self) { try open(mode) }
        #expect(error?.code == code)
        #expect(error?.detail.contains(detail) == true, "\(error?.detail ?? "")")
    }

    @Test func aSlowOneIsWaitedFor() throws {
        #expect(try open("slow") == ":1.7")
    }

    private func open(_ mode: String) throws -> String? {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("bus-\(UUID().uuidString.prefix(8))")
            .path
        let server = try RunningProgram(
            PeerFiles.python, [PeerFiles.path("Foundations/DBusTests/Peer/strange.py"), path, mode])
        defer {
            server.stop()
            try? FileManager.default.removeItem(atPath: path)
        }
        let executor = BenchExecutor(pace: .real)
        return try executor.run {
            try await DBusConnection.open(
                DBusAddress(path: path), on: executor, within: mode == "silent" ? .milliseconds(300) : .seconds(10)
            ).uniqueName
        }
    }
}
