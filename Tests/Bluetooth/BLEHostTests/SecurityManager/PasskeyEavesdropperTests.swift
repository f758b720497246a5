import BLEHost
import BLEPackets
import ByteCodec
import MonotonicTime
import Testing

/// Compared with the recording of the real NimBLE host, whose lock has the passkey 123456.
@Suite struct PasskeyEavesdropperTests {
    /// Passes the recorded phases selected by `isHeard` to an eavesdropper; `change` may alter a line's packet.
    private static func listen(
        to isHeard: (String) -> Bool, changing change: (inout [UInt8]) -> Void = { _ in }
    ) throws -> PasskeyEavesdropper {
        var eavesdropper = PasskeyEavesdropper()
        for line in try TraceLine.read("nimble-hci-lock.jsonl") where isHeard(line.phase ?? "") {
            var bytes = try #require(line.hci.flatMap { Hexadecimal.bytes($0) })
            change(&bytes)
            let kind = try #require(HCIPacket.Kind(rawValue: bytes[0]))
            eavesdropper.observe(
                HCIPacket(kind, Array(bytes.dropFirst())), isFromHost: line.dir == "h2c",
                now: MonotonicInstant(nanoseconds: 0))
        }
        return eavesdropper
    }

    private static func isPasskeyEntry(_ phase: String) -> Bool {
        phase.hasPrefix("pair:passkey entry 123456")
    }

    @Test func computesThePasskeyFromOneRecordedPairing() throws {
        #expect(try Self.listen(to: Self.isPasskeyEntry).passkey == 123456)
    }

    @Test func findsNoPasskeyInAJustWorksPairing() throws {
        #expect(try Self.listen { $0.hasPrefix("pair:") && $0.contains("just works") }.passkey == nil)
    }

    /// Opcode 03 is Pairing Confirm, 04 Pairing Random.
    @Test(arguments: [0x03 as UInt8, 0x04]) func oneDifferentBitInARoundPreventsIt(opcode: UInt8) throws {
        var count = 0
        let eavesdropper = try Self.listen(to: Self.isPasskeyEntry) { bytes in
            guard bytes.count == 26, bytes[0] == 2, bytes[7] == 6, bytes[9] == opcode else { return }
            count += 1
            // Pairs of the initiator's and the responder's: one round of each is altered.
            if count == 21 || count == 22 { bytes[20] ^= 1 }
        }
        #expect(count >= 40)
        #expect(eavesdropper.passkey == nil)
    }

    @Test func ignoresAnEncryptedLink() throws {
        var eavesdropper = PasskeyEavesdropper()
        let change = HCIEncryptionChange(status: .success, handle: 1, encryptionEnabled: 1)
        for line in try TraceLine.read("nimble-hci-lock.jsonl") where Self.isPasskeyEntry(line.phase ?? "") {
            let bytes = try #require(line.hci.flatMap { Hexadecimal.bytes($0) })
            let kind = try #require(HCIPacket.Kind(rawValue: bytes[0]))
            eavesdropper.observe(change.packet, isFromHost: false, now: MonotonicInstant(nanoseconds: 0))
            guard kind == .acl else { continue }
            eavesdropper.observe(
                HCIPacket(kind, Array(bytes.dropFirst())), isFromHost: line.dir == "h2c",
                now: MonotonicInstant(nanoseconds: 0))
        }
        #expect(eavesdropper.passkey == nil)
    }
}
