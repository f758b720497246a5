import BLECentral
import BLECentralHCI
import BLECore
import FirmwareBuild
import BenchExecutor
import Testing
import VirtualBoard

/// NimBLE-Arduino's examples NimBLE_Server and NimBLE_Secure_Server, from their calls to the radio.
@Suite struct MenuTests {
    @Test func theServerExamplesWork() async throws {
        let firmware = try await SketchBuilds.shared.build("Menu")
        #expect(firmware.compiled.isCached || firmware.compiled.warnings == "")
        let bench = try await BoardBench()
        try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            try await bench.wait(for: "the sketch") { log.console.hasSuffix("open\r\n") }
            let (central, heard) = try await bench.central()

            try await central.startScanning(ScanFilter())
            try await bench.sleep(.seconds(1))
            try await central.stopScanning()
            // The name does not fit beside the services: it is in the scan response.
            #expect(
                heard.events.contains { event in
                    guard case .advertisement(let advertisement) = event else { return false }
                    return advertisement.data.localName == "Menu of the day, in full"
                })

            let connection = try await central.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
            #expect(try await central.exchangeMTU(185, on: connection) == 185)
            let characteristics = try await central.discoverServices(on: connection).flatMap(\.characteristics)
            let hidden = try #require(characteristics.first { $0.uuid == BLEUUID("BEEF") })
            let open = try #require(characteristics.first { $0.uuid == BLEUUID("F00D") })
            let format = try #require(hidden.descriptors.first { $0.uuid == BLEUUID("2904") }).attribute
            let note = try #require(open.descriptors.first { $0.uuid == BLEUUID("C01D") }).attribute

            try await central.setSubscription(.notifications, of: open.value, on: connection)
            try await central.write(Array("Chips".utf8), to: open.value, kind: .withResponse, on: connection)
            try await bench.sleep(.seconds(2))
            #expect(
                heard.events.contains { event in
                    if case .notification(_, open.value, Array("Chips".utf8), false) = event { true } else { false }
                })
            #expect(try await central.read(format, on: connection) == [25, 0, 0, 0x27, 1, 0, 0])
            #expect(try await central.read(note, on: connection) == Array("Send it back!".utf8))

            // An unencrypted link can neither read the protected value nor write the note.
            try await refuses(0x05) { try await central.read(hidden.value, on: connection) }
            try await refuses(0x05) {
                try await central.write([1], to: note, kind: .withResponse, on: connection)
            }
            central.events.setHandler(on: central.executor) { event in
                heard.append(event)
                guard case .pairingInput(let connection, _) = event else { return }
                central.executor.post {
                    central.assumeIsolated { try? $0.answer(.passkey(123_456), on: connection) }
                }
            }
            _ = try await central.pair(connection)
            #expect(try await central.read(hidden.value, on: connection) == Array("Burger".utf8))
            try await central.write(Array("back".utf8), to: note, kind: .withResponse, on: connection)
            try await refuses(0x0D) {
                try await central.write(
                    Array(repeating: 1, count: 21), to: note, kind: .withResponse, on: connection)
            }
            try await bench.sleep(.milliseconds(100))

            for line in [
                "  Connection Interval: ", "MTU 185\n", "subscribed 1 to 0xf00d\n", "0xf00d written: Chips\n",
                "status 0, []\n", "0x2904 read\n", "0xc01d read\n", "0xbeef read: Burger\n", "note: back\n",
                "secured 1 c0:00:00:00:00:01\n",
            ] {
                #expect(log.console.contains(line), "\(line) of \(log.console)")
            }
            try await central.disconnect(connection)
            try await bench.sleep(.milliseconds(100))
            _ = try await central.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
            try await board.powerOff()
        }
    }

    private func refuses(_ error: UInt8, _ body: () async throws -> Any) async throws {
        await #expect { _ = try await body() } throws: { ($0 as? CentralError)?.code == .attError(error) }
    }
}
