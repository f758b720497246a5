import BLECore
import BLEHost
import BLEPackets
import ByteCodec
import MonotonicTime
import Testing

/// Whole pairings of a NimBLE 2.5.1 as responder, recorded at its HCI: with its controller's random numbers, this side
/// must send the same, byte for byte: public key, confirm values, DHKey checks, Long Term Keys.
@Suite struct NimBLEPairingTraceTests {
    /// Plays a recording back to a Security Manager.
    private struct Replay {
        var lines: [TraceLine]
        let manager: SecurityManager
        var randomNumbers: [[UInt8]] = []
        var usedRandomNumbers = 0
        /// With the first bond, NimBLE's list of private addresses draws a random number: not one of the Security
        /// Manager's.
        var hasBonded = false
        var bond: Bond?
        var sent: [String] = []
        var recorded: [String] = []
        var ends: [SecurityStatus] = []

        init(_ file: String, from phase: String, irk: String, _ configuration: SecurityConfiguration) throws {
            let all = try TraceLine.read(file)
            lines = Array(all.drop { $0.phase?.hasPrefix(phase) != true })
            let local = DeviceAddress(0xF0F0_F0F0_F002, .public)
            let irk = try #require(Hexadecimal.bytes(irk))
            manager = SecurityManager(
                isCentral: false, local: local, peer: DeviceAddress(0xF0F0_F0F0_F001, .public),
                configuration: configuration,
                context: SecurityContext(identity: .init(address: local, irk: irk), maximumProcedures: 1))
            for line in lines {
                guard let bytes = line.hci.flatMap({ Hexadecimal.bytes($0) }) else { continue }
                if bytes.starts(with: [0x04, 0x0E, 0x0C, 0x01, 0x18, 0x20, 0x00]) {
                    randomNumbers.append(Array(bytes[7...]))
                }
            }
        }

        mutating func run() throws {
            for line in lines {
                let bytes = try #require(line.hci.flatMap { Hexadecimal.bytes($0) })
                let isSMP = bytes[0] == 2 && bytes[7...8].elementsEqual([6, 0])
                if line.dir == "h2c" {
                    if isSMP { recorded.append(Hexadecimal.string(bytes[9...])) }
                    if bytes.starts(with: [1, 0x1A, 0x20]) {
                        recorded.append("key " + Hexadecimal.string(bytes[6...]))
                    }
                    if bytes.starts(with: [1, 0x1B, 0x20]) { recorded.append("no key") }
                } else if isSMP {
                    manager.receive(bytes[9...], now: .zero)
                } else if bytes.starts(with: [4, 8]) {
                    manager.encryptionChanged(
                        HCIErrorCode(rawValue: bytes[3]), isEncrypted: bytes[6] == 1, now: .zero)
                } else if bytes.starts(with: [4, 0x3E, 0x0D, 5]) {
                    var reader = ByteReader(bytes[6...], subject: "LE Long Term Key Request")
                    let rand = try reader.uint64()
                    manager.longTermKeyRequested(
                        ediv: try reader.uint16(), rand: rand, bonded: bond?.localKey, now: .zero)
                }
                perform()
            }
        }

        private mutating func perform() {
            while let action = manager.nextAction() {
                switch action {
                case .send(let pdu): sent.append(Hexadecimal.string(pdu))
                case .needsRandom(let count):
                    let used = (count + 7) / 8
                    let bytes = randomNumbers[usedRandomNumbers...].prefix(used).flatMap { $0 }
                    usedRandomNumbers += used
                    manager.supply(random: Array(bytes.prefix(count)), now: .zero)
                case .replyLongTermKey(let key): sent.append("key " + Hexadecimal.string(key))
                case .refuseLongTermKey: sent.append("no key")
                case .needsInput(let input):
                    #expect(input == .displayPasskey)
                    #expect(manager.answer(.passkey(123_456), now: .zero))
                case .forgetBond: bond = nil
                case .bonded(let new):
                    bond = new
                    if !hasBonded { usedRandomNumbers += 2 }
                    hasBonded = true
                case .ended(_, let status): ends.append(status)
                case .startEncryption, .securityRequested: Issue.record("\(action)")
                }
            }
        }
    }

    @Test func theLockSendsWhatNimBLESent() throws {
        var replay = try Replay(
            "nimble-hci-lock.jsonl", from: "pair:", irk: "a775a232e6851a65e25e4cbfa0c95417",
            SecurityConfiguration(ioCapability: .displayOnly, bonding: true, mitm: true, secureConnections: true))
        try replay.run()
        #expect(replay.sent.count == replay.recorded.count)
        for (sent, recorded) in zip(replay.sent, replay.recorded) { #expect(sent == recorded) }
        #expect(replay.usedRandomNumbers == replay.randomNumbers.count)
        // Just works, legacy just works, a wrong passkey, the right one, the bond, and a pairing over it.
        #expect(
            replay.ends == [.success, .success, .failed(.confirmValueFailed), .success, .success, .success])
        #expect(
            replay.manager.security
                == LinkSecurity(
                    isEncrypted: true, isAuthenticated: true, isBonded: true, keySize: 16))
        #expect(replay.bond?.peer == DeviceAddress(0xF0F0_F0F0_F001, .public))
        #expect(replay.bond?.localKey == replay.bond?.peerKey)
        #expect(replay.bond?.localKey?.isAuthenticated == true)
    }

    @Test func aDeviceWithoutSecuritySettingsSendsWhatNimBLESent() throws {
        var replay = try Replay(
            "nimble-hci-calculator-pair.jsonl", from: "pair", irk: "4f1b43de97cbf9cc0457aca216b1fcea",
            SecurityConfiguration())
        try replay.run()
        #expect(replay.recorded.count > 6)
        #expect(replay.sent == replay.recorded)
        #expect(replay.usedRandomNumbers == replay.randomNumbers.count)
        #expect(replay.bond == nil)
        #expect(replay.ends == [.success])
    }
}
