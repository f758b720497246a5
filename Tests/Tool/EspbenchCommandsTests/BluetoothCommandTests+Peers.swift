import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// Which of several peers is talked to, and whether the sketches are what their descriptions say.
extension BluetoothCommandTests {
    @Test("talk to the one of two calculators that was asked for")
    func pickedPeers() throws {
        try withAir("Calculator", "Calculator") { air in
            let scan = try air.run("scan", "--timeout", "2s", "--name", "Test Peripheral")
            // The boards have addresses in their order.
            let addresses = scan.output.split(separator: "\n").map { String($0.prefix(17)) }.sorted()
            try #require(addresses.count == 2, "\(scan)")
            for (number, address) in [(2, addresses[1]), (1, addresses[0])] {
                let product = try air.run("calculator", "--peer", address, "9x6")
                #expect(product.code == 0 && product.output == "9 × 6 = 54\n", "\(product)")
                let console = air.server.waitForOutput("BLE Client Disconnected").split(whereSeparator: \.isNewline)
                let lines = console.filter { $0.contains("Client") || $0.contains("Multiplying") }
                #expect(
                    lines.count == 3 && lines.allSatisfy { $0.hasPrefix("\(number) Calculator ") },
                    "\(address): \(console)")
            }
        }
    }

    @Test("talk to the lock by its name, and to no other one")
    func namedLock() throws {
        try withAir("ServoLock") { air in
            let passkey = try #require(air.console.firstMatch(of: #/Passkey: (\d{6})/#).map { String($0.1) })
            let unlocked = try air.run("lock", "--peer", "name:\(Self.lock)", "--passkey", passkey, "unlock")
            #expect(unlocked.code == 0 && unlocked.output == "unlocked\n", "\(unlocked)")
            let nobody = try air.run("lock", "--peer", "name:Nobody", "status")
            #expect(nobody.code == ExitReason.noPeer.rawValue && nobody.output.isEmpty, "\(nobody)")
            #expect(nobody.errors.hasPrefix("error: no lock was heard within 10.0 seconds\nhint: "), "\(nobody)")
        }
    }

    @Test(
        "find the sketches as they are described",
        arguments: [
            ("Calculator", "Test Peripheral", "calculator"), ("ServoLock", "ESP_TEST_DEVICE_LOCAL_NAME", "lock"),
            ("SerialBridge", "HMSoft", "Firmware/SerialBridge/description.yaml"),
        ])
    func described(sketch: String, name: String, description: String) throws {
        let isFile = description.contains("/")
        let description = isFile ? Self.root.appending(path: description).path : description
        try withAir(sketch) { air in
            let same = try air.run("gatt", name, "--compare", description, "--read")
            #expect(same.code == 0 && same.output.isEmpty && same.errors.contains("as described\n"), "\(same)")
        }
    }

    /// Both are one peripheral in the bridge: each description misses the other one's service, and nothing is missing.
    @Test("find in the serial bridge all of an HM-10 and of a Nordic UART, and tell what it has beside them")
    func bridge() throws {
        try withAir("SerialBridge") { air in
            let rows = [
                "hm10": [
                    "serial.data properties read, write without response, notify read, write without response, write, notify",
                    "serial.FFE2 characteristic - FFE2 (read, notify)",
                    "serial.FFE3 characteristic - FFE3 (read, write without response, write)",
                    "6E400001-B5A3-F393-E0A9-E50E24DCCA9E service - 6E400001-B5A3-F393-E0A9-E50E24DCCA9E",
                ],
                "nus": ["FFE0 service - FFE0"],
            ]
            for (description, expected) in rows {
                let other = try air.run("gatt", "HMSoft", "--compare", description)
                #expect(other.code == ExitReason.mismatch.rawValue, "\(other)")
                let table = other.output.split(separator: "\n").map { String($0).replacing(#/ {2,}/#, with: " ") }
                #expect(table == ["where what described found"] + expected, "\(other)")
            }
        }
    }
}
