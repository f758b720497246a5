import BLEHost
import ByteCodec
import Testing

/// The recordings of the real NimBLE host, replayed packet by packet.
@Suite struct NimBLETraceTests {
    /// The recorded application's actions between the packets; all others are the host's.
    private func act(before packet: String, _ controller: inout ScriptedController) throws {
        let host = controller.host
        switch packet.prefix(6) {
        case "010a20" where packet.hasSuffix("00"): try host.stopAdvertising(now: controller.now)
        case "010820":
            try host.setAdvertisingData(try significant(packet), now: controller.now)
        case "010920":
            try host.setScanResponseData(try significant(packet), now: controller.now)
        case "010620": try host.startAdvertising(now: controller.now)
        default: break
        }
        controller.drain()
    }

    /// The data of Set Advertising Data or Set Scan Response Data without its uninitialised rest.
    private func significant(_ packet: String) throws -> [UInt8] {
        let bytes = try #require(Hexadecimal.bytes(packet))
        return Array(bytes[5...].prefix(Int(bytes[4])))
    }

    /// Every command from reset to the first disconnect, in order.
    @Test func theHostSendsWhatNimBLESent() throws {
        let lines = try TraceLine.read("nimble-hci-init.jsonl")
        var controller = ScriptedController(.nimble)
        controller.host.start(now: controller.now)
        controller.drain()
        var compared = 0
        var pending: [String] = controller.drainSent()
        for line in lines {
            let packet = try #require(line.hci)
            if line.dir == "c2h" {
                if line.phase == "disconnect", packet.hasPrefix("0405") {
                    // Between connect and disconnect the recorded central exchanged the MTU.
                    controller.sendACL([3, 0, 4, 0, 2, 0xFF, 0])
                    #expect(controller.drainEvents().last == "att 1 02ff00")
                }
                try controller.send(packet)
            } else {
                if pending.isEmpty { try act(before: packet, &controller) }
                pending += controller.drainSent()
                try #require(!pending.isEmpty, "the host does not send \(packet)")
                let own = pending.removeFirst()
                let isData = packet.hasPrefix("010820") || packet.hasPrefix("010920")
                let length = isData ? 10 + 2 * (try significant(packet).count) : max(own.count, packet.count)
                #expect(own.prefix(length) == packet.prefix(length))
                compared += 1
            }
            pending += controller.drainSent()
        }
        #expect(pending.isEmpty)
        #expect(compared == 29)
    }

    @Test func connectedIsReportedAfterVersionAndFeatures() throws {
        var controller = ScriptedController(.nimble)
        try controller.bringUp()
        var seen: [[String]] = []
        for line in try TraceLine.read("nimble-hci-init.jsonl") where line.phase?.hasPrefix("connect") == true {
            if line.dir == "c2h" {
                try controller.send(try #require(line.hci))
                seen.append(controller.drainEvents() + controller.drainSent())
            }
        }
        #expect(
            seen == [
                ["linkEstablished 1 F0:F0:F0:F0:F0:01", "011d04020100"], [], ["011620020100"], [],
                ["connected 1", "012220060100fb004808"], [], [],
            ])
    }

    /// The L2CAP part of the recording: signalling, unknown channels, fragments. ATT is answered by the test.
    @Test func l2capAnswersAsRecorded() throws {
        var controller = ScriptedController(.nimble)
        try controller.bringUp()
        try controller.connectAsPeripheral()
        var compared = 0
        for line in try TraceLine.read("nimble-smp-l2cap.jsonl") where line.cid != 6 && line.step != "connect" {
            // The refusals of the protected read are sent by the attribute server.
            let wanted = try #require(line.recv)
            if let fragments = line.acl {
                for fragment in fragments {
                    let boundary: UInt16 = fragment[0] == "pb2" ? 2 : fragment[0] == "pb1" ? 1 : 0
                    controller.sendACL(boundary: boundary, try #require(Hexadecimal.bytes(fragment[1])))
                }
            } else {
                let text = try #require(line.send)
                let pdu = try #require(Hexadecimal.bytes(text))
                let cid = try #require(line.cid)
                let header = [UInt16(pdu.count), cid].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
                controller.sendACL(header + pdu)
            }
            answerATT(&controller)
            let got = controller.drainSent().filter { !$0.hasPrefix("01350c") }.map { packet -> [String] in
                let l2cap = String(packet.dropFirst(10))
                let cid = l2cap.dropFirst(4).prefix(4)
                return [String(cid.suffix(2) + cid.prefix(2)), String(l2cap.dropFirst(8))]
            }
            #expect(got == wanted, "\(line.step ?? "")")
            try controller.send("0413050101000100")
            compared += 1
        }
        #expect(compared == 48)
    }

    private func answerATT(_ controller: inout ScriptedController) {
        for event in controller.drainEvents() {
            switch event {
            case "att 1 0a0300":
                controller.host.sendATT(
                    [0x0B] + Array("esp-test-device".utf8), on: 1, now: controller.now)
            case "att 1 0a1200": controller.host.sendATT([1, 0x0A, 0x12, 0, 5], on: 1, now: controller.now)
            default: break
            }
        }
        controller.drain()
    }
}
