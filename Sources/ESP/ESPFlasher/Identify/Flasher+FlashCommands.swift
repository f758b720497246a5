import ESPChips
internal import ESPProtocol

/// Commands to the flash chip itself, through the registers of its controller.
extension Flasher {
    /// The registers of the flash chip's status.
    private enum FlashStatusRegister: UInt8, CaseIterable {
        /// The first: busy, write protection.
        case first = 0x05
        /// The second: quad mode.
        case second = 0x35
        /// The third: address mode, drive strength.
        case third = 0x15
    }

    /// Reads the first `count` (1 to 3) bytes of the flash's status, like esptool's `read-flash-status`: the least
    /// significant byte is the first register.
    ///
    /// - Throws: ``FlasherError``.
    func flashStatus(byteCount count: Int = 2, of board: ConnectedBoard) async throws(FlasherError) -> UInt32 {
        try board.checkPermits("reading the flash's status register")
        var result: UInt32 = 0
        for (index, register) in FlashStatusRegister.allCases.prefix(count).enumerated() {
            let byte = try await flashCommand(register.rawValue, receiving: 8, on: board.chip) & 0xFF
            result |= byte << (8 * UInt32(index))
        }
        return result
    }

    /// Reads the flash's parameter table (SFDP, JEDEC JESD216), from `offset`.
    ///
    /// - Returns: `count` bytes; all `FF` or 0 from a flash without the table.
    /// - Throws: ``FlasherError``.
    func flashParameters(
        offset: UInt32 = 0, count: Int, of board: ConnectedBoard
    ) async throws(FlasherError) -> [UInt8] {
        try board.checkPermits("reading the flash's parameters (SFDP)")
        var result: [UInt8] = []
        while result.count < count {
            let address = offset + UInt32(result.count)
            let word = try await flashCommand(
                0x5A, address: address, dummyBits: 8, receiving: 32, on: board.chip)
            result += word.bytes.reversed()
        }
        return Array(result.prefix(count))
    }

    /// The size of the flash in bytes according to its parameter table; `nil` without a valid table.
    ///
    /// - Throws: ``FlasherError``.
    func flashSizeFromParameters(of board: ConnectedBoard) async throws(FlasherError) -> UInt64? {
        let header = try await flashParameters(count: 16, of: board)
        guard header.starts(with: Array("SFDP".utf8)) else { return nil }
        // The first parameter header is that of the basic table; its pointer is in bytes 12 to 14.
        let pointer = UInt32(header[12]) | UInt32(header[13]) << 8 | UInt32(header[14]) << 16
        let words = try await flashParameters(offset: pointer, count: 8, of: board)
        let density = words[4...7].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        if density >> 31 == 0 { return (UInt64(density) + 1) / 8 }
        let exponent = UInt64(density & 0x7FFF_FFFF)
        return (3..<64).contains(exponent) ? 1 << (exponent - 3) : nil
    }

    /// Sends "read identification" (9F) until two answers in a row are the same.
    func confirmedFlashID(_ chip: Chip) async throws(FlasherError) -> UInt32 {
        var last = try await flashCommand(0x9F, receiving: 24, on: chip) & 0xFF_FFFF
        if !ConnectedBoard.isFlash(last), !writesRegistersSingly {
            writesRegistersSingly = true
            last = try await flashCommand(0x9F, receiving: 24, on: chip) & 0xFF_FFFF
            writesRegistersSingly = ConnectedBoard.isFlash(last)
        }
        // On a line without faults so far, one answer is enough.
        guard lineFaults > 0 || connection.noise.count > 0 else { return last }
        for _ in 0..<8 {
            let next = try await flashCommand(0x9F, receiving: 24, on: chip) & 0xFF_FFFF
            if next == last { return next }
            last = next
        }
        throw FlasherError(.noisyLine, "reading the flash id: the answers differ each time; is the line disturbed?")
    }

    /// Performs one command of the flash: opcode, address of 24 bits, dummy bits, up to 32 bits of answer.
    func flashCommand(
        _ opcode: UInt8, address: UInt32? = nil, dummyBits: UInt32 = 0, receiving count: UInt32 = 0, on chip: Chip
    ) async throws(FlasherError) -> UInt32 {
        let context = "flash command 0x\(String(opcode, radix: 16))"
        let controller = chip.flashController
        let formerUser = try await readRegister(controller.user)
        let formerUser2 = try await readRegister(controller.user2)
        var user = FlashController.userHasCommand
        var writes: [WriteRegister.Write] = []
        if count > 0 {
            user |= FlashController.userHasReceive
        }
        if let address {
            user |= 1 << 30
            var lengths = UInt32(24 - 1) << 26
            if dummyBits > 0 {
                user |= 1 << 29
                lengths |= dummyBits - 1
            }
            writes.append(.init(address: controller.user1, value: lengths))
            // The ESP32 takes the address from the upper bits of its register, later chips from the lower ones.
            writes.append(
                .init(
                    address: controller.address,
                    value: controller.hasLeftAlignedAddress ? address << 8 : address))
        }
        writes.insert(
            contentsOf: [
                .init(address: controller.user, value: user),
                .init(address: controller.user2, value: 7 << 28 | UInt32(opcode)),
            ], at: 0)
        if count > 0 { writes.append(.init(address: controller.receiveLength, value: count - 1)) }
        writes.append(.init(address: controller.data0, value: 0))
        writes.append(.init(address: controller.command, value: FlashController.commandStart))
        try await writeRegisters(writes, context)
        var polls = 0
        while try await readRegister(controller.command) & FlashController.commandStart != 0 {
            polls += 1
            guard polls < Self.pollLimit else {
                throw FlasherError(.noFlash, "\(context): the controller is still busy after \(polls) reads")
            }
        }
        let result = try await readRegister(controller.data0)
        try await writeRegisters(
            [
                .init(address: controller.user, value: formerUser),
                .init(address: controller.user2, value: formerUser2),
            ], context)
        return result
    }

    private static let pollLimit = 10
}
