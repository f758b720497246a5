import ESPImage
import Testing

@Suite struct HostProgramTests {
    @Test func aSealedProgramOpensWithItsKeyOnly() throws {
        let key = try #require(Fixtures.key)
        let image = try FirmwareImage(try Fixtures.appImage())
        #expect(image.carriesHostProgram)
        #expect(try image.hostProgram(key: key) == Fixtures.program)
        let other = try #require(HostProgramKey(Array(repeating: 0x43, count: 32)))
        #expect(try ImageError.code { _ = try image.hostProgram(key: other) } == .authentication)
    }

    @Test func anImageWithoutHostProgramHasNone() throws {
        let image = try FirmwareImage(try Fixtures.appImage(key: nil))
        #expect(!image.carriesHostProgram)
        #expect(try image.hostProgram(key: try #require(Fixtures.key)) == nil)
    }

    @Test func everyByteIsAuthenticated() throws {
        let key = try #require(Fixtures.key)
        var program = Fixtures.program
        program.program = Fixtures.bytes(64)[...]
        let description = Fixtures.description.bytes[...]
        let sealed = program.seal(key: key, description: Fixtures.description)
        #expect(try HostProgram.open(sealed + [0, 0], key: key, description: description) == program)
        for index in sealed.indices {
            for bit: UInt8 in [0x01, 0x80] {
                var changed = sealed
                changed[index] ^= bit
                #expect(throws: ImageError.self) {
                    try HostProgram.open(changed[...], key: key, description: description)
                }
            }
        }
        for index in 0..<AppDescription.length {
            var changed = description
            changed[index] ^= 1
            #expect(
                try ImageError.code { _ = try HostProgram.open(sealed[...], key: key, description: changed) }
                    == .authentication)
        }
        for length in 0..<sealed.count {
            #expect(throws: ImageError.self) {
                try HostProgram.open(sealed.prefix(length), key: key, description: description)
            }
        }
    }

    @Test func aKeyHas32BytesAndIsNeverPrinted() throws {
        #expect(HostProgramKey(Array(repeating: 0, count: 31)) == nil)
        #expect("\(try #require(Fixtures.key))" == "HostProgramKey")
    }

    @Test func aHostProgramIsFoundInAMergedImage() throws {
        let app = try Fixtures.appImage()
        #expect(HostProgram.occurs(in: Array(repeating: 0xFF, count: 0x1_0000) + app[...]))
        #expect(!HostProgram.occurs(in: try Fixtures.appImage(key: nil)[...]))
        #expect(!HostProgram.occurs(in: [1, 2, 3]))
    }
}
