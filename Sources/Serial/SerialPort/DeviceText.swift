/// Text that a device chose itself, as its names: safe to print.
public enum DeviceText {
    /// The first line of `text` without spaces at its ends; `nil` where that is empty. What controls a terminal, or the
    /// direction of writing, becomes `?`.
    public static func printable(_ text: String) -> String? {
        let line = text.unicodeScalars.prefix { $0 != "\n" && $0 != "\0" }
        var result = String.UnicodeScalarView()
        for scalar in line { result.append(isPrintable(scalar) ? scalar : "?") }
        let trimmed = result.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        return trimmed.isEmpty ? nil : String(String.UnicodeScalarView(trimmed))
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
