import BLECentral
import BLECore
import Bench
import BenchModel
import BenchSuites
import Testing
import YAMLReading

/// Expectations of advertisements.
@Suite("Expected advertisements")
struct AdvertisementStepTests {
    private typealias Structure = AdvertisingData.Structure

    /// An advertisement of the board, with the manufacturer's data in `state`.
    private static func advertisement(_ state: [UInt8], isConnectable: Bool = true) -> Advertisement {
        let structures: [Structure] = [
            Structure(type: .flags, data: [6]), Structure(type: .completeLocalName, data: Array("Tag".utf8)),
            Structure(type: .manufacturerSpecificData, data: [0xE5, 0x02] + state),
            Structure(type: .serviceData16BitUUID, data: [0x0F, 0x18, 97]),
            Structure(type: .appearance, data: [0x41, 0x03]), Structure(type: .txPowerLevel, data: [0xFD]),
            Structure(type: .complete16BitServiceUUIDs, data: [0xC0, 0xEB]),
        ]
        return advertisement(structures, isConnectable: isConnectable)
    }

    private static func advertisement(_ structures: [Structure], isConnectable: Bool = false) -> Advertisement {
        Advertisement(
            address: DeviceAddress(0x240A_C400_0110, .public), data: AdvertisingData(structures: structures), rssi: -40,
            isConnectable: isConnectable)
    }

    private static let changing: [Advertisement] = [
        advertisement([1]), advertisement([2, 9], isConnectable: false), advertisement([3]), advertisement([3]),
    ]

    private func run(
        _ conditions: String, lacking: Set<BenchAbility> = [], _ advertisements: [Advertisement] = changing
    ) throws -> FakeRun {
        try runFake(
            "  - name: x\n    before: []\n    each: {a: [3]}\n    steps: [expect: {advertisement: {\(conditions)}}]",
            lacking: lacking, advertisements: advertisements)
    }

    private static let passing: [String] = [
        "manufacturer: {company: 0x02E5, bytes: [1]}", "manufacturer: {company: 0x02E5, bytes: [2, 9]}",
        "manufacturer: {company: 0x2E0 + 5, bytes: [a]}", "manufacturer: {company: 0x02E5, length: 2}",
        "manufacturer: {company: 0x02E5}", "service data: {180F: {bytes: [96], mask: [0xf0]}}",
        "service data: {180F: any}, appearance: 0x0341, tx power: -3, flags: 6",
        "name: Tag, services: [service], connectable: false", "address: '24:0a:c4:00:01:10', connectable: true",
        "interval: 100 ms, connectable: true", "interval: 95...110 ms",
    ]

    @Test("are met by one of those that are heard, when data change", arguments: passing)
    func met(_ conditions: String) throws {
        let result = try run(conditions)
        #expect(result.failure == nil, "\(result.failure.map { "\($0)" } ?? "")")
    }

    private static let failing: [(conditions: String, expected: String, got: String)] = [
        (
            "manufacturer: {company: 0x02E5, bytes: [4]}",
            "an advertisement with manufacturer data of 0x02e5 with 0x04 (4) within 1 s",
            "4 advertisements; of the last, its manufacturer data of 0x02e5 is 0x03 (3)"
        ),
        (
            "manufacturer: {company: 1}", "an advertisement with manufacturer data of 0x0001 within 1 s",
            "4 advertisements; of the last, it has no manufacturer data of 0x0001"
        ),
        (
            "name: Tag, appearance: 1", "an advertisement with the name 'Tag' and the appearance 1 within 1 s",
            "4 advertisements; of the last, its appearance is 833, not 1"
        ),
        (
            "service data: {180F: {contains: [1]}}",
            "an advertisement with service data of 180F containing 0x01 (1) within 1 s",
            "4 advertisements; of the last, its service data of 180F is 0x61 (97): without 0x01 (1)"
        ),
        (
            "interval: 1 s", "an advertisement with an interval of 1 s within 1 s",
            "4 advertisements; of the last, it came 100 ms after the one before"
        ),
        (
            "name: Lamp", "an advertisement with the name 'Lamp' within 1 s",
            "heard only 24:0A:C4:00:01:10 'Tag' with services [service]"
        ),
    ]

    @Test("that do not come are told with what came instead")
    func missing() throws {
        for (conditions, expected, got) in Self.failing {
            let failure = try run(conditions).failure
            #expect(failure?.expected == expected, "\(conditions)")
            #expect(failure?.got == got, "\(conditions)")
        }
    }

    @Test("are found by services of any width")
    func widths() throws {
        let uuid = BLEUUID("ebc0fcc1-7264-4d3e-a2a5-9b5c4d3e2f10") ?? BLEUUID(0)
        let heard = [
            Self.advertisement([
                Structure(type: .serviceData32BitUUID, data: [0x78, 0x56, 0x34, 0x12, 7]),
                Structure(type: .serviceData128BitUUID, data: uuid.attBytes + [8]),
                Structure(type: .serviceData16BitUUID, data: [1]),
            ])
        ]
        let both = try run("service data: {12345678: {bytes: [7]}, \(uuid): {bytes: [8]}}", heard)
        #expect(both.failure == nil, "\(both.failure.map { "\($0)" } ?? "")")
        let neither = try run("service data: {180F: any}", heard)
        #expect(neither.failure?.got == "it has no service data of 180F")
    }

    @Test("need a stack that reports all data, or every advertisement")
    func abilities() throws {
        let data = try run("flags: 6", lacking: [.central(.advertisedData)])
        #expect(data.result.cases[0].skipReason == "needs: a central with all data of advertisements")
        let interval = try run("interval: 1 s", lacking: [.central(.everyAdvertisement)])
        #expect(interval.result.cases[0].skipReason == "needs: a central with reports of every advertisement")
        let name = try run("name: Tag", lacking: [.central(.advertisedData), .central(.everyAdvertisement)])
        #expect(name.failure == nil && name.result.counts.passed == 1)
    }

    /// The bytes after the company's identifier of an iBeacon.
    private static let iBeacon: [UInt8] =
        [0x4C, 0, 2, 0x15] + (1...16).map { UInt8($0) } + [0, 1, 0xFF, 0xFE, 0xC5]

    private static let beacons: [(bytes: [UInt8], conditions: String, got: String?)] = [
        // The example of bthome.io/format: 25.00 °C, 50.55 %.
        ([0xD2, 0xFC, 0x40, 2, 0xC4, 9, 3, 0xBF, 0x13], "bthome: {temperature: 25.0, humidity: 50.55}", nil),
        ([0xD2, 0xFC, 0x44, 0, 7, 2, 0x9C, 0xFF, 0x21, 1], "bthome: {temperature: -1.0, motion: true}", nil),
        (
            [0xD2, 0xFC, 0x40, 1, 97], "bthome: {battery: 98}",
            "of its bthome data, 'battery' is 97, not 98"
        ),
        ([0xD2, 0xFC, 0x41, 1, 97], "bthome: {battery: 98}", "its bthome data cannot be read: its data are encrypted"),
        (
            [0xD2, 0xFC, 0x40, 1, 97, 0xEE, 0], "bthome: {battery: 97}",
            "its bthome data cannot be read: the object 0xee at byte 4 is unknown"
        ),
        (
            [0xD2, 0xFC, 0x40, 2, 1], "bthome: {battery: 97}",
            "its bthome data cannot be read: expected 2 bytes after byte 2, got 1"
        ),
        ([0xAA, 0xFE, 0x10, 0xED, 3] + Array("bit.ly".utf8) + [7], "eddystone: {url: 'https://bit.ly.com'}", nil),
        (
            [0xAA, 0xFE, 0x20, 0, 0x0B, 0xB8, 0x15, 0x80, 0, 0, 0, 9, 0, 0, 0, 25],
            "eddystone: {battery: 3, temperature: 21.5, advertisements: 9, uptime: 2.5}", nil
        ),
        (
            [0xAA, 0xFE, 0, 0xEC] + [UInt8](repeating: 0xAB, count: 10) + [1, 2, 3, 4, 5, 6],
            "eddystone: {namespace: abababababababababab, instance: '010203040506', power: -20}", nil
        ),
        (
            [0xAA, 0xFE, 0x30], "eddystone: {}",
            "its eddystone data cannot be read: expected a frame 0x00, 0x10 or 0x20, got 0x30"
        ),
        (iBeacon, "ibeacon: {uuid: 01020304-0506-0708-090a-0b0c0d0e0f10, major: 1, minor: 65534, power: -59}", nil),
        (iBeacon, "ibeacon: {major: 2}", "of its ibeacon data, 'major' is 1, not 2"),
        ([0x4C, 0, 2, 0x14], "ibeacon: {major: 2}", "its ibeacon data cannot be read: expected the length 21, got 20"),
        ([0x4C, 0, 0x10, 5], "ibeacon: {major: 2}", "it has no ibeacon data"),
    ]

    @Test("of beacons are read as BTHome, iBeacon or Eddystone")
    func beacons() throws {
        for (bytes, conditions, got) in Self.beacons {
            let type = bytes[0] == 0x4C ? ADType.manufacturerSpecificData : .serviceData16BitUUID
            let heard = [Self.advertisement([Structure(type: type, data: bytes)])]
            let failure = try run(conditions, heard).failure
            #expect(failure?.got == got, "\(conditions)")
        }
    }

    private static let refusals: [(String, String)] = [
        ("{bthome: 3}", "expected 'bthome' to map names to values, got '3'"),
        ("{}", "'advertisement' without a condition proves nothing, expected one of: name, services"),
        ("{nam: X}", "unknown key 'nam' in an advertisement (did you mean 'name'?)"),
        ("{manufacturer: {bytes: [1]}}", "manufacturer data lacks the key 'company'"),
        ("{manufacturer: {company: 1, contains: ''}}", "'contains' of no bytes proves nothing"),
        ("{service data: 180F}", "expected 'service data' to map services to conditions"),
        ("{address: first}", "expected an address such as '24:0A:C4:00:01:10', got 'first'"),
        ("{tx power: 300}", "expected 'tx power' of -127...127, got 300"),
        ("{interval: 5 ms}", "expected 'interval' of 20...10250, got '5 ms'"),
        ("{interval: 0...20 s}", "an 'interval' of '0...20 s' proves nothing: all are in it"),
        ("{interval: soon}", "expected a number for 'interval'"),
    ]

    @Test("that prove nothing, or are faulty, are refused with the place", arguments: refusals)
    func refused(_ conditions: String, _ message: String) {
        let error = #expect(throws: SuiteError.self) {
            try Suite(
                yaml: suiteHead + "  - {name: x, steps: [expect: {advertisement: \(conditions)}]}\n", file: "s.yaml")
        }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("s.yaml:7:") && text.contains(message), "\(text)")
    }
}
