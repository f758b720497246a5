import BLECentral
import BLECentralHCI
import BLECore
import BLEPeripheral
import BLERadio
import BenchExecutor
import Foundation
import Testing

/// Captures of several controllers, read by Wireshark and by BlueZ's btmon.
@Suite(.timeLimit(.minutes(10))) struct CaptureTests {
    private static let service = BLEUUID(0xFFF0)
    private static let characteristic = BLEUUID(0xFFF1)
    private static let boards = [0x240A_C400_0110, 0x240A_C400_0210].map { DeviceAddress($0, .public) }
    private static let centrals = [0x0200_0000_0001, 0x0200_0000_0002].map { DeviceAddress($0, .public) }

    /// Longer than one packet, so that it is only whole if its fragments are not mixed with those of others.
    private static func value(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(0xA0 + number), count: 500) }

    /// Two centrals read two boards at the same time, all on connection handle 0; then a board is replaced.
    private func capture() throws -> Capture {
        let executor = BenchExecutor()
        let capture = Capture()
        try executor.run {
            let radio = Radio(executor, seed: 1)
            await capture.observe(radio)
            var connected: [(HCICentral, ConnectionID, DiscoveredCharacteristic)] = []
            var ports: [RadioPort] = []
            for (number, address) in Self.boards.enumerated() {
                let definition = PeripheralDefinition(
                    name: "Board",
                    services: [
                        ServiceDefinition(
                            Self.service,
                            [CharacteristicDefinition(Self.characteristic, [.read], value: Self.value(number))])
                    ])
                let port = await radio.attach(address: address)
                ports.append(port)
                let board = try BLEPeripheral(definition, on: port, executor: executor)
                try await board.start()
                let central = HCICentral(
                    executor: executor, transport: await radio.attach(address: Self.centrals[number]))
                try await central.powerOn()
                let connection = try await central.connectAndAccept(to: PeerID(address), within: .seconds(2))
                _ = try await central.exchangeMTU(517, on: connection)
                let services = try await central.discoverServices(on: connection)
                let found = services.flatMap(\.characteristics).first { $0.uuid == Self.characteristic }
                connected.append((central, connection, try #require(found)))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, (central, connection, characteristic)) in connected.enumerated() {
                    group.addTask {
                        let value = try await central.read(characteristic.value, on: connection)
                        #expect(value == Self.value(number))
                    }
                }
                try await group.waitForAll()
            }
            await radio.detach(ports[1])
            let next = try BLEPeripheral(
                PeripheralDefinition(name: "Next", services: []),
                on: await radio.attach(address: Self.boards[1], personality: .extended), executor: executor)
            try await next.start()
        }
        return capture
    }

    @Test(.enabled(if: Tshark.isInstalled, "Scripts/test installs tshark"))
    func wiresharkTellsControllersApart() async throws {
        let capture = try capture()
        let fields = ["_ws.malformed", "hci_mon.opcode", "hci_mon.adapter_id", "hci_mon.bd_addr", "btatt.opcode"]
        let decoded = try await Tshark.decode(capture.file, fields + ["btatt.value"])
        #expect(decoded.filter { $0["_ws.malformed"] != "" } == [])
        // New Index.
        let added = decoded.filter { $0["hci_mon.opcode"] == "0" }
        let addresses = [Self.boards[0], Self.centrals[0], Self.boards[1], Self.centrals[1], Self.boards[1]]
        #expect(added.map { $0["hci_mon.bd_addr"] } == addresses.map { "\($0)".lowercased() })
        #expect(added.map { $0["hci_mon.adapter_id"] } == ["0", "1", "2", "3", "2"])
        // Read Response, as sent by each board and as received by each central.
        let responses = decoded.filter { $0["btatt.opcode"] == "0x0b" && $0["btatt.value"]?.count == 1000 }
        let read = responses.map { "\($0["hci_mon.adapter_id"] ?? "") \($0["btatt.value"]?.prefix(2) ?? "")" }
        #expect(Set(read) == ["0 a0", "1 a0", "2 a1", "3 a1"])
        #expect(responses.allSatisfy { Set($0["btatt.value"] ?? "").count == 2 })
    }

    @Test(.enabled(if: Btmon.isInstalled, "Scripts/test installs bluez"))
    func btmonTellsControllersApart() async throws {
        let text = try await Btmon.decode(try capture().file)
        let added = text.matches(of: /New Index: ([0-9A-F:]+) \(Primary,Virtual,(hci\d)\)/)
        #expect(
            added.map { "\($0.1) \($0.2)" } == [
                "\(Self.boards[0]) hci0", "\(Self.centrals[0]) hci1", "\(Self.boards[1]) hci2",
                "\(Self.centrals[1]) hci3", "\(Self.boards[1]) hci2",
            ])
        #expect(text.contains("= Index Info: \(Self.boards[0]) (RivieraWaves S.A.S)"))
        #expect(text.contains("= Delete Index: \(Self.boards[1])"))
        // The packets, each with the lines of its decoding: a Read Response is shown where its last fragment is.
        let packets = text.split(separator: #/\n[<>=@] /#).filter { $0.contains("Read Response (0x0b) len 500") }
        let values = packets.compactMap { packet -> String? in
            guard let index = packet.firstMatch(of: /\[(hci\d)\]/)?.1,
                let value = packet.firstMatch(of: /Value: ([0-9a-f]+)/)?.1
            else { return nil }
            // One byte, again and again.
            return "\(index) \(Set(value).count == 2 ? value.prefix(2) : value)"
        }
        #expect(values.sorted() == ["hci0 a0", "hci1 a0", "hci2 a1", "hci3 a1"])
    }
}
