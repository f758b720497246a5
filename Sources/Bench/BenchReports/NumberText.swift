extension Int {
    /// The number with a comma between thousands: `196,608`.
    var grouped: String {
        var text: [Character] = []
        for (index, digit) in String(magnitude).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + String(text.reversed())
    }

    /// The number with its noun, e.g. `1 suite`, `2 suites`.
    func of(_ noun: String) -> String {
        "\(grouped) \(noun)\(self == 1 ? "" : "s")"
    }
}
