import ESPChips
import Testing

@Suite struct ChipTests {
    @Test func idsNamesAndMagicsAreUnique() {
        #expect(Set(Chip.all.map(\.id)).count == Chip.all.count)
        #expect(Set(Chip.all.map(\.name)).count == Chip.all.count)
        let magics = Chip.all.flatMap(\.magicValues)
        #expect(Set(magics).count == magics.count)
    }

    @Test func onlyChipsWithoutAnIDInSecurityInfoAreFoundByMagic() {
        #expect(Chip.withMagic(0x00F0_1D83) == .esp32)
        #expect(Chip.withMagic(0x0000_07C6) == .esp32s2)
        // Reads as 0 where nothing answers: no chip.
        #expect(Chip.withMagic(0) == nil)
        #expect(Chip.withID(13) == .esp32c6)
        #expect(Chip.withID(0xFFFF) == nil)
    }

    @Test func registerAddressesAreThoseOfTheManuals() {
        // ESP32 Technical Reference Manual 5.2, 7.5 "SPI registers"; SPI1 is the flash's.
        let esp32 = Chip.esp32.flashController
        #expect(esp32.user == 0x3FF4_201C)
        #expect(esp32.user2 == 0x3FF4_2024)
        #expect(esp32.sendLength == 0x3FF4_2028)
        #expect(esp32.receiveLength == 0x3FF4_202C)
        #expect(esp32.data0 == 0x3FF4_2080)
        let c3 = Chip.esp32c3.flashController
        #expect(c3.user == 0x6000_2018)
        #expect(c3.receiveLength == 0x6000_2028)
        #expect(c3.data0 == 0x6000_2058)
    }

    @Test func aMACAddressIsStoredInTwoWordsInReverseOrder() {
        let address: [UInt8] = [0x24, 0x0A, 0xC4, 0x01, 0x02, 0x03]
        let words = Chip.macWords(address)
        #expect(words.low == 0xC401_0203)
        #expect(words.high == 0x0000_240A)
        // The upper half of the second word is a checksum, not address.
        #expect(Chip.macAddress(low: words.low, high: 0xAB00_0000 | words.high) == address)
    }
}

@Suite struct RegisterFieldTests {
    /// ESP32-C3: the minor revision has its three low bits in word 3 of block 1, and its high bit in word 5.
    @Test func aFieldOfTwoPiecesIsReadAndStored() {
        let field = Chip.esp32c3.efuses.minorRevision
        #expect(field.addresses == [0x6000_8850, 0x6000_8858])
        #expect(field.value(in: [0x6000_8850: 0b011 << 18, 0x6000_8858: 1 << 23]) == 0b1011)
        var words: [UInt32: UInt32] = [0x6000_8850: .max]
        field.store(0b1001, in: &words)
        #expect(words == [0x6000_8850: .max & ~(0b110 << 18), 0x6000_8858: 1 << 23])
    }

    @Test(arguments: Chip.all, [0, 1, 101, 300, 302]) func aRevisionIsStoredAndReadBack(chip: Chip, revision: UInt32) {
        var words: [UInt32: UInt32] = [:]
        chip.storeRevision(revision, in: &words)
        #expect(chip.revision(in: words) == revision)
        #expect(Set(words.keys).isSubset(of: chip.revisionAddresses))
    }

    /// The ESP32 counts its major revision 0, 1, 3, 7; three registers have one bit each.
    @Test func theESP32HasCodesForItsMajorRevisions() {
        var words: [UInt32: UInt32] = [0x3FF5_A00C: 1 << 15]
        #expect(Chip.esp32.revision(in: words) == 100)
        words[0x3FF5_A014] = 1 << 20 | 1 << 24
        #expect(Chip.esp32.revision(in: words) == 201)
        words[0x3FF6_607C] = 1 << 31
        #expect(Chip.esp32.revision(in: words) == 301)
        #expect(Chip.esp32.revision(in: [0x3FF5_A014: 1 << 20]) == 0)
    }

    @Test func chipsAreFoundByEitherName() {
        #expect(Chip.named("esp32c6") == .esp32c6)
        #expect(Chip.named("ESP32-P4") == .esp32p4)
        #expect(Chip.named("esp8266") == nil)
        #expect(Chip.all.allSatisfy { !$0.flashFrequencies.isEmpty && !$0.efuses.majorRevision.pieces.isEmpty })
    }
}
