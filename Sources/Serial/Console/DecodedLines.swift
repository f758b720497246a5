/// The places of a console line's code addresses, as lines that a monitor shows below it, in the form of ESP-IDF's
/// monitor.
public enum DecodedLines {
    /// The lines for `line`; none when it has no code address that `resolver` knows.
    public static func text(for line: String, _ resolver: any AddressResolver) async -> [String] {
        await text(for: BacktraceDecoder.addresses(in: line), resolver)
    }

    /// The lines for `addresses`; none for those that `resolver` does not know.
    static func text(for addresses: [CodeAddress], _ resolver: any AddressResolver) async -> [String] {
        guard !addresses.isEmpty else { return [] }
        return text(of: await resolver.frames(at: addresses).flatMap(\.self))
    }

    /// A line for each frame, with `mark` before its address.
    static func text(of frames: [CodeFrame], mark: String = "") -> [String] {
        frames.map { frame in
            let address = frame.isInlined ? "(inlined)" : "0x\(String(frame.address, radix: 16))"
            return "--- \(mark)\(address): \(frame.text)"
        }
    }
}
