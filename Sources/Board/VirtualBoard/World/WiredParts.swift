package import BoardParts
package import CFirmwareChannel
package import ESPChips
package import MonotonicTime

/// The parts that are wired to a board, and the nets between them and the chip's pins.
///
/// A state machine: the owner passes the chip's signals and the time, advances it at ``nextDeadline``, and takes the
/// events and the new levels for the firmware.
package struct WiredParts {
    /// A part with its terminals.
    struct Entry {
        let name: String
        let kind: PartKind
        let part: any Part
        let pinPart: (any PinPart)?
        let pwmPart: (any PWMPart)?
        let analogPart: (any AnalogPart)?
        let busPart: (any I2CPart)?
        /// The pin of each terminal; `nil`: it is not connected.
        let pins: [Int?]
        let hasPullUp: [Bool]
        /// The pins of its bus.
        let bus: (data: Int, clock: Int)?
        /// The part's drive of each terminal now, and its announced ones, in order.
        var drives: [PinDrive]
        var announced: [[TimedDrive]]
        /// The drives with which it began.
        var idle: [PinDrive]
        var isUnplugged = false
    }

    private struct Terminal {
        let entry: Int
        let number: Int
    }

    /// The buttons, and the lines of the serial port.
    var drivers = PinDrivers()
    private let pins: ChipPins
    var entries: [Entry] = []
    /// The terminals at each pin.
    private var nets: [Int: [Terminal]] = [:]
    /// The chip's drives.
    private var chip: [Int: PinDrive] = [:]
    /// The pins with a PWM signal of the chip.
    private var signalled: Set<Int> = []
    /// The pins on which chip and part drive against each other, until they no longer do.
    private var conflicts: Set<Int> = []
    private var converter: AnalogConverter
    /// The pins whose reading as floating has been reported.
    private var reportedFloating: Set<Int> = []
    /// The pins of whose levels the firmware has not been told.
    var untold: Set<Int> = []
    var faults = BusFaults()
    var events: [VirtualBoardEvent] = []
    var isPowered = false

    package init(_ pins: ChipPins, random: SeededRandom) {
        self.pins = pins
        converter = AnalogConverter(pins, random: random)
    }

    // MARK: Wiring

    /// True if there are no parts.
    package var isEmpty: Bool { entries.isEmpty }

    /// Replaces all parts by new ones, which have no supply yet.
    ///
    /// - Throws: `PartFault`, naming the part.
    package mutating func wire(_ parts: [WiredPart], at time: MonotonicInstant) throws(PartFault) {
        var made: [Entry] = []
        for part in parts {
            let terminals = part.terminals
            var instance: any Part
            do throws(PartFault) {
                for pin in part.allPins.sorted() {
                    if let fault = pins.fault(of: pin) { throw PartFault(fault) }
                }
                instance = try part.kind.make(part.wiring)
            } catch {
                throw PartFault("part '\(part.name)': \(error)")
            }
            instance.quantities = part.kind.quantities.map { .constant($0.initial) }
            let bus = part.wiring.pins[WiredPart.busPins.data]?.first.flatMap { data in
                part.wiring.pins[WiredPart.busPins.clock]?.first.map { (data, $0) }
            }
            let pullUps = part.kind.terminals.flatMap { terminal in
                let count = terminal.isList ? part.wiring.pins[terminal.name]?.count ?? 0 : 1
                return Array(repeating: terminal.hasPullUp, count: count)
            }
            made.append(
                Entry(
                    name: part.name, kind: part.kind, part: instance, pinPart: instance as? any PinPart,
                    pwmPart: instance as? any PWMPart, analogPart: instance as? any AnalogPart,
                    busPart: instance as? any I2CPart, pins: terminals, hasPullUp: pullUps, bus: bus,
                    drives: Array(repeating: .floating, count: terminals.count),
                    announced: Array(repeating: [], count: terminals.count),
                    idle: Array(repeating: .floating, count: terminals.count)))
        }
        entries = made
        nets = [:]
        for (index, entry) in entries.enumerated() {
            for (number, pin) in entry.pins.enumerated() {
                if let pin { nets[pin, default: []].append(Terminal(entry: index, number: number)) }
            }
        }
        conflicts = []
        reportedFloating = []
        sets = [:]
        converted = []
        wakers = []
        faults = BusFaults()
        untold = Set(nets.keys)
        guard isPowered else { return }
        isPowered = false
        setPower(true, at: time)
    }

    /// The pins with a part that answers the chip's changes.
    package var answeredPins: [Int] {
        nets.filter { $0.value.contains { entries[$0.entry].pinPart?.answersPins == true } }.keys.sorted()
    }

    /// The pins that are wired to parts.
    func isWired(_ pin: Int) -> Bool { nets[pin] != nil }

    /// Sets the supply of all parts.
    package mutating func setPower(_ isOn: Bool, at time: MonotonicInstant) {
        guard isOn != isPowered else { return }
        isPowered = isOn
        for index in entries.indices {
            for number in entries[index].announced.indices {
                entries[index].announced[number] = []
                if !isOn { entries[index].drives[number] = .floating }
            }
            let count = events.count
            perform(index, time) { $0.part.setPower(isOn, at: time, &$1) }
            guard isOn else { continue }
            for number in entries[index].drives.indices { settle(Terminal(entry: index, number: number), at: time) }
            entries[index].idle = entries[index].drives
            // All readings, each once.
            let faults = events[count...].filter { if case .part = $0 { false } else { true } }
            events.replaceSubrange(count..., with: faults)
            reportAll(index, at: time)
        }
        untold = Set(nets.keys)
    }

    /// Reports all readings of a part, with which expectations begin.
    private mutating func reportAll(_ index: Int, at time: MonotonicInstant) {
        for (number, reading) in entries[index].kind.readings.enumerated() {
            events.append(.part(entries[index].name, reading, entries[index].part.reading(number, at: time)))
        }
    }

    // MARK: Quantities and readings

    /// Sets a quantity of a part.
    ///
    /// - Throws: `PartFault` for an unknown name, or a value out of range.
    package mutating func set(
        _ name: String, _ quantity: String, to course: QuantityCourse, at time: MonotonicInstant
    ) throws(PartFault) {
        let index = try self.index(of: name)
        guard let number = entries[index].kind.quantities.firstIndex(where: { $0.name == quantity }) else {
            throw PartFault("part '\(name)' has no quantity '\(quantity)'")
        }
        entries[index].part.quantities[number] = course
        sets[index] = sets[index] ?? [:]
        isSetting = true
        perform(index, time) { $0.part.quantityChanged(number, at: time, &$1) }
        isSetting = false
    }

    /// The parts of which a quantity was set, and what they drove at which pin because of it.
    var sets: [Int: [Int: PinDrive]] = [:]
    private var isSetting = false
    /// The pins of contacts that have woken the chip: it need not read them, too.
    var wakers: Set<Int> = []
    /// The pins whose voltage the chip has converted.
    var converted: Set<Int> = []

    /// Unplugs a part, which then neither answers nor drives anything, or plugs it in again, when its supply returns.
    package mutating func setPlugged(_ name: String, _ isPlugged: Bool, at time: MonotonicInstant) throws(PartFault) {
        let index = try self.index(of: name)
        guard entries[index].isUnplugged == isPlugged else { return }
        if isPlugged { entries[index].isUnplugged = false }
        // Without the board's supply it gets none, either.
        let isSupplied = isPlugged && isPowered
        perform(index, time) { $0.part.setPower(isSupplied, at: time, &$1) }
        entries[index].isUnplugged = !isPlugged
        for number in entries[index].drives.indices where !isPlugged {
            entries[index].drives[number] = .floating
            entries[index].announced[number] = []
        }
        untold.formUnion(entries[index].pins.compactMap(\.self))
    }

    /// The value of a reading; `nil`: the part has none of this name.
    package func reading(_ name: String, _ reading: String?, at time: MonotonicInstant) -> PartReading? {
        guard let entry = entries.first(where: { $0.name == name }) else { return nil }
        let number = reading.map { reading in entry.kind.readings.firstIndex { $0.name == reading } } ?? 0
        guard let number, entry.kind.readings.indices.contains(number) else { return nil }
        return entry.part.reading(number, at: time)
    }

    func index(of name: String) throws(PartFault) -> Int {
        guard let index = entries.firstIndex(where: { $0.name == name }) else {
            throw PartFault("there is no part '\(name)'")
        }
        return index
    }

    // MARK: Time

    /// The time at which ``advance(to:)`` is due.
    package var nextDeadline: MonotonicInstant? {
        var next: MonotonicInstant?
        for entry in entries {
            next = .earliest(next, entry.part.nextDeadline)
            // Where the chip drives the pin, too, the part's next drive may be a conflict.
            for (number, pin) in entry.pins.enumerated() where isDriven(pin) {
                next = .earliest(next, entry.announced[number].first?.time)
            }
        }
        return next
    }

    private func isDriven(_ pin: Int?) -> Bool { pin.map { chip[$0, default: .floating] != .floating } ?? false }

    /// Handles what is due.
    package mutating func advance(to time: MonotonicInstant) {
        for index in entries.indices {
            while let deadline = entries[index].part.nextDeadline, deadline <= time {
                perform(index, deadline) { $0.part.advance(to: deadline, &$1) }
                // A part that does not move its deadline would be asked for ever.
                if entries[index].part.nextDeadline == deadline { break }
            }
            for (number, pin) in entries[index].pins.enumerated() where isDriven(pin) {
                // Each drive, also one that has ended by now.
                while let due = entries[index].announced[number].first?.time, due <= time, let pin {
                    check(pin, at: due)
                }
            }
        }
    }

    /// Removes and returns the events, in order.
    package mutating func drainEvents() -> [VirtualBoardEvent] {
        guard !events.isEmpty else { return [] }
        defer { events = [] }
        return events
    }

    // MARK: Pins

    /// The chip changes what it drives at a pin; `changes` may lie in the future, for a transmission.
    package mutating func chipDrives(_ pin: Int, _ changes: [TimedDrive]) {
        guard let last = changes.last else { return }
        chip[pin] = last.drive
        guard let terminals = nets[pin] else { return }
        for terminal in terminals where !entries[terminal.entry].isUnplugged {
            guard let part = entries[terminal.entry].pinPart else { continue }
            perform(terminal.entry, changes[0].time) { _, effects in
                part.chipDrives(terminal.number, changes, &effects)
            }
        }
        check(pin, at: last.time)
    }

    /// The chip changes the PWM signal at a pin; `nil`: it has none any more.
    mutating func chipSends(_ signal: PWMSignal?, pin: Int, at time: MonotonicInstant) {
        if signal == nil { signalled.remove(pin) } else { signalled.insert(pin) }
        for terminal in nets[pin] ?? [] where !entries[terminal.entry].isUnplugged {
            guard let part = entries[terminal.entry].pwmPart else { continue }
            perform(terminal.entry, time) { _, effects in part.pwm(terminal.number, signal, at: time, &effects) }
        }
    }

    /// The chip stops: it drives no pin any more.
    mutating func chipStops(at time: MonotonicInstant) {
        for pin in nets.keys.sorted() where chip[pin, default: .floating] != .floating {
            chipDrives(pin, [TimedDrive(time, .floating)])
        }
        for pin in signalled.sorted() { chipSends(nil, pin: pin, at: time) }
        chip = [:]
        untold = Set(nets.keys)
    }

    /// Handles a change of ``drivers`` at a pin; returns whether the pin is wired to a part.
    mutating func driverChanged(_ pin: Int) -> Bool {
        guard isWired(pin) else { return false }
        untold.insert(pin)
        return true
    }

    /// Begins a program, which knows no level.
    mutating func applicationStarts() {
        untold = Set(nets.keys).union(faults.holds.compactMap { entries[$0.part].bus?.data })
    }

    /// The levels that the firmware has not been told, from `time` on.
    package mutating func takeLevels(at time: MonotonicInstant) -> [cfc_level] {
        guard !untold.isEmpty else { return [] }
        defer { untold = [] }
        var levels: [cfc_level] = []
        for pin in untold.sorted() { levels += self.levels(of: pin, at: time) }
        return levels
    }

    /// The external level of a pin, as `CFC_PIN_…`.
    mutating func drive(of pin: Int, at time: MonotonicInstant) -> Int {
        isWired(pin) || !holds(of: pin).isEmpty
            ? Int(levels(of: pin, at: time).first?.value ?? 0) : drivers.drive(of: pin)
    }

    /// The external levels of a pin from `time` on.
    private mutating func levels(of pin: Int, at time: MonotonicInstant) -> [cfc_level] {
        let terminals = nets[pin] ?? []
        let base = drivers.drive(of: pin)
        let holds = holds(of: pin)
        for terminal in terminals { settle(terminal, at: time) }
        var times: Set<MonotonicInstant> = [time]
        times.formUnion(holds.compactMap(\.self).filter { $0 > time })
        for terminal in terminals { times.formUnion(entries[terminal.entry].announced[terminal.number].map(\.time)) }
        var levels: [cfc_level] = []
        for moment in times.sorted().prefix(Int(CFC_MAXIMUM_LEVELS)) {
            var isLow = base == CFC_PIN_LOW || holds.contains { $0.map { $0 > moment } ?? true }
            var isHigh = base == CFC_PIN_HIGH
            for terminal in terminals {
                let entry = entries[terminal.entry]
                let drive =
                    entry.announced[terminal.number].last { $0.time <= moment }?.drive ?? entry.drives[terminal.number]
                if drive == .low { isLow = true }
                if drive == .high || entry.hasPullUp[terminal.number] && !entry.isUnplugged { isHigh = true }
            }
            let value = isLow ? CFC_PIN_LOW : isHigh ? CFC_PIN_HIGH : CFC_PIN_FLOATING
            if let last = levels.last, last.value == UInt32(value) { continue }
            levels.append(cfc_level(pin: UInt32(pin), value: UInt32(value), time_ns: UInt64(moment.nanoseconds)))
        }
        return levels
    }

    /// Lets the announced drives that are due take effect.
    private mutating func settle(_ terminal: Terminal, at time: MonotonicInstant) {
        let announced = entries[terminal.entry].announced[terminal.number]
        guard let last = announced.lastIndex(where: { $0.time <= time }) else { return }
        entries[terminal.entry].drives[terminal.number] = announced[last].drive
        entries[terminal.entry].announced[terminal.number].removeFirst(last + 1)
    }

    /// Reports that chip and part drive a pin against each other.
    private mutating func check(_ pin: Int, at time: MonotonicInstant) {
        for terminal in nets[pin] ?? [] { settle(terminal, at: time) }
        let drive = chip[pin, default: .floating]
        let opponent = (nets[pin] ?? []).first { terminal in
            let other = entries[terminal.entry].drives[terminal.number]
            return drive != .floating && (other != .floating && other != drive || isVoltage(terminal))
        }
        guard let opponent else {
            conflicts.remove(pin)
            return
        }
        guard conflicts.insert(pin).inserted else { return }
        let (word, other) = drive == .high ? ("high", "low") : ("low", "high")
        let what = isVoltage(opponent) ? "is a voltage" : "drives it \(other)"
        events.append(.conflict(pin, "the sketch drives it \(word), and '\(entries[opponent.entry].name)' \(what)"))
    }

    private func isVoltage(_ terminal: Terminal) -> Bool {
        entries[terminal.entry].analogPart != nil && !entries[terminal.entry].isUnplugged
    }

    // MARK: Analog

    /// A conversion of the voltage at a pin.
    package mutating func convert(_ request: cfc_analog_read, at time: MonotonicInstant) -> cfc_analog {
        let pin = Int(request.pin)
        guard let unit = converter.unit(of: pin) else { return cfc_analog(raw: 0, millivolts: 0) }
        converted.insert(pin)
        let (raw, millivolts) = converter.convert(
            volts: voltage(of: pin, at: time), unit: unit, attenuation: min(Int(request.attenuation), 3),
            count: Int(request.count))
        events.append(.analog(pin, raw: raw, millivolts: millivolts))
        return cfc_analog(raw: Int32(raw), millivolts: Int32(millivolts))
    }

    private mutating func voltage(of pin: Int, at time: MonotonicInstant) -> Double {
        let terminals = nets[pin] ?? []
        for terminal in terminals {
            settle(terminal, at: time)
            let entry = entries[terminal.entry]
            guard !entry.isUnplugged else { continue }
            if let analog = entry.analogPart { return analog.voltage(terminal.number, at: time) }
            switch entry.drives[terminal.number] {
            case .low: return 0
            case .high: return 3.3
            case .floating: if entry.hasPullUp[terminal.number] { return 3.3 }
            }
        }
        switch chip[pin, default: .floating] {
        case .low: return 0
        case .high: return 3.3
        case .floating: break
        }
        let base = drivers.drive(of: pin)
        if base != CFC_PIN_FLOATING { return base == CFC_PIN_HIGH ? 3.3 : 0 }
        if reportedFloating.insert(pin).inserted {
            events.append(.pinIgnored(pin, "an analog value of a pin to which nothing is connected is noise"))
        }
        return converter.floatingVoltage()
    }

    /// A measurement of a touch pin's capacity: the counter's value of a pad that nobody touches.
    mutating func touch(_ pin: Int) -> Int32 { pins.touch.contains(pin) ? converter.untouched() : 0 }

    // MARK: Effects

    @discardableResult
    mutating func act<Result>(
        _ index: Int, _ time: MonotonicInstant, _ body: (inout PartEffects) -> Result
    ) -> Result {
        var effects = PartEffects()
        let result = body(&effects)
        apply(effects, of: index, at: time)
        return result
    }

    private mutating func perform(
        _ index: Int, _ time: MonotonicInstant, _ body: (Entry, inout PartEffects) -> Void
    ) {
        guard !entries[index].isUnplugged else { return }
        var effects = PartEffects()
        body(entries[index], &effects)
        apply(effects, of: index, at: time)
    }

    private mutating func apply(_ effects: PartEffects, of index: Int, at time: MonotonicInstant) {
        var touched: Set<Int> = []
        for number in effects.cancelled where entries[index].announced.indices.contains(number) {
            settle(Terminal(entry: index, number: number), at: time)
            entries[index].announced[number] = []
            if let pin = entries[index].pins[number] { touched.insert(pin) }
        }
        for (number, drive) in effects.drives where entries[index].announced.indices.contains(number) {
            entries[index].announced[number].append(drive)
            guard let pin = entries[index].pins[number] else { continue }
            touched.insert(pin)
            if isSetting, drive.drive != .floating { sets[index, default: [:]][pin] = drive.drive }
        }
        untold.formUnion(touched)
        for number in effects.changed.sorted() where entries[index].kind.readings.indices.contains(number) {
            let reading = entries[index].kind.readings[number]
            events.append(
                .part(entries[index].name, reading, entries[index].part.reading(number, at: time)))
        }
        for fault in effects.faults { events.append(.partMisused(entries[index].name, fault)) }
        for pin in touched { check(pin, at: time) }
    }
}
