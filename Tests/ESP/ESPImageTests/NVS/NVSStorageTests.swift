import ESPImage
import MonotonicTime
import Testing

/// The result of each call, and the effect of damaged flash.
@Suite struct NVSStorageTests {
    private func code(_ body: () throws(NVSError) -> Void) -> NVSError.Code? {
        do throws(NVSError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func errorsHaveTheCodesAndNamesOfTheIDF() throws {
        var storage = try NVSStorage(mounting: SimulatedFlash(pages: 3))
        #expect(code { () throws(NVSError) in _ = try storage.openNamespace("none", readOnly: true) } == .notFound)
        #expect(code { () throws(NVSError) in _ = try storage.openNamespace("", readOnly: false) } == .invalidName)
        #expect(
            code { () throws(NVSError) in _ = try storage.openNamespace("0123456789abcdef", readOnly: false) }
                == .keyTooLong)
        let space = try storage.openNamespace("0123456789abcde", readOnly: false)
        func set(_ key: String, _ value: NVSValue) -> NVSError.Code? {
            code { () throws(NVSError) in try storage.set(key, to: value, in: space) }
        }
        #expect(set("0123456789abcdef", .uint8(1)) == .keyTooLong)
        #expect(set("", .uint8(1)) == .invalidName)
        #expect(set("s", .string([UInt8](repeating: 0x61, count: 4000))) == .valueTooLong)
        #expect(set("s", .string([UInt8](repeating: 0x61, count: 3999))) == nil)
        #expect(set("b", .blob([UInt8](repeating: 0x61, count: 8001))) == .valueTooLong)
        #expect(set("b", .blob([UInt8](repeating: 0x61, count: 4000))) == .notEnoughSpace)
        #expect(set("b", .blob([UInt8](repeating: 0x61, count: 3000))) == nil)
        #expect(code { () throws(NVSError) in try storage.erase("none", in: space) } == .notFound)
        #expect(
            code { () throws(NVSError) in _ = try storage.value(of: "b", type: .uint8, in: space) } == .notFound)
        let readOnly = try storage.openNamespace("0123456789abcde", readOnly: true)
        #expect(code { () throws(NVSError) in try storage.erase("b", in: readOnly) } == .readOnly)
        #expect(code { () throws(NVSError) in try storage.eraseAll(in: readOnly) } == .readOnly)
        #expect(
            code { () throws(NVSError) in try storage.set("b", to: .uint8(1), in: readOnly) } == .readOnly)
        #expect(
            NVSError(.notFound, "there is no \"b\"").description == "ESP_ERR_NVS_NOT_FOUND: there is no \"b\"")
        #expect(NVSError.Code.notEnoughSpace.rawValue == 0x1105)
    }

    @Test func aValueReplacesOneOfAnotherType() throws {
        var storage = try NVSStorage(mounting: SimulatedFlash(pages: 3))
        let space = try storage.openNamespace("a", readOnly: false)
        let values: [NVSValue] = [
            .uint8(1), .blob(Array(0..<100)), .string([0x61]), .blob([1]), .int64(-5), .string([]),
        ]
        for value in values {
            try storage.set("k", to: value, in: space)
            #expect(storage.type(of: "k", in: space) == value.type)
            let again = try NVSStorage(mounting: storage.flash.poweredUp())
            #expect(again.contents == [NVSItem(namespace: "a", key: "k", type: value.type)])
            #expect(try again.value(of: "k", type: value.type, in: space) == value)
        }
    }

    @Test func anEqualValueIsNotWrittenAgain() throws {
        var storage = try NVSStorage(mounting: SimulatedFlash(pages: 3))
        let space = try storage.openNamespace("a", readOnly: false)
        for value in [NVSValue.uint8(1), .string([0x61]), .blob([1, 2])] {
            try storage.set("k", to: value, in: space)
            let operations = storage.flash.operations
            try storage.set("k", to: value, in: space)
            #expect(storage.flash.operations == operations)
        }
    }

    @Test func statisticsCountEntries() throws {
        var storage = try NVSStorage(mounting: SimulatedFlash(pages: 5))
        #expect(
            storage.statistics
                == NVSStatistics(usedEntries: 0, freeEntries: 630, totalEntries: 630, namespaceCount: 0))
        let space = try storage.openNamespace("a", readOnly: false)
        try storage.set("n", to: .uint8(1), in: space)
        // A blob of 33 bytes: an index, a chunk and its two data entries.
        try storage.set("b", to: .blob([UInt8](repeating: 7, count: 33)), in: space)
        #expect(
            storage.statistics
                == NVSStatistics(usedEntries: 6, freeEntries: 624, totalEntries: 630, namespaceCount: 1))
        #expect(storage.statistics.availableEntries == 498)
        try storage.eraseAll(in: space)
        #expect(storage.statistics.usedEntries == 1)
    }

    @Test func aPartitionWithoutAFreePageIsRefused() throws {
        var storage = try NVSStorage(mounting: SimulatedFlash(pages: 3))
        let space = try storage.openNamespace("a", readOnly: false)
        for number in 0..<200 { try storage.set("k\(number)", to: .uint32(UInt32(number)), in: space) }
        let cut = SimulatedFlash(Array(storage.flash.bytes[..<8192]))
        #expect(code { () throws(NVSError) in _ = try NVSStorage(mounting: cut) } == .noFreePages)
    }

    @Test func aNewerFormatIsRefused() throws {
        // Version 3, the checksum by zlib.crc32(…, 0xFFFFFFFF).
        var page = [UInt8](repeating: 0xFF, count: 8192)
        page.replaceSubrange(0..<9, with: [0xFE, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFD])
        page.replaceSubrange(28..<32, with: [0x4E, 0x60, 0x13, 0x16])
        #expect(code { () throws(NVSError) in _ = try NVSStorage(mounting: SimulatedFlash(page)) } == .newVersionFound)
    }

    @Test func damagedFlashNeverTraps() throws {
        var random = SeededRandom(seed: 7)
        var good = try NVSStorage(mounting: SimulatedFlash(pages: 4))
        for _ in 0..<200 { try? NVSModel.apply(NVSModel.randomChange(&random), to: &good) }
        for round in 0..<500 {
            var bytes = good.flash.bytes
            for _ in 0...(random.next() % 8) {
                // Mostly in headers and states, sometimes a whole line of a dump.
                let page = Int(random.next() % 4) * 4096
                let offset = random.next() % 2 == 0 ? Int(random.next() % 64) : Int(random.next() % 4096)
                bytes[page + offset] = random.next() % 2 == 0 ? 0 : UInt8(truncatingIfNeeded: random.next())
            }
            guard var storage = try? NVSStorage(mounting: SimulatedFlash(bytes)) else { continue }
            let again = try NVSStorage(mounting: storage.flash.poweredUp())
            #expect(try NVSModel(again) == NVSModel(storage), "round \(round)")
            for _ in 0..<5 { try? NVSModel.apply(NVSModel.randomChange(&random), to: &storage) }
            _ = try NVSStorage(mounting: storage.flash.poweredUp())
        }
    }
}
