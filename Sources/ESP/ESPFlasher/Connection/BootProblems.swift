/// The lines of a board's boot log that report why it does not run its application.
public enum BootProblems {
    /// The log tags of ESP-IDF's second-stage bootloader and of the virtual board's, which refuses images.
    private static let tags: Set<Substring> = [
        "boot", "boot_comm", "bootloader_flash", "bootloader_sha", "espbench", "esp_image", "esp_ota_ops",
        "flash_encrypt", "flash_parts", "qio_mode", "secure_boot", "secure_boot_v2",
    ]

    /// Prefixes of the error lines of the ROM and of panics.
    private static let beginnings = [
        "invalid header: ", "flash read err", "csum err", "wrong chip id ", "ets_main.c", "ets_loader.c",
        "Invalid image block", "Invalid chip id. ", "Checksum failure. ", "SHA-256 comparison failed",
        "waiting for download",
        "Guru Meditation Error", "abort() was called", "assert failed", "Brownout detector was triggered",
        "***ERROR*** A stack overflow",
    ]

    /// The lines of `log` that report a problem, each once, at most ``limit``; empty for a normal boot.
    public static func lines(in log: [UInt8]) -> [String] {
        var result: [String] = []
        for bytes in log.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let visible = withoutColour(bytes).map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: "?") }
            let line = String(decoding: visible, as: UTF8.self)
            if isProblem(line), !result.contains(line), result.count < limit { result.append(line) }
        }
        return result
    }

    /// Whether the ROM has started a bootloader in `log`: "entry 0x400805e4" is its last line then.
    static func hasLeftROM(_ log: [UInt8]) -> Bool {
        log.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).contains { $0.starts(with: "entry 0x".utf8) }
    }

    /// The most lines that are returned; a board in a reset loop repeats them.
    static let limit = 10

    /// The line without the colours that ESP-IDF's log may have: ESC, `[`, and all up to `m`.
    private static func withoutColour(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = line
        while let byte = rest.popFirst() {
            if byte == 0x1B, rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "m")) {
                rest = rest[(end + 1)...]
            } else {
                result.append(byte)
            }
        }
        return result
    }

    private static func isProblem(_ line: String) -> Bool {
        if beginnings.contains(where: { line.hasPrefix($0) }) { return true }
        // "E (40) boot: …"; an application logs in the same format with other tags.
        guard line.hasPrefix("E ("), let close = line.firstIndex(of: ")") else { return false }
        let rest = line[close...].dropFirst(2)
        guard let colon = rest.firstIndex(of: ":") else { return false }
        return tags.contains(rest[..<colon])
    }
}
