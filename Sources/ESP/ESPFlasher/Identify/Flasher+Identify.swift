import ByteCodec
import ESPChips
public import ESPProtocol

extension Flasher {
    /// Identifies the board, and attaches its flash.
    ///
    /// In secure download mode only the chip can be identified, by GET_SECURITY_INFO.
    ///
    /// - Parameter requiresFlash: false to identify a board whose flash does not answer, too; its flash id is then 0.
    /// - Throws: ``FlasherError`` with code `unknownChip`, `noFlash`, `secureDownload` when a chip in that mode cannot
    ///   be identified, `noisyLine`, or the error of a command.
    public func identify(requiresFlash: Bool = true) async throws(FlasherError) -> ConnectedBoard {
        try await confirmed("identifying the board") { () throws(FlasherError) in
            try await identifyOnce(requiresFlash)
        }
    }

    private func identifyOnce(_ requiresFlash: Bool) async throws(FlasherError) -> ConnectedBoard {
        let (chip, security) = try await chip()
        identified = chip
        let isLocked = security.map { $0.isSecureDownload } ?? false
        if isLocked {
            let board = ConnectedBoard(
                chip: chip, macAddress: [], flashID: 0, security: security, isInSecureDownloadMode: true,
                isFlashEncrypted: security.map { $0.isFlashEncrypted } ?? false)
            try await attachFlash(of: board)
            return board
        }
        try await stopWatchdogs(of: chip)
        let low = try await readConfirmed(chip.macAddressRegister)
        let high = try await readConfirmed(chip.macAddressRegister + 4)
        let flashID: UInt32
        do throws(FlasherError) {
            flashID = try await attachedFlashID(chip)
        } catch  where !requiresFlash && (error.code == .noFlash || error.isRefusal) {
            flashID = 0
        }
        let isEncrypted: Bool
        if let security {
            isEncrypted = security.isFlashEncrypted
        } else {
            isEncrypted = try await isFlashEncrypted(chip)
        }
        let board = ConnectedBoard(
            chip: chip, macAddress: Chip.macAddress(low: low, high: high), flashID: flashID, security: security,
            isInSecureDownloadMode: false, isFlashEncrypted: isEncrypted)
        try await setParameters(for: board)
        return board
    }

    /// Attaches the flash, and sends its size to the loader: after the identification, and again after a stub or a
    /// reset has replaced the loader.
    func attachFlash(of board: ConnectedBoard) async throws(FlasherError) {
        do throws(FlasherError) {
            try await attach()
            try await setParameters(for: board)
        } catch  where board.isInSecureDownloadMode && error.isRefusal {
            // Some ROMs attach the flash automatically in this mode, and refuse the command.
        }
    }

    private func attachedFlashID(_ chip: Chip) async throws(FlasherError) -> UInt32 {
        try await attach()
        let flashID = try await confirmedFlashID(chip)
        guard ConnectedBoard.isFlash(flashID) else {
            throw FlasherError(
                .noFlash,
                "attaching the flash: expected an id, got \(Hexadecimal.string(flashID.bytes)); "
                    + "is a flash connected?")
        }
        return flashID
    }

    private func attach() async throws(FlasherError) {
        _ = try await connection.query(AttachFlash(dialect: connection.dialect), "attaching the flash")
    }

    private func setParameters(for board: ConnectedBoard) async throws(FlasherError) {
        guard let size = board.flashSize.flatMap({ UInt32(exactly: $0) }) else { return }
        _ = try await connection.query(SetFlashParameters(totalSize: size), "setting the size of the flash")
    }

    // MARK: Chip

    private func chip() async throws(FlasherError) -> (Chip, GetSecurityInfo.Reply?) {
        let context = "identifying the chip"
        var security: GetSecurityInfo.Reply?
        do throws(FlasherError) {
            let reply = try await confirmedSecurity(context)
            security = reply
            if let id = reply.chip?.id {
                guard let chip = Chip.withID(id) else {
                    let name = Chip.unsupportedNames[id].map { "the \($0) (chip id \(id)) is not supported" }
                    throw FlasherError(.unknownChip, "\(context): \(name ?? "chip id \(id) is not known")")
                }
                return (chip, reply)
            }
        } catch  where error.code == .refused {
            // The oldest ROMs do not know the command: the magic register identifies the chip.
        }
        let magic: UInt32
        do throws(FlasherError) {
            magic = try await readConfirmed(Chip.magicRegister)
        } catch  where error.isRefusal {
            throw FlasherError(
                .secureDownload,
                "\(context): the loader refuses to read a register, as in secure download mode; "
                    + "this chip cannot be identified then", underlying: error.underlying)
        }
        guard let chip = Chip.withMagic(magic) else {
            throw FlasherError(.unknownChip, "\(context): magic value \(Hexadecimal.string(magic.bytes)) is not known")
        }
        return (chip, security)
    }

    /// The security settings, read until two answers in a row are the same.
    private func confirmedSecurity(_ context: String) async throws(FlasherError) -> GetSecurityInfo.Reply {
        var last = try await connection.query(GetSecurityInfo(), retriesRefusal: false, context)
        for _ in 0..<Self.securityAttempts {
            let next = try await connection.query(GetSecurityInfo(), context)
            if next == last { return next }
            last = next
        }
        throw FlasherError(.noisyLine, "\(context): the answers differ each time; is the line disturbed?")
    }

    private static let securityAttempts = 8

    /// True if FLASH_CRYPT_CNT in the eFuses has an odd number of bits set.
    private func isFlashEncrypted(_ chip: Chip) async throws(FlasherError) -> Bool {
        let field = chip.efuses.flashEncryptionCount
        var words: [UInt32: UInt32] = [:]
        for address in field.addresses { words[address] = try await readConfirmed(address) }
        return field.value(in: words).nonzeroBitCount % 2 == 1
    }
}

extension GetSecurityInfo.Reply {
    /// True if the loader permits little more than writing.
    public var isSecureDownload: Bool { flags & 1 << 2 != 0 }
    /// True if secure boot is on.
    public var isSecureBoot: Bool { flags & 1 != 0 }
    /// True if flash encryption is on.
    public var isFlashEncrypted: Bool { flashEncryptionCount.nonzeroBitCount % 2 == 1 }
}

extension UInt32 {
    /// Most significant byte first.
    var bytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
