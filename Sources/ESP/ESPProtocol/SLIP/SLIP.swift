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
        for byte in content {
            switch byte {
            case end:
                frame.append(escape)
                frame.append(escapedEnd)
            case escape:
                frame.append(escape)
                frame.append(escapedEscape)
            default:
                frame.append(byte)
            }
        }
        frame.append(end)
        return frame
    }
}
