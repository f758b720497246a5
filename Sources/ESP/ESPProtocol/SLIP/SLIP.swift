/// The SLIP framing of the ESP serial protocol: its special bytes, and the encoder.
public enum SLIP {
    /// Begins and ends a frame.
    public static let end: UInt8 = 0xC0
    /// Begins an escape.
    public static let escape: UInt8 = 0xDB
    /// After ``escape``: a `C0` of the content.
    public static let escapedEnd: UInt8 = 0xDC
    /// After ``escape``: a `DB` of the content.
    public static let escapedEscape: UInt8 = 0xDD

    /// `content` as one frame, with both delimiters.
    public static func encode(_ content: some Collection<UInt8>) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(content.count + content.count / 16 + 2)
        frame.append(end)
        var rest = content[...]
        while let byte = rest.first {
            let run = rest.prefix { $0 != end && $0 != escape }
            if run.isEmpty {
                frame.append(escape)
                frame.append(byte == end ? escapedEnd : escapedEscape)
                rest = rest.dropFirst()
            } else {
                frame.append(contentsOf: run)
                rest = rest[run.endIndex...]
            }
        }
        frame.append(end)
        return frame
    }
}
