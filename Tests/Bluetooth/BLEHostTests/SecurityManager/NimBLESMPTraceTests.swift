import BLECore
import BLEHost
import BLEPackets
import ByteCodec
import MonotonicTime
import Testing

/// Raw PDUs to a NimBLE lock in every order, recorded in `nimble-smp-l2cap.jsonl`: its answers, and when it sent none.
/// Public key, confirm and random values are its own secrets there: they are compared by kind and length.
@Suite struct NimBLESMPTraceTests {
    @Test func everyAnswerIsNimBLEs() throws {
        let lines = try TraceLine.read("nimble-smp-l2cap.jsonl")
        var random = SeededRandom(seed: 1)
        let local = DeviceAddress(0xF0F0_F0F0_F002, .public)
        let context = SecurityContext(
            identity: .init(address: local, irk: random.bytes(16)), maximumProcedures: 1)
        var manager: SecurityManager?
        var compared = 0
        for line in lines {
            if line.step == "connect" {
                manager?.disconnected()
                manager = SecurityManager(
                    isCentral: false, local: local, peer: DeviceAddress(0xF0F0_F0F0_F001, .public),
                    configuration: SecurityConfiguration(
                        ioCapability: .displayOnly, bonding: true, mitm: true, secureConnections: true),
                    context: context)
            }
            guard line.cid == 6, let manager, let send = line.send.flatMap({ Hexadecimal.bytes($0) }) else { continue }
            manager.receive(send[...], now: .zero)
            let sent = answers(manager, &random)
            let recorded = (line.recv ?? []).map { $0[1] }
            #expect(sent.map(masked) == recorded.map(masked), "\(line.step ?? "") \(line.note ?? "")")
            compared += 1
        }
        #expect(compared == 49)
    }

    private func answers(_ manager: SecurityManager, _ random: inout SeededRandom) -> [String] {
        var sent: [String] = []
        while let action = manager.nextAction() {
            switch action {
            case .send(let pdu): sent.append(Hexadecimal.string(pdu))
            case .needsRandom(let count): manager.supply(random: random.bytes(count), now: .zero)
            case .needsInput: #expect(manager.answer(.passkey(123_456), now: .zero))
            default: break
            }
        }
        return sent
    }

    private func masked(_ pdu: String) -> String {
        pdu.count > 14 ? "\(pdu.prefix(2)) and \(pdu.count / 2 - 1) bytes" : pdu
    }
}
