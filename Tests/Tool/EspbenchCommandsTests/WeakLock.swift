import BenchModel
import Foundation

/// A servo lock without one of its protections, and the attacks that must then succeed.
struct WeakLock: Sendable, CustomStringConvertible {
    /// A replacement of text in a file of the sketch's folder.
    struct Change: Sendable {
        var file: String
        var old: String
        var new: String
    }

    let description: String
    let changes: [Change]
    /// Cases of security.yaml and strangers.yaml.
    let attacks: [String]

    /// The suites whose cases are attacks.
    static let suites = ["security.yaml", "strangers.yaml"]

    private static func change(_ file: String, _ old: String, _ new: String) -> Change {
        Change(file: file, old: old, new: new)
    }

    private static let openAttributes = [
        change(
            "LockService.h", "NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_ENC | NIMBLE_PROPERTY::WRITE_AUTHEN",
            "NIMBLE_PROPERTY::WRITE"),
        change("LockService.h", "| NIMBLE_PROPERTY::READ_ENC | NIMBLE_PROPERTY::READ_AUTHEN", ""),
        change("LockService.h", "!session.isConnected || !session.isTrusted", "!session.isConnected"),
        change(
            "Gatekeeper.cpp", "return session != nullptr && session->isTrusted && security.isTrustworthy();",
            "return session != nullptr;"),
    ]

    static let all = [
        WeakLock(
            description: "asks for no encryption", changes: openAttributes,
            attacks: [
                "moves for no write of a stranger", "tells a stranger nothing, however it is read",
                "takes no prepared writes of a stranger", "takes no {length} bytes of a stranger",
                "says nothing to a stranger who has subscribed", "lets no stranger pair without a passkey",
                "lets nobody pair outside its window, not even with the passkey",
                "knows its owner by keys, not by an address that somebody has copied",
            ]),
        WeakLock(
            description: "whose owner does not encrypt, and a stranger's write needs no signature",
            changes: openAttributes + [
                change("Suites/security.yaml", "      - encrypt: owner\n      - fault", "      - fault"),
                change("Suites/security.yaml", "      - encrypt: owner\n      # \"0\"", "      # \"0\""),
                change(
                    "Suites/security.yaml", "[0xd2, {handle: command}, 0x31, {repeat: 0, times: 12}]",
                    "[0x52, {handle: command}, 0x31]"),
            ],
            attacks: [
                "obeys a write once, though somebody plays it back",
                "obeys no write that somebody changes on its way", "takes no signed write of a stranger",
            ]),
        WeakLock(
            description: "keeps strangers connected",
            changes: [change("Gatekeeper.h", "graceMilliseconds = 10 * 1000", "graceMilliseconds = 600 * 1000")],
            attacks: [
                "keeps no stranger for longer than ten seconds",
                "gives its owner a place, though strangers take all there are",
                "lets its owner in again soon, when a stranger leaves a pairing unfinished",
            ]),
        WeakLock(
            description: "can always be paired with",
            changes: [
                change(
                    "Gatekeeper.cpp",
                    "return _bonds.isEmpty() || (_window.isRunning() && !_window.isDue(now));", "return true;")
            ],
            attacks: [
                "lets no stranger pair without a passkey",
                "lets nobody pair outside its window, not even with the passkey", "opens its window for one",
                "knows its owner by keys, not by an address that somebody has copied",
            ]),
        WeakLock(
            description: "accepts any key",
            changes: [
                change(
                    "Gatekeeper.cpp",
                    "const bool isAdmitted = security.isTrustworthy() && (!isPairing || _passkeyInUse.isRunning());",
                    "const bool isAdmitted = true;")
            ],
            attacks: [
                "takes no pairing without a passkey, also in its window", "lets no stranger pair without a passkey",
                "lets nobody pair outside its window, not even with the passkey",
            ]),
        WeakLock(
            description: "accepts legacy pairing",
            changes: [
                change("build_opt.h", "SC_ONLY=1", "SC_ONLY=0"),
                change("Configuration.h", "MYNEWT_VAL_BLE_SM_SC_ONLY != 1", "false"),
            ],
            attacks: ["takes no legacy pairing, however right its passkey", "takes no key of {size} bytes"]),
        WeakLock(
            description: "does not limit attempts",
            changes: [change("AttemptLimiter.cpp", "if (failures == 0) return 0;", "return 0;")],
            attacks: [
                "takes no wrong passkey",
                "slows guessing down, also for who knows the passkey, and over a reboot",
                "counts an attempt that nobody finishes as failed",
                "charges an attempt before it begins, so that cutting the power gains nothing",
            ]),
        WeakLock(
            description: "reuses its passkey",
            changes: [
                change("Passkey.cpp", "while (next == original || next == _value);", "while (false);"),
                change("Passkey.cpp", "while (other == _value);", "while (false);"),
                change("Passkey.cpp", "value = _random();", "value = 42137;"),
            ],
            attacks: [
                "takes no passkey that somebody has overheard",
                "takes no passkey that somebody has overheard, when the power goes at SMP PDU {n} of the pairing",
            ]),
        WeakLock(
            description: "never recovers from a failure",
            changes: [
                change("Gatekeeper.cpp", "if (_limiter.isRunning() && !_sessions.hasUntrusted()) {", "if (false) {"),
                change("AttemptLimiter.h", "longestAttempt = 90 * 1000", "longestAttempt = 9000 * 1000"),
                change(
                    "AttemptLimiter.cpp", "if (_failures > 0) _wait.start(now, waitAfter(_failures, _isPasskeyFixed));",
                    "if (_failures > 0) _wait.start(now, longestWaitForFixed);"),
            ],
            attacks: [
                "is nobody's, and can still be paired with, when the power goes at SMP PDU {n} of a pairing",
                "has its owner or none, but a whole one, when the power goes at NVS write {n} after a pairing",
            ]),
        WeakLock(
            description: "registers clients late",
            changes: [
                change("Board.h", "#include <vector>", "#include <algorithm>\n#include <vector>"),
                change(
                    "Board.h", "    ble_gap_conn_desc desc;\n",
                    """
                        ble_gap_conn_desc desc;
                        const std::vector<uint16_t> connected = NimBLEDevice::createServer()->getPeerDevices();

                    """),
                change(
                    "Board.h", "if (count == capacity ||",
                    "if (std::find(connected.begin(), connected.end(), handle) == connected.end() || count == capacity ||"
                ),
            ],
            attacks: [
                "lets its owner in who encrypts, subscribes and writes at once after connecting",
                "gives nobody a place for longer whose link layer does not answer",
            ]),
        WeakLock(
            description: "restarts advertising in callbacks only",
            changes: [
                change("ServoLock.ino", "    advertise();\n", ""),
                change("ServoLock.ino", "    gatekeeper.connected(millis());", "    advertise();"),
                change(
                    "ServoLock.ino", "    gatekeeper.disconnected(millis());",
                    "    gatekeeper.disconnected(millis());\n    advertise();"),
                change("ServoLock.ino", "class ServerCallbacks", "static void advertise();\nclass ServerCallbacks"),
            ],
            attacks: [
                "is found again after strangers who left at once",
                "is found again after a link that ended at LL control PDU {n}",
                "is found again after three strangers who vanished at LL control PDU {n}",
            ]),
        // Not attacks: these cases test faults of the air and of the power.
        WeakLock(
            description: "without attacks",
            changes: [
                change("Suites/security.yaml", "      - fault:", "      #- fault:"),
                change("Suites/security.yaml", "- power: {cut", "#- power: {cut"),
                change(
                    "Suites/security.yaml",
                    "      - pair: {on: clone, passkey: '/Passkey: (\\d{6})/'}\n      - expect: {console: Client authenticated}\n",
                    ""),
            ],
            attacks: [
                "pairs with nobody while somebody in between changes its public key",
                "pairs with nobody while somebody in between changes the lock's public key",
                "pairs with nobody while somebody in between changes random number {n}",
                "pairs with nobody while somebody in between changes a check of the key",
                "is nobody's, and can still be paired with, when the link breaks at SMP PDU {n} of a pairing",
                "is nobody's, and can still be paired with, when the power goes at SMP PDU {n} of a pairing",
                "gives up a pairing that goes silent",
                "throws a client out whose key is another than the one it has for that address",
            ]),
    ]

    /// Copies the sketch to `folder`, with the changes.
    ///
    /// - Throws: when a text to be replaced is missing: then adapt it here.
    func write(from sketch: URL, to folder: URL) throws {
        try FileManager.default.copyItem(at: sketch, to: folder)
        for change in changes {
            let file = folder.appending(path: change.file)
            let text = try String(contentsOf: file, encoding: .utf8)
            guard text.contains(change.old) else { throw Missing(change: change) }
            try Data(text.replacing(change.old, with: change.new).utf8).write(to: file)
        }
        for name in Self.suites {
            let suite = folder.appending(path: "Suites/\(name)")
            let text = try String(contentsOf: suite, encoding: .utf8)
            try Data(text.replacing("sketch: ServoLock", with: "sketch: \(folder.path)").utf8).write(to: suite)
        }
    }

    struct Missing: Error {
        var change: Change
    }
}
