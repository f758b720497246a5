public import SerialPort

extension ResetSequence {
    /// Reads a sequence of a user's own in esptool's form (its configuration file's `custom_reset_sequence`):
    /// commands separated by `|`: `D0`, `D1` set DTR, `R0`, `R1` RTS, `U1,0` both at once, `W0.1` waits seconds.
    ///
    /// - Throws: ``FlasherError`` with code `unsupported` when the text has another form.
    public init(custom text: String) throws(FlasherError) {
        var state = ModemLines(dtr: false, rts: false)
        var steps: [Step] = []
        for part in text.split(separator: "|", omittingEmptySubsequences: false) {
            let argument = part.dropFirst()
            switch (part.first, Self.flags(argument)) {
            case ("D", let flags?) where flags.count == 1: state.dtr = flags[0]
            case ("R", let flags?) where flags.count == 1: state.rts = flags[0]
            case ("U", let flags?) where flags.count == 2: state = ModemLines(dtr: flags[0], rts: flags[1])
            case ("W", _):
                guard let seconds = Double(argument), seconds >= 0, seconds <= 60 else { throw Self.invalid(part) }
                steps.append(.pause(.milliseconds(Int64((seconds * 1000).rounded()))))
                continue
            default: throw Self.invalid(part)
            }
            steps.append(.lines(state))
        }
        self.init(name: "custom", steps: steps)
    }

    private static func flags(_ text: Substring) -> [Bool]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ $0 == "0" || $0 == "1" }) else { return nil }
        return parts.map { $0 == "1" }
    }

    private static func invalid(_ part: Substring) -> FlasherError {
        FlasherError(
            .unsupported, "reset sequence: expected D0, D1, R0, R1, U1,0 or W0.1 between '|', got '\(part)'")
    }
}
