import BLECentral
import BLEClients
import BLECore
import Foundation
import Testing

/// The file of a restoring central.
@Suite struct RestorationTextTests {
    static let all: [RestorablePeripheral] = {
        var bonded = RestorablePeripheral(
            PeerID(DeviceAddress(0x4A0A_C4C0_0001, .random)),
            identity: PeerID(DeviceAddress(0x240A_C4C0_0001, .public)),
            name: "Test Peripheral 100 % – ü\n")
        bonded.subscriptions = [
            .init(CharacteristicPath(service: BLEUUID(0xFF00), characteristic: BLEUUID(0xFF03)), .notifications),
            .init(
                CharacteristicPath(
                    service: BLEUUID(literal: "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"), serviceIndex: 1,
                    characteristic: BLEUUID(0xFF04), index: 2), .indications),
        ]
        let path = CharacteristicPath(service: BLEUUID(0xFF00), characteristic: BLEUUID(0xFF01))
        bonded.unfinished = [
            CentralOperation(.read, path), CentralOperation(.write([1, 0xAB], .withResponse), path),
            CentralOperation(.write([], .reliable), path),
        ]
        return [
            bonded, RestorablePeripheral(PeerID(opaque: "5D40 1C6A -"), name: "-"),
            RestorablePeripheral(PeerID(DeviceAddress(1, .public))),
        ]
    }()

    private static let text = """
        espbench central 1
        peripheral random 4A:0A:C4:C0:00:01 public 24:0A:C4:C0:00:01 Test%20Peripheral%20100%20%25%20%e2%80%93%20%c3%bc%0a
        subscription notifications FF00 0 FF03 0
        subscription indications EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079 1 FF04 2
        read FF00 0 FF01 0
        write withResponse FF00 0 FF01 0 01ab
        write reliable FF00 0 FF01 0 -
        peripheral opaque 5D40%201C6A%20- - - %2d
        peripheral public 00:00:00:00:00:01 - - -
        check f15dabf34b2387f7

        """

    private func read(_ bytes: [UInt8]) throws -> [RestorablePeripheral] {
        try RestorationText.peripherals(in: bytes, path: "f")
    }

    @Test func itHasTheFormOfVersion1() throws {
        #expect(String(decoding: RestorationText.bytes(of: Self.all), as: UTF8.self) == Self.text)
        #expect(try read(Array(Self.text.utf8)) == Self.all)
        #expect(try read(RestorationText.bytes(of: [])) == [])
    }

    @Test func cutAtEachByteItIsRefusedWithTheLine() throws {
        let whole = Array(Self.text.utf8)
        for count in 0..<whole.count {
            let error = #expect(throws: RestorationError.self) { try read(Array(whole[..<count])) }
            #expect(error?.code == .damaged)
            let lines = whole[..<count].count { $0 == UInt8(ascii: "\n") } + 1
            let line = (error?.detail.split(separator: " ").dropFirst(2).first?.dropLast()).flatMap { Int($0) }
            #expect(line.map { (1...lines).contains($0) } == true, "\(count): \(error?.detail ?? "")")
        }
    }

    @Test func eachChangedByteIsNoticed() throws {
        var bytes = Array(Self.text.utf8)
        for place in bytes.indices {
            for bit in [UInt8(1), 0x80] {
                bytes[place] ^= bit
                #expect(throws: RestorationError.self) { try read(bytes) }
                bytes[place] ^= bit
            }
        }
    }

    /// With a right checksum.
    @Test(
        arguments: [
            "peripheral", "peripheral public 00:00:00:00:00 - - -", "peripheral public 00:00:00:00:00:01 - - %",
            "peripheral public 00:00:00:00:00:01 - - %ff", "peripheral secret 00:00:00:00:00:01 - - -",
            "peripheral public 00:00:00:00:00:01 public - -", "read FF00 0 FF01 0",
            "peripheral public 00:00:00:00:00:01 - - -\nread FF00 0 FF01",
            "peripheral public 00:00:00:00:00:01 - - -\nread FF00 -1 FF01 0",
            "peripheral public 00:00:00:00:00:01 - - -\nread FF00 99999999999999999999 FF01 0",
            "peripheral public 00:00:00:00:00:01 - - -\nsubscription none FF00 0 FF01 0",
            "peripheral public 00:00:00:00:00:01 - - -\nwrite withResponse FF00 0 FF01 0 1",
            "peripheral public 00:00:00:00:00:01 - - -\nwrite loudly FF00 0 FF01 0 01", "forget everything", "",
        ])
    func aLineThatIsNoneIsNamed(lines: String) throws {
        let text = "espbench central 1\n\(lines)\n"
        let checksum = text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let error = #expect(throws: RestorationError.self) {
            try read(Array((text + "check \(String(checksum, radix: 16))\n").utf8))
        }
        let number = lines.contains("\n") ? 3 : 2
        #expect(error?.detail.hasPrefix("f: line \(number): expected a peripheral, a subscription, a read") == true)
    }

    @Test func anotherVersionIsNamed() {
        let error = #expect(throws: RestorationError.self) { try read(Array("espbench central 2\nmore\n".utf8)) }
        #expect(error?.detail == "f: line 1: expected \"espbench central 1\", got \"espbench central 2\"")
    }

    /// A damaged file is neither used nor replaced.
    @Test func aDamagedFileIsLeftAsItIs() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try RestorationFile("one", in: folder).save(Self.all)
        let path = folder + "/one.central"
        let cut = try Data(contentsOf: URL(filePath: path)).dropLast()
        try cut.write(to: URL(filePath: path))
        try await ClientWorld.run { world in
            let error = await #expect(throws: RestorationError.self) {
                _ = try await RestoringCentral(world.central, identifier: "one", folder: folder)
            }
            #expect(error?.code == .damaged && error?.detail.hasPrefix("\(path): line ") == true)
            try await world.peripheral().connect()
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == cut)
    }
}
