import ESPImage
import MonotonicTime
import Testing

/// We read the partitions of Espressif's generator, and write the same bytes.
@Suite(.enabled(if: NVSGenerator.isInstalled, Comment(rawValue: NVSGenerator.absence)))
struct NVSGeneratorJudgeTests {
    private static let size = 0x6000
    private static let text = String(repeating: "Grüße; ", count: 100)
    private static let certificate = (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    private static let lines =
        [
            "lock,namespace,,", "state,data,u8,1", "angle,data,i8,-90", "fails,data,u16,65535", "trim,data,i16,-32768",
            "passkey,data,u32,123456", "offset,data,i32,-2147483648", "opened,data,u64,18446744073709551615",
            "since,data,i64,-9223372036854775808", "name,data,string,\(text)", "empty,data,hex2bin,",
            "key,data,hex2bin,00ff10203040", "nimble_bond,namespace,,", "our_sec_1,file,binary,certificate.bin",
        ] + (0..<80).map { "k\($0),data,u32,\($0)" } + ["tail,data,string,x"]

    private static let values: [(namespace: String, key: String, value: NVSValue)] =
        [
            ("lock", "state", .uint8(1)), ("lock", "angle", .int8(-90)), ("lock", "fails", .uint16(65535)),
            ("lock", "trim", .int16(-32768)), ("lock", "passkey", .uint32(123456)),
            ("lock", "offset", .int32(.min)), ("lock", "opened", .uint64(.max)), ("lock", "since", .int64(.min)),
            ("lock", "name", .string(Array(text.utf8))), ("lock", "empty", .blob([])),
            ("lock", "key", .blob([0, 0xFF, 0x10, 0x20, 0x30, 0x40])),
            ("nimble_bond", "our_sec_1", .blob(certificate)),
        ]
        + (0..<80).map { ("nimble_bond", "k\($0)", NVSValue.uint32(UInt32($0))) }
        + [("nimble_bond", "tail", .string([0x78]))]

    private func generated(version: Int = 2) throws -> [UInt8] {
        try NVSGenerator.partition(
            Self.lines, files: ["certificate.bin": Self.certificate], size: Self.size, version: version)
    }

    @Test func readsTheGeneratorsPartition() throws {
        let flash = SimulatedFlash(try generated())
        var storage = try NVSStorage(mounting: flash)
        #expect(flash.operations == 0)
        #expect(storage.contents.map { $0.key } == Self.values.map { $0.key })
        #expect(storage.contents.map { $0.namespace } == Self.values.map { $0.namespace })
        for (namespace, key, value) in Self.values {
            let opened = try storage.openNamespace(namespace, readOnly: true)
            #expect(try storage.value(of: key, type: value.type, in: opened) == value, "\(key)")
        }
    }

    @Test func writesTheSameBytes() throws {
        var storage = try NVSStorage(mounting: SimulatedFlash(pages: Self.size / 4096))
        for (namespace, key, value) in Self.values {
            let opened = try storage.openNamespace(namespace, readOnly: false)
            try storage.set(key, to: value, in: opened)
        }
        let theirs = try generated()
        for page in 0..<Self.size / 4096 {
            let range = page * 4096..<(page + 1) * 4096
            let different = range.filter { storage.flash.bytes[$0] != theirs[$0] }
            #expect(different.count == 0, "page \(page): \(different.prefix(8).map { $0 - page * 4096 })")
        }
    }

    @Test func readsAndReplacesBlobsOfVersion1() throws {
        let partition = try NVSGenerator.partition(
            ["bonds,namespace,,", "key,data,hex2bin,0102", "text,data,string,abc"], size: Self.size, version: 1)
        #expect(partition[8] == 0xFF)
        var storage = try NVSStorage(mounting: SimulatedFlash(partition))
        let bonds = try storage.openNamespace("bonds", readOnly: false)
        #expect(try storage.value(of: "key", type: .blob, in: bonds) == .blob([1, 2]))
        #expect(try storage.value(of: "text", type: .string, in: bonds) == .string(Array("abc".utf8)))
        try storage.set("key", to: .blob([3]), in: bonds)
        let again = try NVSStorage(mounting: storage.flash.poweredUp())
        #expect(try again.value(of: "key", type: .blob, in: bonds) == .blob([3]))
        #expect(again.contents.count == 2)
    }

    @Test func appendsToTheGeneratorsPartition() throws {
        var random = SeededRandom(seed: 9)
        var storage = try NVSStorage(mounting: SimulatedFlash(try generated()))
        var model = try NVSModel(storage)
        for _ in 0..<300 {
            let change = NVSModel.randomChange(&random)
            do throws(NVSError) {
                try NVSModel.apply(change, to: &storage)
                model.apply(change)
            } catch {
                #expect(error.code == .notFound || error.code == .notEnoughSpace, "\(change): \(error)")
            }
        }
        #expect(try NVSModel(NVSStorage(mounting: storage.flash.poweredUp())) == model)
    }
}
