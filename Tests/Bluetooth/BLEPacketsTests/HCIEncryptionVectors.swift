import BLEPackets
import ByteCodec

/// Encryption. The example of Core 5.4, Vol 6 Part C 1.1, the keys of Vol 3 Part H 2.3.5.6.1, and what NimBLE 2.5.1
/// and its controller exchanged (`Tests/Bluetooth/Traces/nimble-hci-*.jsonl`).
enum HCIEncryptionVectors {
    private static let plaintext = "1302f1e0dfcebdac7968574635241302"
    private static let key = "bf01fb9d4ef3bc36d874f5394138684c"
    private static let encrypted = "66c6c2278e3b8e053e7ea326521bad99"
    private static let longTermKey = "fc40928005494eed05f2e61150ab549a"
    private static let x = "e69d350e480103ccdbfdf4ac1191f4efb9a5f9e9a7832c5e2cbe97f2d203b020"
    private static let y = "8bd28915d08e1c742430ed8fc24563765c15525abf9a32636deb2a65499c80dc"
    private static let dhKey = "98a6bf73f3348d86f166f8b4136b79999b7d390aa610103405adc857a33402ec"

    private static func bytes(_ hexadecimal: String) -> ArraySlice<UInt8> {
        (Hexadecimal.bytes(hexadecimal) ?? [])[...]
    }

    static let all: [HCIVector] = [
        .command("1720 20" + key + plaintext, HCILEEncrypt(key: bytes(key), plaintext: bytes(plaintext))),
        .answer(
            "0e14 01 1720 00" + encrypted, HCILEEncrypt.self,
            .init(status: .success, encryptedData: bytes(encrypted))),
        .command(
            "1920 1c 0100 7856341278563412 7424" + longTermKey,
            HCILEEnableEncryption(
                handle: 1, randomNumber: 0x1234_5678_1234_5678, encryptedDiversifier: 0x2474,
                longTermKey: bytes(longTermKey))),
        // Recorded.
        .event(
            "3e0d 05 0100 3fdc816c7f5e1987 86a2",
            HCILELongTermKeyRequest(
                handle: 1, randomNumber: 0x8719_5E7F_6C81_DC3F, encryptedDiversifier: 0xA286)),
        .command(
            "1a20 12 0100" + longTermKey, HCILELongTermKeyRequestReply(handle: 1, longTermKey: bytes(longTermKey))),
        .answer("0e06 01 1a20 00 0100", HCILELongTermKeyRequestReply.self, .init(status: .success, handle: 1)),
        .command("1b20 02 0100", HCILELongTermKeyRequestNegativeReply(handle: 1)),
        .answer(
            "0e06 01 1b20 00 0100", HCILELongTermKeyRequestNegativeReply.self, .init(status: .success, handle: 1)),
        .event("0804 00 0100 01", HCIEncryptionChange(status: .success, handle: 1, encryptionEnabled: 1)),
        // 7.7.39, 7.7.8.
        .event("3003 00 0100", HCIEncryptionKeyRefreshComplete(status: .success, handle: 1)),
        .event("0804 06 0200 00", HCIEncryptionChange(status: .pinOrKeyMissing, handle: 2, encryptionEnabled: 0)),
        .command("2520 00", HCILEReadLocalP256PublicKey()),
        .event(
            "3e42 08 00" + x + y,
            HCILEReadLocalP256PublicKeyComplete(status: .success, x: bytes(x), y: bytes(y))),
        .command("2620 40" + x + y, HCILEGenerateDHKey(x: bytes(x), y: bytes(y))),
        .event("3e22 09 00" + dhKey, HCILEGenerateDHKeyComplete(status: .success, key: bytes(dhKey))),
    ]
}
