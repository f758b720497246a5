import BLEAssignedNumbers
import BLECore
import Foundation
import Testing

/// Bumble's own tables as the judge.
@Suite("Assigned numbers and Bumble's", .timeLimit(.minutes(10))) struct BumbleNamesTests {
    private struct Names: Decodable {
        var companies: [String: String]
        var services: [String: String]
        var characteristics: [String: String]
        var descriptors: [String: String]
    }

    private static let script = """
        import json, bumble.gatt as gatt
        from bumble.company_ids import COMPANY_IDENTIFIERS
        from bumble.core import UUID
        names = {'companies': {str(k): v for k, v in COMPANY_IDENTIFIERS.items()}}
        for kind, suffix in [('services', 'SERVICE'), ('characteristics', 'CHARACTERISTIC'), ('descriptors', 'DESCRIPTOR')]:
            values = [getattr(gatt, name) for name in dir(gatt) if name.endswith('_' + suffix)]
            names[kind] = {v.to_hex_str(): v.name for v in values if isinstance(v, UUID) and len(v.uuid_bytes) == 2}
        print(json.dumps(names))
        """

    private static func bumble() throws -> Names {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let process = Process()
        let output = Pipe()
        process.executableURL = root.appending(path: ".venv/bin/python")
        process.arguments = ["-c", script]
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try JSONDecoder().decode(Names.self, from: data)
    }

    private static func key(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// What Bumble 0.0.236 spells otherwise than the SIG.
    private static let spellings: Set<String> = ["1859", "2BF5", "2BCA", "2BCC", "2904", "2907"]

    @Test("agree on every service, characteristic and descriptor")
    func attributes() throws {
        let names = try Self.bumble()
        #expect(names.services.count > 60 && names.characteristics.count > 100 && names.descriptors.count > 15)
        let lookups: [([String: String], (BLEUUID) -> String?)] = [
            (names.services, AssignedNumbers.service), (names.characteristics, AssignedNumbers.characteristic),
            (names.descriptors, AssignedNumbers.descriptor),
        ]
        for (table, name) in lookups {
            for (number, expected) in table {
                let uuid = try #require(BLEUUID(number))
                let ours = name(uuid)
                #expect(
                    ours != nil && (Self.spellings.contains(number) || ours.map(Self.key) == Self.key(expected)),
                    "\(number): Bumble says \(expected), we \(ours ?? "nothing")")
            }
        }
    }

    @Test("agree on companies, but for those that are gone or renamed")
    func companies() throws {
        let companies = try Self.bumble().companies
        #expect(companies.count > 3000)
        var (gone, renamed) = (0, 0)
        for (number, expected) in companies {
            guard let ours = AssignedNumbers.company(try #require(UInt16(number))) else {
                gone += 1
                continue
            }
            if Self.key(ours) != Self.key(expected) { renamed += 1 }
        }
        #expect(gone < companies.count / 20 && renamed < companies.count / 100, "\(gone) gone, \(renamed) renamed")
    }
}
