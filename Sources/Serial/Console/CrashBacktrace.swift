/// The lines that a monitor shows below the dump of a RISC-V chip: the calls that led to the crash, found by the program's
/// call frame information, and where that ends, callers that are possible.
enum CrashBacktrace {
    /// How many possible callers are shown.
    static let maximumCandidates = 32

    static func lines(of dump: CrashDump, _ program: any AddressResolver) async -> [String] {
        guard let unwound = program.unwind(dump) else { return await candidates(dump, above: nil, program) }
        var lines = ["--- backtrace:"]
        for (address, frames) in zip(unwound.addresses, await program.frames(at: unwound.addresses)) {
            lines += frames.isEmpty ? ["--- \(hex(address.value)): not in the program"] : DecodedLines.text(of: frames)
        }
        guard let reason = unwound.reason else { return lines }
        lines.append("--- the backtrace ends here: \(reason)")
        guard unwound.mayHaveCallers else { return lines }
        let shown = Set(unwound.addresses.map(\.value))
        return lines + (await candidates(dump, above: unwound.callersStart, program, without: shown))
    }

    /// What may be callers: the return address in RA while nothing else is known, and each word of the stack from `start`
    /// on that is behind a call instruction. Some may be left from calls that had returned.
    private static func candidates(
        _ dump: CrashDump, above start: UInt32?, _ program: any AddressResolver, without shown: Set<UInt64> = []
    ) async -> [String] {
        let words = dump.memory.filter { $0.key >= start ?? 0 }.sorted { $0.key < $1.key }.map(\.value)
        var found: [CodeAddress] = []
        for word in (shown.count > 1 ? [] : [dump.registers[1] ?? 0]) + words {
            let address = UInt64(word)
            guard found.count < maximumCandidates, program.isReturnAddress(address), !shown.contains(address),
                found.last?.value != address
            else { continue }
            found.append(CodeAddress(address, isReturn: true))
        }
        let frames = await program.frames(at: found).flatMap(\.self)
        guard !frames.isEmpty else { return [] }
        return ["--- possible callers, by words of the stack that are behind a call:"]
            + DecodedLines.text(of: frames, mark: "maybe ")
    }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return "0x" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }
}
