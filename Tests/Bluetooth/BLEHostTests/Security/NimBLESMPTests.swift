import BLECore
import BLEHost
import BLEPackets
import ByteCodec
import Testing

/// Raw PDUs on the Security Manager's channel of the recorded lock, and its answers (`nimble-smp-l2cap.jsonl`).
@Suite struct NimBLESMPTests {
    @Test func everyRecordedAnswerIsEqual() throws {
        let differences = try replay(try TraceLine.read("nimble-smp-l2cap.jsonl"))
        #expect(differences.texts == [])
        #expect(differences.compared == 49)
        #expect(differences.random == 3)
    }

    @Test func oneDifferentByteIsDetected() throws {
        var lines = try TraceLine.read("nimble-smp-l2cap.jsonl")
        let place = try #require(lines.firstIndex { $0.recv == [["0006", "0506"]] })
        lines[place].recv = [["0006", "0507"]]
        #expect(try replay(lines).texts.count == 1)
    }

    private func replay(_ lines: [TraceLine]) throws -> (texts: [String], compared: Int, random: Int) {
        var controller = ScriptedController(.nimble)
        try controller.bringUp()
        controller.host.security = SecurityConfiguration(
            ioCapability: .displayOnly, bonding: true, mitm: true, secureConnections: true)
        var texts: [String] = []
        var compared = 0
        var random = 0
        for line in lines {
            if line.step == "connect" {
                if !controller.host.connections.isEmpty { try controller.send("04050400010013") }
                try controller.connectAsPeripheral()
                continue
            }
            guard line.cid == 6, let text = line.send, let wanted = line.recv else { continue }
            let pdu = try #require(Hexadecimal.bytes(text))
            let header = [UInt16(pdu.count), 6].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            controller.sendACL(header + pdu)
            let got = try answers(&controller)
            // Public key, confirm value and random number differ between runs.
            let masked = wanted.map { Self.masked($0[1]) }
            if got.map(Self.masked) != masked || wanted.contains(where: { $0[0] != "0006" }) {
                texts.append("\(line.step ?? "") \(text): expected \(wanted), got \(got)")
            }
            random += masked.filter { $0.hasSuffix("..") }.count
            compared += 1
        }
        return (texts, compared, random)
    }

    private static func masked(_ pdu: String) -> String {
        switch pdu.prefix(2) {
        case "0c", "03", "04": "\(pdu.prefix(2)) \(pdu.count).."
        default: pdu
        }
    }

    /// The host's PDUs on channel 6 while it receives its random numbers.
    private func answers(_ controller: inout ScriptedController) throws -> [String] {
        var pdus: [String] = []
        while true {
            let sent = controller.drainSent()
            guard !sent.isEmpty else { return pdus }
            for packet in sent {
                if packet.hasPrefix("02") {
                    #expect(packet.dropFirst(14).hasPrefix("0600"))
                    pdus.append(String(packet.dropFirst(18)))
                    try controller.send("0413050101000100")
                } else if packet == "01182000" {
                    try controller.complete("1820", "003cc2248ffef4ceb4")
                } else {
                    #expect(packet.hasPrefix("01350c"), "unexpected \(packet)")
                }
            }
        }
    }
}
