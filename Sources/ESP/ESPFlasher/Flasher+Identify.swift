import ByteCodec
import ESPChips
import ESPProtocol

extension Flasher {
    /// Identifies the board, and attaches its flash.
    ///
    /// - Throws: ``FlasherError`` with code `unknownChip`, `noFlash`, or one of a failed command.
    public func identify() async throws(FlasherError) -> ConnectedBoard {
        let chip = try await chip()
        let low = try await read(chip.macAddressRegister)
        let high = try await read(chip.macAddressRegister + 4)
        let context = "attaching the flash"
        _ = try await connection.send(AttachFlash(dialect: connection.dialect), context)
        let flashID = try await flashID(chip.flashController)
        guard flashID != 0, flashID != 0xFF_FFFF else {
            throw FlasherError(
                .noFlash, "\(context): expected an id, got \(Hexadecimal.string(flashID.bytes)); is a flash connected?")
        }
        let board = ConnectedBoard(
            chip: chip, macAddress: Chip.macAddress(low: low, high: high), flashID: flashID)
        if let size = board.flashSize.flatMap({ UInt32(exactly: $0) }) {
            _ = try await connection.send(SetFlashParameters(totalSize: size), context)
        }
        return board
    }

    private func chip() async throws(FlasherError) -> Chip {
        let context = "identifying the chip"
        do throws(FlasherError) {
            let reply = try await connection.send(GetSecurityInfo(), context)
            if let id = reply.chip?.id {
                guard let chip = Chip.withID(id) else {
                    throw FlasherError(.unknownChip, "\(context): chip id \(id) is not known")
                }
                return chip
            }
        } catch  where error.code == .refused {
            // The oldest ROMs do not know the command: the magic register identifies the chip.
        }
        let magic = try await read(Chip.magicRegister)
        guard let chip = Chip.withMagic(magic) else {
            throw FlasherError(.unknownChip, "\(context): magic value \(Hexadecimal.string(magic.bytes)) is not known")
        }
        return chip
    }

    /// Sends "read identification" to the flash through the registers of its controller.
    private func flashID(_ controller: FlashController) async throws(FlasherError) -> UInt32 {
        let context = "reading the flash id"
        let formerUser = try await read(controller.user)
        let formerUser2 = try await read(controller.user2)
        // One packet for all writes, to save round trips.
        _ = try await connection.send(
            WriteRegister([
                .init(
                    address: controller.user,
                    value: FlashController.userHasCommand | FlashController.userHasReceive),
                .init(address: controller.user2, value: 7 << 28 | Self.readIdentification),
                .init(address: controller.receiveLength, value: 24 - 1),
                .init(address: controller.data0, value: 0),
                .init(address: controller.command, value: FlashController.commandStart),
            ]), context)
        var polls = 0
        while try await read(controller.command) & FlashController.commandStart != 0 {
            polls += 1
            guard polls < Self.pollLimit else {
                throw FlasherError(.noFlash, "\(context): the controller is still busy after \(polls) reads")
            }
        }
        let id = try await read(controller.data0) & 0xFF_FFFF
        _ = try await connection.send(
            WriteRegister([
                .init(address: controller.user, value: formerUser),
                .init(address: controller.user2, value: formerUser2),
            ]), context)
        return id
    }

    /// The flash command "read identification" (JEDEC).
    private static let readIdentification: UInt32 = 0x9F
    private static let pollLimit = 10
}

extension UInt32 {
    /// Most significant byte first.
    var bytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
