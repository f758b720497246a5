import ArgumentParser
import ESPChips
import ESPFlasher
import ESPImage

/// The flash settings that a bootloader or an image gets.
struct FlashSettingsOptions: ParsableArguments {
    @Option(
        name: .customLong("flash-mode"),
        help: ArgumentHelp("keep, qio, qout, dio or dout: the mode in the bootloader's header.", valueName: "mode"))
    var mode = "keep"

    @Option(
        name: .customLong("flash-freq"),
        help: ArgumentHelp("keep, or the frequency in the bootloader's header, e.g. 80m.", valueName: "frequency"))
    var frequency = "keep"

    @Option(
        name: .customLong("flash-size"),
        help: ArgumentHelp(
            "keep, detect, or the size in the bootloader's header, e.g. 4MB.", valueName: "size"))
    var size = "keep"

    func validate() throws {
        try Self.check(mode, "--flash-mode", ["keep"] + FlashSettings.modeNames)
        try Self.check(size, "--flash-size", ["keep", "detect"] + FlashSettings.sizeNames)
    }

    private static func check(_ value: String, _ option: String, _ names: [String]) throws {
        guard names.contains(where: { $0.lowercased() == value.lowercased() }) else {
            throw ValidationError("\(option): expected \(names.joined(separator: ", ")), got '\(value)'")
        }
    }

    /// The change, for `board`.
    ///
    /// - Throws: ``CommandFailure`` with exit code `usage`; `refused` for a size beyond that of the board's flash, with
    ///   which it would not start.
    func change(for board: ConnectedBoard) throws(CommandFailure) -> FlashSettingsChange {
        if let real = board.flashSize, let code = try change(for: board.chip).sizeCode, UInt64(1 << 20) << code > real {
            throw CommandFailure(
                .refused,
                "--flash-size \(size): expected at most the \(real >> 20) MB of the board's flash; nothing was changed",
                code: "flash.sizeOption")
        }
        guard size.lowercased() == "detect" else { return try change(for: board.chip) }
        guard let code = board.flashSize.flatMap(FlashSettings.sizeCode(ofBytes:)) else {
            throw CommandFailure(
                .flashFailed, "--flash-size detect: the size of the board's flash is not known", code: "flash.noFlash")
        }
        var change = try Self.change(mode, frequency, nil, board.chip)
        change.sizeCode = code
        return change
    }

    /// The change, for a chip without a board: "detect" changes nothing.
    ///
    /// - Throws: ``CommandFailure`` with exit code `usage`.
    func change(for chip: Chip) throws(CommandFailure) -> FlashSettingsChange {
        try Self.change(mode, frequency, size.lowercased() == "detect" ? nil : size, chip)
    }

    private static func change(
        _ mode: String, _ frequency: String, _ size: String?, _ chip: Chip
    ) throws(CommandFailure) -> FlashSettingsChange {
        do throws(ImageError) {
            return try FlashSettingsChange(mode: mode, frequency: frequency, size: size, of: chip)
        } catch {
            throw CommandFailure(.usage, "\(error)", code: "usage.flashSettings")
        }
    }
}
