import BLECentral
import BLECentralHCI
import BLEPackets
import BLERadio
import ByteCodec
import FirmwareBuild
import MonotonicTime
import BenchExecutor
import Synchronization
import Testing
import VirtualBoard

/// The end of a link with subscriptions, as observed in NimBLE-Arduino 2.5.1: each one is reported as ended before
/// `onDisconnect`. For a characteristic that requires encryption, on an unencrypted link, NimBLEServer then requests
/// security: a Security Request on an ended link. Its ACL buffer is never returned, and its procedure occupies the only
/// slot of the Security Manager for 30 s.
@Suite struct UnsubscribingTests {
    private static let plain: [UInt8] = [0x12, 0x11, 0x00, 0x01, 0x00]
    private static let secret: [UInt8] = [0x12, 0x14, 0x00, 0x01, 0x00]
    private static let authenticated: [UInt8] = [0x12, 0x17, 0x00, 0x02, 0x00]
    private static let write: [UInt8] = [0x12, 0x10, 0x00, 0x2A]
    private static let securityRequest = ["0006", "0b09"]

    @Test func subscriptionsEndInOrderOfHandlesBeforeTheConnection() async throws {
        try await run { bench, board, log, controller in
            let central = try await RawCentral(bench)
            try await central.connect(to: board.bluetoothAddress)
            for pdu in [Self.secret, Self.plain] { try await exchange(pdu, central, bench) }
            let count = log.reports.count
            try await central.leave()
            try await bench.sleep(.milliseconds(200))
            #expect(
                log.reports[count...] == [
                    // The Security Request that the subscription caused.
                    "authentication 0 encrypted 0 mtu 23 known 1",
                    "0xaa01 to 0 subscribe 0 encrypted 0 mtu 23 known 1",
                    "0xaa02 to 0 subscribe 0 encrypted 0 mtu 23 known 1",
                    "disconnect 0 encrypted 0 mtu 0 known 0",
                ])
            #expect(controller.requests == 2)
        }
    }

    @Test func anEarlyDisconnectionEndsSubscriptionsToo() async throws {
        try await run { bench, board, log, _ in
            let central = try await RawCentral(bench)
            try await central.connect(to: board.bluetoothAddress) { handle in
                [
                    .acl(handle: handle, boundary: .firstNonFlushable, capacity: 9) {
                        $0.append([5, 0, 4, 0] + Self.plain)
                    }
                ]
            }
            try await bench.wait(for: "the subscription") { log.reports.count == 1 }
            try await central.leave()
            try await bench.sleep(.seconds(1))
            #expect(
                log.reports == [
                    "0xaa01 to 1 subscribe 0 encrypted 0 mtu 23 known 1",
                    "0xaa01 to 0 subscribe 0 encrypted 0 mtu 23 known 1",
                ])
        }
    }

    /// The owner's link is encrypted until its end, so there is no Security Request.
    @Test func anEncryptedLinkEndsWithoutSecurityRequest() async throws {
        try await run { bench, board, log, controller in
            let (central, _) = try await bench.central()
            let connection = try await central.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
            try await bench.sleep(.milliseconds(300))
            _ = try await central.pair(connection)
            try await central.write([1, 0], to: AttributeID(rawValue: 0x0014), kind: .withResponse, on: connection)
            try await bench.sleep(.milliseconds(100))
            let count = log.reports.count
            try await central.disconnect(connection)
            try await bench.sleep(.milliseconds(200))
            #expect(
                log.reports[count...] == [
                    "0xaa02 to 0 subscribe 0 encrypted 1 mtu 23 known 1",
                    "disconnect 0 encrypted 1 mtu 0 known 0",
                ])
            #expect(controller.requests == 0)
        }
    }

    /// Each stranger costs one of the controller's twelve buffers, whatever the number of subscriptions: the second
    /// request finds the first procedure.
    @Test func twelveUnpairedSubscribersExhaustTheACLBuffers() async throws {
        try await run { bench, board, log, controller in
            let central = try await RawCentral(bench)
            for stranger in 1...12 {
                try await central.connect(to: board.bluetoothAddress)
                central.send(Self.secret, channel: 4)
                central.send(Self.authenticated, channel: 4)
                try await bench.sleep(.milliseconds(200))
                let frames = central.drainFrames()
                // The next link gets the handle, and the orphaned procedure.
                #expect(frames.contains(Self.securityRequest) == (stranger == 1), "stranger \(stranger)")
                #expect(frames.count { $0 == ["0004", "13"] } == 2, "stranger \(stranger)")
                try await central.leave()
                try await bench.sleep(.milliseconds(200))
                #expect(controller.requests == stranger + 1)
            }
            try await central.connect(to: board.bluetoothAddress)
            central.send(Self.write, channel: 4)
            try await bench.sleep(.seconds(1))
            #expect(log.reports.last == "write 0 encrypted 0 mtu 23 known 1")
            #expect(central.drainFrames() == [])
        }
    }

    @Test func unprotectedSubscriptionsUseNoBuffer() async throws {
        try await run { bench, board, log, controller in
            let central = try await RawCentral(bench)
            for _ in 1...14 {
                try await central.connect(to: board.bluetoothAddress)
                try await exchange(Self.plain, central, bench)
                try await central.leave()
            }
            try await central.connect(to: board.bluetoothAddress)
            try await exchange(Self.write, central, bench)
            #expect(controller.requests == 0)
        }
    }

    /// The slot is free again after 30 s, without a callback.
    @Test func aSecurityRequestOnAnEndedLinkBlocksPairingFor30Seconds() async throws {
        try await run { bench, board, log, _ in
            let first = try await RawCentral(bench)
            try await first.connect(to: board.bluetoothAddress)
            try await exchange(Self.plain, first, bench)
            await board.type(Array("a".utf8))
            let second = try await RawCentral(bench, 2)
            try await second.connect(to: board.bluetoothAddress)
            second.send(Self.secret, channel: 4)
            try await bench.sleep(.milliseconds(200))
            #expect(second.drainFrames() == [Self.securityRequest, ["0004", "13"]])
            try await second.leave()
            try await bench.sleep(.milliseconds(200))
            // The first has another handle than the request.
            let count = log.reports.count
            first.send(Self.pairingRequest, channel: 6)
            try await bench.sleep(.seconds(29))
            #expect(first.drainFrames() == [])
            first.send(Self.secret, channel: 4)
            try await bench.sleep(.milliseconds(500))
            #expect(first.drainFrames() == [["0004", "13"]])
            try await bench.sleep(.seconds(2))
            first.send(Self.pairingRequest, channel: 6)
            try await bench.sleep(.milliseconds(500))
            #expect(first.drainFrames().map { $0[1].prefix(2) } == ["02"])
            #expect(log.reports[count...] == ["0xaa02 to 1 subscribe 0 encrypted 0 mtu 23 known 1"])
        }
    }

    /// The results of the sketch's calls on an ended link: the first request was sent, the second finds its procedure.
    @Test func theSketchCanRequestSecurityOnAnEndingLink() async throws {
        try await run { bench, board, log, controller in
            await board.type(Array("s".utf8))
            let central = try await RawCentral(bench)
            try await central.connect(to: board.bluetoothAddress)
            for pdu in [Self.plain, Self.secret] { try await exchange(pdu, central, bench) }
            let count = log.reports.count
            try await central.leave()
            try await bench.sleep(.milliseconds(200))
            #expect(
                log.reports[count...] == [
                    "authentication 0 encrypted 0 mtu 23 known 1",
                    "0xaa01 to 0 subscribe 0 encrypted 0 mtu 23 known 1",
                    "security 1 0",
                    "0xaa02 to 0 subscribe 0 encrypted 0 mtu 23 known 1",
                    "security 1 2",
                    "disconnect 0 encrypted 0 mtu 0 known 0",
                ])
            #expect(controller.requests == 2)
        }
    }

    // MARK: Helpers

    private static let pairingRequest: [UInt8] = [0x01, 0x03, 0x00, 0x09, 0x10, 0x03, 0x03]

    /// Sends a request and expects its response.
    private func exchange(_ pdu: [UInt8], _ central: RawCentral, _ bench: BoardBench) async throws {
        central.send(pdu, channel: 4)
        try await bench.sleep(.milliseconds(200))
        #expect(central.drainFrames().contains(["0004", "13"]))
    }

    private func run(
        _ body: @escaping @Sendable (BoardBench, VirtualBoard, BoardLog, SentRequests) async throws -> Void
    ) async throws {
        let firmware = try await SketchBuilds.shared.build("Unsubscribing")
        let bench = try await BoardBench()
        try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            // The only device, so the board has the first controller.
            let controller = SentRequests()
            await bench.radio.setObserver { controller.observe($0) }
            await board.powerOn()
            try await bench.sleep(.seconds(1))
            try await body(bench, board, log, controller)
        }
    }
}

/// Counts the Security Requests of the first host on the radio.
private final class SentRequests: Sendable {
    private let state = Mutex<(controller: ControllerID?, requests: Int)>((nil, 0))

    var requests: Int { state.withLock { $0.requests } }

    func observe(_ observation: Radio.Observation) {
        state.withLock { state in
            if state.controller == nil { state.controller = observation.controller }
            guard observation.isFromHost, observation.controller == state.controller,
                observation.packet.kind == .acl, observation.packet.bytes.count > 8
            else { return }
            // Length, channel and code.
            if observation.packet.bytes[4...8].elementsEqual([2, 0, 6, 0, 0x0B]) { state.requests += 1 }
        }
    }
}

extension BoardLog {
    /// The lines of the sketch `Unsubscribing`.
    fileprivate var reports: [String] {
        console.split(whereSeparator: \.isNewline).map(String.init).filter { line in
            line.contains(" known ") || line.hasPrefix("security")
        }
    }
}
