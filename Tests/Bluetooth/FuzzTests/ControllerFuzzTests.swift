import BLECore
import BLEPackets
import BLERadio
import ByteCodec
import MonotonicTime
import Testing

/// Controllers of every personality on one medium, with random input from their hosts.
@Suite struct ControllerFuzzTests {
    @Test(arguments: Fuzz.seeds) func randomHostInputNeverTrapsControllers(seed: UInt64) throws {
        var fuzz = Fuzz(seed: seed, "controllers")
        let packets = try Recordings.packets()
        let commands = packets.filter { $0.kind == .command }.map(\.bytes) + Self.everyCommand
        let data = packets.filter { $0.kind == .acl }.map(\.bytes)
        let air = Air(seed: seed)
        let personalities = [ControllerPersonality.esp32, .bluetooth5_0, .extended, .esp32]
        let ids = personalities.enumerated().map { number, personality in
            air.addController(
                address: DeviceAddress(0x24_0A_C4_00_00_00 + UInt64(number), .public), personality: personality,
                txPower: 0)
        }
        var now = MonotonicInstant.zero
        var output: [(ControllerID, HCIPacket)] = []
        var seen = Seen()
        for round in 0..<60_000 {
            if round % 500 == 0 {
                Self.settle(air, ids, &now, isEncrypted: round % 1000 == 0)
                air.drainOutput(&output)
                seen.count(output)
                output.removeAll(keepingCapacity: true)
            }
            let isCommand = !fuzz.once(in: 3)
            var bytes = fuzz.input(near: isCommand ? commands : data, longest: 280)
            if isCommand, bytes.count >= 3, !fuzz.once(in: 6) { bytes[2] = UInt8(truncatingIfNeeded: bytes.count - 3) }
            if !isCommand, bytes.count >= 4, !fuzz.once(in: 6) {
                bytes[0] = UInt8(fuzz.below(4))
                bytes[1] &= 0x30
                bytes[2] = UInt8(truncatingIfNeeded: bytes.count - 4)
                bytes[3] = UInt8(truncatingIfNeeded: (bytes.count - 4) >> 8)
            }
            air.receive(HCIPacket(isCommand ? .command : .acl, bytes), from: fuzz.any(of: ids), now: now)
            air.drainOutput(&output)
            guard output.count <= 64 else {
                Issue.record("\(output.count) packets for one: \(fuzz.place(bytes))")
                return
            }
            for (_, packet) in output where packet.kind == .event {
                #expect((try? HCIAnyEvent(decoding: packet.bytes[...])) != nil, "\(fuzz.place(bytes))")
            }
            seen.count(output)
            output.removeAll(keepingCapacity: true)
            if fuzz.once(in: 12) {
                now = now.advanced(by: .milliseconds(fuzz.below(60)))
                air.advance(to: now)
                air.drainOutput(&output)
                seen.count(output)
                output.removeAll(keepingCapacity: true)
            }
        }
        // Coverage: there were connections, encrypted ones as well, and data transfers.
        #expect(seen.connections > 100)
        #expect(seen.encryptions > 20)
        #expect(seen.data > 100)
        // A reset ends all activity of every controller, whatever its state.
        for id in ids { air.receive(HCIReset().packet, from: id, now: now) }
        air.advance(to: now.advanced(by: .seconds(60)))
        #expect(air.nextDeadline == nil)
    }

    /// The coverage.
    private struct Seen {
        var connections = 0
        var encryptions = 0
        var data = 0

        mutating func count(_ output: [(ControllerID, HCIPacket)]) {
            for (_, packet) in output {
                switch (packet.kind, packet.bytes.first) {
                case (.acl, _): data += 1
                case (.event, 0x08) where packet.bytes[2] == 0: encryptions += 1
                case (.event, 0x3E) where packet.bytes[2] == 1 && packet.bytes[3] == 0: connections += 1
                default: break
                }
            }
        }
    }

    /// All controllers are reset, and the first and the last one connect, with handle 0 on both sides.
    private static func settle(
        _ air: Air, _ ids: [ControllerID], _ now: inout MonotonicInstant, isEncrypted: Bool
    ) {
        for id in ids {
            air.receive(HCIReset().packet, from: id, now: now)
            air.receive(HCISetEventMask(mask: 0x3DBF_F807_FFFB_FFFF).packet, from: id, now: now)
            air.receive(HCILESetEventMask(mask: 0x7F).packet, from: id, now: now)
        }
        for one in ids {
            for other in ids { air.setPath(RadioPath(pathLoss: 40, lossRate: 0), between: one, and: other, now: now) }
        }
        let advertising = HCILESetAdvertisingParameters(
            minimumInterval: 0x30, maximumInterval: 0x30, type: .connectable, ownAddressType: .public,
            peerAddress: DeviceAddress(0, .public), channelMap: 7, filterPolicy: 0)
        air.receive(advertising.packet, from: ids[0], now: now)
        air.receive(HCILESetAdvertisingEnable(isEnabled: true).packet, from: ids[0], now: now)
        let connection = HCILECreateConnection(
            scanInterval: 0x60, scanWindow: 0x60, usesFilterAcceptList: false,
            peerAddress: DeviceAddress(0x24_0A_C4_00_00_00, .public), ownAddressType: .public,
            parameters: HCIConnectionParameters(
                minimumInterval: 24, maximumInterval: 24, latency: 0, supervisionTimeout: 42))
        air.receive(connection.packet, from: ids[3], now: now)
        run(air, &now)
        guard isEncrypted else { return }
        let key = [UInt8](0..<16)
        air.receive(
            HCILEEnableEncryption(handle: 0, randomNumber: 0, encryptedDiversifier: 0, longTermKey: key[...]).packet,
            from: ids[3], now: now)
        run(air, &now)
        air.receive(
            HCILELongTermKeyRequestReply(handle: 0, longTermKey: key[...]).packet, from: ids[0], now: now)
        run(air, &now)
    }

    private static func run(_ air: Air, _ now: inout MonotonicInstant) {
        now = now.advanced(by: .milliseconds(200))
        air.advance(to: now)
    }

    /// One of each, with parameters of small numbers.
    private static let everyCommand: [[UInt8]] = HCIOpcode.commands.flatMap { type -> [[UInt8]] in
        let length = (0...64).first { count in
            (try? type.init(parameters: ArraySlice(repeatElement(0, count: count)))) != nil
        }
        let opcode = [UInt8(truncatingIfNeeded: type.opcode.rawValue), UInt8(type.opcode.rawValue >> 8)]
        return [0, 1, 2].map { value in
            opcode + [UInt8(length ?? 0)] + [UInt8](repeating: value, count: length ?? 0)
        }
    }
}
