import BoardParts

/// Parts that were set: a program must be able to notice it.
extension WiredParts {
    /// A part that was set although a program cannot have noticed it.
    package struct Unnoticed: Hashable, Sendable {
        /// Its name.
        package var part: String
        /// The reason.
        package var reason: String
    }

    /// The first part that was set although the program with these pins cannot have noticed it; `nil`: there is none.
    package func unnoticed(_ modes: PinModes) -> Unnoticed? {
        for index in sets.keys.sorted() {
            if let reason = lackOfNotice(of: index, modes) {
                return Unnoticed(part: entries[index].name, reason: reason)
            }
        }
        return nil
    }

    /// The first contact that was set since the last program ended, or since a pin woke the chip.
    var contactSet: (part: String, pin: Int)? {
        for index in sets.keys.sorted() {
            if let pin = sets[index]?.keys.min() { return (entries[index].name, pin) }
        }
        return nil
    }

    /// A program ends: what it can have noticed is done.
    mutating func forgetNoticed(_ modes: PinModes) {
        let left = sets.filter { lackOfNotice(of: $0.key, modes) != nil }
        sets = left
    }

    /// A pin has woken the chip: the contacts have had their effect.
    package mutating func pinsWokeChip() {
        for pins in sets.values { wakers.formUnion(pins.keys) }
        sets = [:]
    }

    private func lackOfNotice(of index: Int, _ modes: PinModes) -> String? {
        let entry = entries[index]
        let pins = entry.pins.compactMap(\.self)
        guard entry.busPart == nil, let first = pins.first, wakers.isDisjoint(with: pins) else { return nil }
        if entry.analogPart != nil {
            return converted.isDisjoint(with: pins)
                ? "the sketch has not read pin \(first), as with analogRead(\(first))" : nil
        }
        guard let input = pins.first(where: modes.wasInput) else {
            let pin = sets[index]?.keys.min() ?? first
            return "pin \(pin) is not an input: the sketch has not called pinMode(\(pin), INPUT_PULLUP)"
        }
        for (number, pin) in entry.pins.enumerated() {
            guard let pin, let drive = sets[index]?[pin], entry.idle[number] == .floating, !entry.hasPullUp[number]
            else { continue }
            if !modes.wasInput(pin) {
                return
                    "pin \(pin) is not an input, only pin \(input): the sketch has not called pinMode(\(pin), INPUT_PULLUP)"
            }
            if drive == .low, !modes.wasPulledUp(pin) {
                return
                    "pin \(pin) has no pull-up, and floats while the contact is open: pinMode(\(pin), INPUT_PULLUP) switches one on, where the pin has it (not 34 to 39)"
            }
            if drive == .high, !modes.wasPulledDown(pin) {
                return
                    "pin \(pin) has no pull-down, and floats while the contact is open: pinMode(\(pin), INPUT_PULLDOWN) switches one on, where the pin has it (not 34 to 39)"
            }
        }
        return nil
    }
}
