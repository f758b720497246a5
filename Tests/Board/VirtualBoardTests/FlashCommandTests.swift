import ESPChips
import ESPProtocol
import Testing
import VirtualBoard

/// Commands to the flash chip through the registers of its controller, on a chip with each layout.
@Suite struct FlashCommandTests {
    /// Runs a command; the first `bits` / 32 words of the answer.
    private func run(
        _ opcode: UInt32, address: UInt32? = nil, sent: UInt32? = nil, bits: UInt32 = 0, on talk: Talk, _ chip: Chip
    ) throws -> [UInt32] {
        let spi = chip.flashController
        var user = FlashController.userHasCommand
        var writes: [WriteRegister.Write] = [.init(address: spi.user2, value: 7 << 28 | opcode)]
        if let address {
            user |= FlashController.userHasAddress | FlashController.userHasDummy
            writes.append(.init(address: spi.user1, value: 23 << FlashController.addressLengthShift | 7))
            writes.append(.init(address: spi.address, value: spi.hasLeftAlignedAddress ? address << 8 : address))
        }
        if let sent {
            user |= FlashController.userHasSend
            writes.append(.init(address: spi.sendLength, value: 15))
            writes.append(.init(address: spi.data0, value: sent))
        }
        if bits > 0 {
            user |= FlashController.userHasReceive
            writes.append(.init(address: spi.receiveLength, value: bits - 1))
        }
        writes += [
            .init(address: spi.user, value: user), .init(address: spi.command, value: FlashController.commandStart),
        ]
        _ = try talk.outcome(WriteRegister(writes)).get()
        #expect(try talk.outcome(ReadRegister(address: spi.command)).get().value & FlashController.commandStart == 0)
        return try (0..<(bits + 31) / 32).map {
            try talk.outcome(ReadRegister(address: spi.data0 + $0 * 4)).get().value
        }
    }

    @Test(arguments: [Chip.esp32, .esp32c3]) func theParametersOfTheFlashAreRead(chip: Chip) throws {
        let talk = try Talk(stub: false, chip: chip)
        #expect(try run(0x9F, bits: 24, on: talk, chip) == [0x14_40EF])
        // "SFDP", then 1.5 and one parameter header.
        #expect(try run(0x5A, address: 0, bits: 64, on: talk, chip) == [0x5044_4653, 0xFF00_0105])
        #expect(try run(0x5A, address: 1, bits: 24, on: talk, chip) == [0x50_4446])
        // The density: bits minus 1, of 1 MB.
        #expect(try run(0x5A, address: 0x84, bits: 32, on: talk, chip) == [(8 << 20) - 1])
    }

    @Test(arguments: [Chip.esp32, .esp32c3]) func statusRegistersAreWrittenAfterWriteEnable(chip: Chip) throws {
        let talk = try Talk(stub: false, chip: chip)
        _ = try run(0x01, sent: 0x021C, on: talk, chip)
        #expect(try run(0x05, bits: 8, on: talk, chip) == [0], "not enabled")
        _ = try run(0x06, on: talk, chip)
        #expect(try run(0x05, bits: 8, on: talk, chip) == [2])
        _ = try run(0x01, sent: 0x021C, on: talk, chip)
        #expect(try run(0x05, bits: 8, on: talk, chip) == [0x1C], "written, and no longer enabled")
        #expect(try run(0x35, bits: 8, on: talk, chip) == [0x02])
        #expect(try run(0x15, bits: 8, on: talk, chip) == [0])
    }

    @Test func aFlashThatIsNotAttachedHasNoID() throws {
        let talk = try Talk(stub: false, attached: false)
        #expect(try run(0x9F, bits: 24, on: talk, .esp32) == [0xFF_FFFF])
        #expect(try run(0x5A, address: 0, bits: 32, on: talk, .esp32) == [0xFFFF_FFFF])
        _ = try talk.outcome(AttachFlash(pins: 0x123, dialect: .rom)).get()
        #expect(try run(0x9F, bits: 24, on: talk, .esp32) == [0xFF_FFFF], "other pins")
        _ = try talk.outcome(AttachFlash(dialect: .rom)).get()
        #expect(try run(0x9F, bits: 24, on: talk, .esp32) == [0x14_40EF])
    }
}
