/// The colour of a signal strength: red at −127 dBm, over yellow, to green at −20 dBm and above.
public struct SignalColor: Hashable, Sendable {
    /// 0...255
    public var red, green, blue: UInt8

    /// The weakest strength, in dBm.
    public static let weakest = -127
    /// The strength from which on it is green.
    public static let strongest = -20

    /// The colour of a strength in dBm; `nil`, which is grey: it is not known.
    public init(rssi: Int?) {
        guard let rssi else {
            (red, green, blue) = (128, 128, 128)
            return
        }
        let span = Self.strongest - Self.weakest
        let part = min(max(rssi - Self.weakest, 0), span)
        // Hue 0° to 120°: first green is added to red, then red is taken away.
        red = UInt8(min(255, 2 * 255 * (span - part) / span))
        green = UInt8(min(255, 2 * 255 * part / span))
        blue = 0
    }

    /// As in HTML: `#FF0000`.
    public var hexadecimal: String {
        "#"
            + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}
