/// Text that a device or a file chose itself, as its names: safe to print.
public enum DeviceText {
    /// The first line of `text` without spaces at its ends; `nil` where that is empty. What controls a terminal, or the
    /// direction of writing, becomes `?`.
    public static func printable(_ text: String) -> String? {
        let line = text.unicodeScalars.prefix { $0 != "\n" && $0 != "\0" }
        let result = withoutControls(String(String.UnicodeScalarView(line))).unicodeScalars
        let trimmed = result.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        return trimmed.isEmpty ? nil : String(String.UnicodeScalarView(trimmed))
    }

    /// All of `text`, in one line: what controls a terminal, or the direction of writing, becomes `?`.
    public static func withoutControls(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(isPrintable(scalar) ? scalar : "?") }
        return String(result)
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
