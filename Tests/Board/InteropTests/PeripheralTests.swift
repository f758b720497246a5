import BLECentral
import BLECentralHCI
import BLECore
import ByteCodec
import Testing

/// Our central against a Bumble peripheral.
@Suite(.enabled(if: BumbleScript.isInstalled, "Scripts/test installs Bumble"), .timeLimit(.minutes(10)))
struct PeripheralInteropTests {
    /// The values in `peripheral.py`.
    private static let services = 16
    private static let characteristics = 6
    private static let long = (0..<512).map { UInt8(truncatingIfNeeded: $0 * 7) }

    private static func uuid(_ service: Int, _ characteristic: Int) throws -> BLEUUID {
        func hex(_ number: Int) -> String { String(0x1_0000 + number, radix: 16).dropFirst().uppercased() }
        return try #require(BLEUUID("7E57\(hex(service))-\(hex(characteristic))-4000-8000-00805F9B34FB"))
    }

    @Test(arguments: [23, 517]) func largeDatabase(mtu: Int) async throws {
        try await InteropBench.run { bench in
            let script = try BumbleScript("peripheral", [bench.port])
            try await script.wait(for: "ready")
            let (central, events) = try await bench.central()
            let found = try await bench.find("Database", central, events)
            #expect(found.isConnectable)
            let connection = try await central.connectAndAccept(to: found.peer, within: .seconds(10))
            try await script.wait(for: "connected F0:F1:F2:F3:F4:F5")
            if mtu > 23 {
                #expect(try await central.exchangeMTU(mtu, on: connection) == mtu)
            }
            let services = try await central.discoverServices(on: connection)
            try check(services)
            let uuid = try Self.uuid(0, 0)
            let special = try #require(services.first { $0.uuid == uuid }).characteristics
            try #require(special.count == 4)
            #expect(try await central.read(special[2].value, on: connection) == Self.long)

            // Long, short and empty; with 512 bytes it is a long write at every MTU here but the largest.
            for length in [512, 20, 0, 1, 300] {
                let value = Array(Self.long.reversed().prefix(length))
                try await central.write(value, to: special[3].value, kind: .withResponse, on: connection)
                try await script.wait(for: "written \(Hexadecimal.string(value))")
                #expect(try await central.read(special[3].value, on: connection) == value)
            }
            try await central.write([1, 2, 3], to: special[3].value, kind: .withoutResponse, on: connection)
            try await script.wait(for: "written 010203")

            for (index, subscription) in [Subscription.notifications, .indications].enumerated() {
                let command = index == 0 ? "notify" : "indicate"
                try await central.setSubscription(subscription, of: special[index].value, on: connection)
                for length in [1, 20] {
                    let value = Array(Self.long.prefix(length))
                    script.send("\(command) \(Hexadecimal.string(value))")
                    let came = try await events.next { event -> CentralEvent? in
                        if case .notification = event { event } else { nil }
                    }
                    #expect(
                        came == .notification(connection, special[index].value, value: value, isIndication: index == 1))
                    try await script.wait(for: "sent \(command)")
                }
                try await central.setSubscription(.none, of: special[index].value, on: connection)
            }
            try await central.disconnect(connection)
            try await script.finish()
            // PDUs longer than one packet are reassembled, too.
            if mtu > 251, Tshark.isInstalled {
                let fields = ["_ws.malformed", "btatt.opcode", "hci_mon.opcode"]
                let decoded = try await Tshark.decode(bench.capture.file, fields)
                // Others tell of the controllers.
                let packets = decoded.filter { ["2", "3", "4", "5"].contains($0["hci_mon.opcode"]) }
                #expect(packets.count == bench.capture.observations.count)
                #expect(decoded.filter { $0["_ws.malformed"] != "" } == [])
                let opcodes = Set(decoded.compactMap { $0["btatt.opcode"] })
                #expect(opcodes.isSuperset(of: ["0x0b", "0x12", "0x1b", "0x1d"]))
            }
        }
    }

    private func check(_ services: [DiscoveredService]) throws {
        // Bumble adds GAP and GATT.
        #expect(services.count == Self.services + 2)
        let starts = services.compactMap(\.handles?.lowerBound)
        #expect(starts.count == services.count && starts == starts.sorted())
        for number in 1..<Self.services {
            let uuid = try Self.uuid(number, 0)
            let service = try #require(services.first { $0.uuid == uuid })
            let expected = try (1...Self.characteristics).map { try Self.uuid(number, $0) }
            #expect(service.characteristics.map(\.uuid) == expected)
            for characteristic in service.characteristics {
                #expect(characteristic.properties == [.read, .write])
                #expect(characteristic.descriptors.map(\.uuid) == [BLEUUID(0x2901)])
            }
        }
        #expect(services.flatMap(\.characteristics).count > 90)
    }
}
