import BLECore
import BLEHost
import BLEPackets
import ByteCodec
import Testing

/// Replays the pairings of the recorded lock and calculator over HCI, with the controller's recorded random numbers: so
/// every key, confirm value and check of the host must come out as it did from NimBLE.
@Suite struct NimBLESecurityHCITests {
    /// Lines that are not compared, with their number: attribute PDUs of the GATT server, and the number of completed
    /// packets, which depends on earlier traffic.
    private static let exceptions = ["attribute PDU": 1, "Host Number Of Completed Packets": 9]

    @Test func theLockPairsAsRecorded() throws {
        let lines = try TraceLine.read("nimble-hci-lock.jsonl")
        var replay = try Replay(startup: lines.filter { $0.phase == "init" })
        replay.controller.host.security = SecurityConfiguration(
            ioCapability: .displayOnly, bonding: true, mitm: true, secureConnections: true)
        let phases = lines.chunked(by: { $0.phase }).filter {
            $0[0].phase?.hasPrefix("pair:") == true || $0[0].phase?.hasPrefix("encrypt:") == true
        }
        #expect(phases.count == 6)
        for phase in phases { try replay.play(phase) }
        #expect(replay.compared == 213)
        #expect(replay.differences == [])
        #expect(replay.left == Self.exceptions)
        #expect(replay.controller.host.bonds.count == 1)
        #expect(replay.controller.host.bonds.first?.localKey?.isAuthenticated == true)
    }

    @Test func theCalculatorPairsAsRecorded() throws {
        let startup = try TraceLine.read("nimble-hci-lock.jsonl").filter { $0.phase == "init" }
        // The calculator's IRK, from its pairing.
        let key = try #require(Hexadecimal.bytes("4f1b43de97cbf9cc0457aca216b1fcea"))
        var replay = try Replay(startup: startup, identityKey: key)
        replay.controller.host.security = SecurityConfiguration()
        for phase in try TraceLine.read("nimble-hci-calculator-pair.jsonl").chunked(by: { $0.phase }) {
            try replay.play(phase)
        }
        #expect(replay.compared == 15)
        #expect(replay.differences == [])
        #expect(replay.left == [:])
        #expect(replay.controller.host.bonds == [])
    }

    @Test func oneDifferentByteIsDetected() throws {
        var lines = try TraceLine.read("nimble-hci-lock.jsonl")
        let place = try #require(lines.firstIndex { $0.hci?.hasPrefix("011a2012010089") == true })
        lines[place].hci = lines[place].hci?.replacing("011a2012010089", with: "011a2012010088")
        var replay = try Replay(startup: lines.filter { $0.phase == "init" })
        replay.controller.host.security = SecurityConfiguration(
            ioCapability: .displayOnly, bonding: true, mitm: true, secureConnections: true)
        let phase = lines.filter { $0.phase == "pair:just works, no bonding asked by central" }
        try replay.play(phase)
        #expect(replay.differences.count == 1)
    }

    private struct Replay {
        var controller = ScriptedController(.nimble)
        var compared = 0
        var left: [String: Int] = [:]
        var differences: [String] = []

        init(startup: [TraceLine], identityKey: [UInt8]? = nil) throws {
            controller.host.setIdentityKey(identityKey)
            controller.host.start(now: controller.now)
            controller.drain()
            var answers = startup.filter { $0.dir == "c2h" }.compactMap(\.hci)
            // Without an IRK NimBLE draws two random numbers for one.
            if identityKey != nil {
                let first = try #require(answers.firstIndex { $0.hasPrefix("040e0c01182000") })
                answers.removeSubrange(first...first + 1)
            }
            for answer in answers where !controller.host.isReady { try controller.send(answer) }
            #expect(controller.host.isReady)
        }

        mutating func play(_ phase: [TraceLine]) throws {
            let name = phase[0].phase ?? ""
            if !controller.host.connections.isEmpty { try controller.send("04050400010013") }
            controller.drain()
            try controller.connectAsPeripheral()
            _ = controller.drainSent()
            var commands: [String] = []
            var data: [String] = []
            for line in phase {
                let packet = try #require(line.hci)
                if line.dir == "c2h" {
                    try controller.send(packet)
                    answerPairing()
                }
                for sent in controller.drainSent() where !sent.hasPrefix("01350c") {
                    if sent.hasPrefix("02") { data.append(sent) } else { commands.append(sent) }
                }
                guard line.dir == "h2c" else { continue }
                if packet.hasPrefix("01350c") {
                    left["Host Number Of Completed Packets", default: 0] += 1
                } else if packet.hasPrefix("02"), packet.dropFirst(14).hasPrefix("0400") {
                    left["attribute PDU", default: 0] += 1
                } else {
                    let own: String?
                    if packet.hasPrefix("02") {
                        own = data.isEmpty ? nil : data.removeFirst()
                    } else {
                        own = commands.isEmpty ? nil : commands.removeFirst()
                    }
                    if own != packet {
                        differences.append("\(name), line \(compared): expected \(packet), got \(own ?? "nothing")")
                    }
                    compared += 1
                }
            }
            differences += (commands + data).map { "\(name): unexpected \($0)" }
        }

        /// The recorded lock shows 123456.
        private mutating func answerPairing() {
            for event in controller.drainEvents() where event == "pairingInput 1 displayPasskey" {
                try? controller.host.answerPairing(.passkey(123456), on: 1, now: controller.now)
                controller.drain()
            }
        }
    }
}

extension Array {
    /// Runs of elements with the same key.
    func chunked<Key: Equatable>(by key: (Element) -> Key) -> [[Element]] {
        var chunks: [[Element]] = []
        for element in self {
            if let last = chunks.last?.last, key(last) == key(element) {
                chunks[chunks.count - 1].append(element)
            } else {
                chunks.append([element])
            }
        }
        return chunks
    }
}
