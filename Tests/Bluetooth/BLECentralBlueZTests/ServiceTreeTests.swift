import BLECentral
import BLECore
import DBus
import Testing

import BLECentralBlueZ

@Suite struct ServiceTreeTests {
    private static let device = ObjectTreeTests.device

    private static func words(_ words: String...) -> DBusValue { .array(.string, words.map { .string($0) }) }

    private static let tree = ObjectTreeTests.tree([
        device: [BlueZ.device: ["Address": .string("24:0A:C4:00:01:10")]],
        "\(device)/service000e": [BlueZ.gattService: ["UUID": .string("180f"), "Primary": .boolean(true)]],
        "\(device)/service0001": [BlueZ.gattService: ["UUID": .string("1801"), "Primary": .boolean(true)]],
        "\(device)/service0100": [BlueZ.gattService: ["UUID": .string("180a"), "Primary": .boolean(false)]],
        "\(device)/service000e/char0012": [
            BlueZ.characteristic: ["UUID": .string("2a1b"), "Flags": words("indicate", "reliable-write")]
        ],
        "\(device)/service000e/char000f": [
            BlueZ.characteristic: [
                "UUID": .string("2a19"), "Flags": words("read", "notify", "write-without-response"),
                "MTU": .uint16(255),
            ]
        ],
        "\(device)/service000e/char000f/desc0011": [BlueZ.descriptor: ["UUID": .string("2902")]],
        // Malformed ones are left out.
        "\(device)/service000e/charxxxx": [BlueZ.characteristic: ["UUID": .string("2a19")]],
        "\(device)/service000e/char0020": [BlueZ.characteristic: ["UUID": .string("?")]],
        "\(device)/service000e/charffff": [BlueZ.characteristic: ["UUID": .string("2a19")]],
        "/org/bluez/hci0/dev_24_0A_C4_00_01_11/service0001": [BlueZ.gattService: ["UUID": .string("1801")]],
    ])

    @Test func servicesAreInTheOrderOfTheirHandles() throws {
        let tree = ServiceTree(Self.tree, device: Self.device)
        #expect(tree.services.map(\.uuid) == [BLEUUID(0x1801), BLEUUID(0x180F)])
        let battery = try #require(tree.services.last)
        #expect(battery.handles == 0x0E...0x13)
        #expect(battery.characteristics.map(\.uuid) == [BLEUUID(0x2A19), BLEUUID(0x2A1B)])
        #expect(battery.characteristics.map(\.handle) == [0x10, 0x13])
        #expect(battery.characteristics.map(\.properties) == [[.read, .notify, .writeWithoutResponse], .indicate])
        #expect(battery.characteristics[0].descriptors.map(\.handle) == [0x11])
        #expect(tree.mtu == 255)
        let level = AttributeID(rawValue: 0x10)
        #expect(tree.attributes[level]?.path == "\(Self.device)/service000e/char000f")
        #expect(tree.identifiers["\(Self.device)/service000e/char000f"] == level)
        #expect(tree.attributes.count == 3)
    }

    @Test(arguments: [
        ("NotPermitted", "Read not permitted", CentralError.Code.attError(0x02)),
        ("NotPermitted", "Write not permitted", .attError(0x03)),
        ("NotPermitted", "Not paired", .attError(0x05)),
        ("NotSupported", "Operation is not supported", .attError(0x06)),
        ("InvalidArguments", "Invalid offset", .attError(0x07)),
        ("NotAuthorized", "Operation Not Authorized", .attError(0x08)),
        ("InvalidArguments", "Invalid Length", .attError(0x0D)),
        ("Failed", "Operation failed with ATT error: 0x80", .attError(0x80)),
        ("Failed", "Operation failed with ATT error: 0x0e", .attError(0x0E)),
        ("Failed", "Not connected", .disconnected(reason: nil)),
        ("Failed", "le-connection-abort-by-local", .disconnected(reason: nil)),
        ("Failed", "br-connection-canceled", .disconnected(reason: nil)),
        ("Failed", "anything", .invalidState),
        ("InvalidArguments", "Invalid arguments in method call", .invalidState),
        ("InProgress", "In Progress", .invalidState),
        ("NotReady", "Resource Not Ready", .unavailable),
        ("Blocked", "Blocked through rfkill", .unavailable),
        ("AuthenticationFailed", "Authentication Failed", .pairingFailed(reason: 0x08)),
        ("AuthenticationTimeout", "Authentication Timeout", .timedOut),
        ("DoesNotExist", "Does Not Exist", .notConnected),
    ])
    func errorsHaveTheirCode(name: String, message: String, code: CentralError.Code) {
        let error = CentralError(DBusError(.remote("org.bluez.Error.\(name)"), message), "read 0x0010")
        #expect(error.code == code)
        #expect(error.detail.hasPrefix("read 0x0010: org.bluez.Error.\(name): \(message)"))
    }

    @Test func anUnlikelyErrorAfterTheTransactionsTimeIsATimeout() {
        let error = DBusError(.remote(BlueZ.Fault.failed), "Operation failed with ATT error: 0x0e")
        #expect(CentralError(error, "read 0x0010", after: .seconds(28)).code == .attError(0x0E))
        #expect(CentralError(error, "read 0x0010", after: .seconds(30)).code == .timedOut)
        let other = DBusError(.remote(BlueZ.Fault.failed), "Operation failed with ATT error: 0x80")
        #expect(CentralError(other, "read 0x0010", after: .seconds(30)).code == .attError(0x80))
    }

    @Test func errorsSayWhatBlueZLeavesOpen() {
        let paired = CentralError(DBusError(.remote(BlueZ.Fault.notPermitted), "Not paired"), "read 0x0010")
        #expect(
            paired.detail
                == "read 0x0010: org.bluez.Error.NotPermitted: Not paired (ATT error 0x05, 0x0C or 0x0F)")
        let offset = CentralError(DBusError(.remote(BlueZ.Fault.invalidArguments), "Invalid offset"), "read 0x0010")
        #expect(offset.detail.hasSuffix("Invalid offset (ATT error 0x07)"))
        let pairing = CentralError(
            DBusError(.remote(BlueZ.Fault.authenticationFailed), "Authentication Failed"), "pair")
        #expect(pairing.detail.hasSuffix("(BlueZ does not report the Security Manager's reason)"))
        let kept = CentralError(DBusError(.remote(BlueZ.Fault.notPermitted), "Notify acquired"), "subscribe to 0x0012")
        #expect(kept.code == .invalidState)
        #expect(kept.detail.contains("Notify acquired (another program has subscribed; or"))
    }
}
