import MonotonicTime

/// A part that a file describes: its registers, commands and timers.
///
/// Timers are caught up with whenever the part is used, so that a conversion that nobody reads costs no turn of the
/// board; a part that drives a terminal asks for the turn.
final class RegisterPart: I2CPart, PinPart {
    /// Ends of a repeating timer that are carried out one by one; of more, only the last ones are.
    private static let observedEnds: Int64 = 256
    /// Limits for files whose timers and actions never come to an end: ends in one call, actions within actions.
    private static let maximumEnds = 1_000_000
    private static let maximumDepth = 8

    let address: UInt8
    let part: RegisterPartDescription
    /// The terminals that are connected.
    private let connected: [Bool]
    private let settings: [Double]

    var quantities: [QuantityCourse] {
        didSet { if former == nil { former = oldValue } }
    }
    /// The courses that were valid until the change that the owner announces next.
    private var former: [QuantityCourse]?

    /// The stored bits of the registers.
    private var stored: [UInt64]
    /// The times at which timers end.
    private var due: [MonotonicInstant?]
    private var hasPower = true
    /// The time at which expressions are evaluated, and the time of the owner's call.
    private var now = MonotonicInstant.zero
    private var callTime = MonotonicInstant.zero
    private var depth = 0
    private(set) var code = 0.0
    private(set) var written = 0.0
    private var levels: [PinDrive]
    private var shown: [Double]

    // The transaction
    private var pointer = 0
    /// The register and byte at each address.
    private let map: [(register: Int, byte: Int)?]
    /// True during a read: all of its bytes are of its START, so that no value is torn; timers wait for its end.
    private var isReading = false
    /// The bits of the register that is written byte by byte.
    private var incoming: UInt64 = 0
    /// The bytes of the register or code that came or went so far.
    private var position = 0
    private var received = 0
    private var command: Int?
    private var hasPointer = false
    private var reply: Int?
    private var replyBytes: [UInt8] = []
    /// True while it holds the clock, until its reply is there.
    private var holdsClock = false

    init(_ part: RegisterPartDescription, _ wiring: PartWiring) {
        self.part = part
        address = wiring.address ?? part.addresses.first ?? 0
        connected = part.outputs.map { wiring.pins[$0.name]?.isEmpty == false }
        settings = part.settings.map { wiring.number($0) }
        quantities = part.initials.map { .constant($0) }
        stored = part.registers.map(\.reset)
        due = Array(repeating: nil, count: part.timers.count)
        levels = part.outputs.map { _ in .floating }
        shown = part.readings.map { _ in 0 }
        var map = [(register: Int, byte: Int)?](repeating: nil, count: 256)
        for (index, register) in part.registers.enumerated() {
            guard let address = register.address else { continue }
            for byte in 0..<(part.addressesRegisters ? 1 : register.width) where map.indices.contains(address + byte) {
                map[address + byte] = (index, byte)
            }
        }
        self.map = map
        reply = part.firstReply
        var effects = PartEffects()
        startTimers(from: .reset, &effects)
    }

    // MARK: Time

    /// Carries out what is due. The first call after a change of courses uses the new ones, unless it announces it.
    private func catchUp(to time: MonotonicInstant, _ effects: inout PartEffects) {
        former = nil
        runTimers(to: time, &effects)
        now = max(now, time)
        callTime = now
    }

    private func runTimers(to time: MonotonicInstant, _ effects: inout PartEffects) {
        guard hasPower || part.hasBattery else { return }
        for _ in 0..<Self.maximumEnds {
            var next: (index: Int, due: MonotonicInstant)?
            for (index, due) in due.enumerated() {
                if let due, due <= time, due < next?.due ?? MonotonicInstant(nanoseconds: .max) { next = (index, due) }
            }
            guard let next else { return }
            now = max(now, next.due)
            let timer = part.timers[next.index]
            due[next.index] = nil
            perform(timer.atEnd, &effects)
            guard due[next.index] == nil, let repeats = timer.repeats, repeats.value(self) != 0 else { continue }
            let period = self.period(next.index)
            perform(timer.atStart, &effects)
            var following = next.due.nanoseconds + period
            let missed = (time.nanoseconds - following) / period
            if !timer.countsAll, missed > Self.observedEnds { following += (missed - Self.observedEnds) * period }
            due[next.index] = MonotonicInstant(nanoseconds: following)
        }
        effects.report("\(part.name): its timers ended \(Self.maximumEnds) times at once, later ends are left out")
        due = due.map { $0.map { max($0, time.advanced(by: .microseconds(1))) } }
    }

    /// The time of a timer in nanoseconds, from 1 µs to a year.
    private func period(_ index: Int) -> Int64 {
        min(max(part.timers[index].time.value(self).wholeNumber, 1_000), 31_536_000_000_000_000)
    }

    /// Starts the timers that run from a reset on, those that run with power included, or only these.
    private func startTimers(from first: RegisterPartDescription.Timer.Run, _ effects: inout PartEffects) {
        for (index, timer) in part.timers.enumerated() where timer.runs == .withPower || timer.runs == first {
            start(index, &effects)
        }
    }

    private func start(_ index: Int, _ effects: inout PartEffects) {
        due[index] = now.advanced(by: .nanoseconds(period(index)))
        perform(part.timers[index].atStart, &effects)
    }

    var nextDeadline: MonotonicInstant? {
        guard hasPower, !isReading, connected.contains(true) || !part.readings.isEmpty else { return nil }
        var earliest: MonotonicInstant?
        for (index, due) in due.enumerated() {
            guard let due, part.timers[index].wakes.map({ $0.value(self) != 0 }) ?? true else { continue }
            earliest = min(earliest ?? due, due)
        }
        return earliest
    }

    func advance(to time: MonotonicInstant, _ effects: inout PartEffects) {
        guard !isReading else { return }
        catchUp(to: time, &effects)
        drive(&effects)
    }

    func quantityChanged(_ index: Int, at time: MonotonicInstant, _ effects: inout PartEffects) {
        if let former {
            let current = quantities
            quantities = former
            runTimers(to: time, &effects)
            quantities = current
        }
        catchUp(to: time, &effects)
        drive(&effects)
    }

    func setPower(_ isOn: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) {
        catchUp(to: time, &effects)
        hasPower = isOn
        endTransaction()
        pointer = 0
        if part.hasBattery {
            for (index, timer) in part.timers.enumerated() where timer.runs == .withPower { due[index] = nil }
            if isOn { startTimers(from: .withPower, &effects) }
        } else {
            due = due.map { _ in nil }
            if isOn { reset(&effects) }
        }
        drive(&effects)
    }

    private func reset(_ effects: inout PartEffects) {
        for index in stored.indices { stored[index] = part.registers[index].reset }
        due = due.map { _ in nil }
        reply = part.firstReply
        startTimers(from: .reset, &effects)
    }

    // MARK: Actions

    private func perform(_ steps: [RegisterPartDescription.Step], _ effects: inout PartEffects) {
        guard !steps.isEmpty else { return }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            effects.report("\(part.name): a reset or the start of a timer causes itself")
            return
        }
        for step in steps {
            if let condition = step.condition, condition.value(self) == 0 { continue }
            if step.resets { reset(&effects) }
            for timer in step.stops { due[timer] = nil }
            for (target, value) in step.assignments { set(target, value.value(self)) }
            for timer in step.starts { start(timer, &effects) }
            if let report = step.report { effects.report("\(part.name): \(report)") }
        }
    }

    private func set(_ target: RegisterPartDescription.Target, _ number: Double) {
        guard let (shift, mask) = target.bits else {
            stored[target.register] = part.registers[target.register].bits(number)
            return
        }
        let bits = UInt64(max(number.wholeNumber, 0))
        stored[target.register] &= ~(mask << UInt64(shift))
        stored[target.register] |= min(bits, mask) << UInt64(shift)
    }

    /// Drives terminals and reports readings that changed.
    private func drive(_ effects: inout PartEffects) {
        for (index, output) in part.outputs.enumerated() where connected[index] {
            let level = !hasPower ? .floating : output.condition.value(self) != 0 ? output.active : output.inactive
            guard level != levels[index] else { continue }
            levels[index] = level
            effects.drive(index, level, at: callTime)
        }
        for (index, reading) in part.readings.enumerated() {
            let value = reading.value.value(self)
            if value != shown[index] {
                shown[index] = value
                effects.change(index)
            }
        }
    }

    func reading(_ index: Int, at time: MonotonicInstant) -> PartReading {
        guard part.readings.indices.contains(index) else { return .number(0) }
        let reading = part.readings[index]
        let value = reading.value.value(self)
        guard let last = reading.words.indices.last else { return .number(value) }
        return .word(reading.words[Int(min(max(value.wholeNumber, 0), Int64(last)))])
    }

    func chipDrives(_ terminal: Int, _ changes: [TimedDrive], _ effects: inout PartEffects) {}
}

// MARK: - Bus

extension RegisterPart {
    private func endTransaction() {
        (command, position, received, hasPointer, replyBytes, holdsClock) = (nil, 0, 0, false, [], false)
        isReading = false
    }

    func begin(isRead: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) -> Bool {
        catchUp(to: time, &effects)
        endTransaction()
        guard hasPower, part.acknowledges.map({ $0.value(self) != 0 }) ?? true else { return false }
        isReading = isRead
        guard isRead, part.codeWidth > 0 else { return true }
        guard let reply else { return false }
        let description = part.replies[reply]
        if let condition = description.condition, condition.value(self) == 0 {
            holdsClock = description.holdsClock.map { $0.value(self) != 0 } == true && due.contains { $0 != nil }
            return holdsClock
        }
        takeReply(&effects)
        return true
    }

    func clockHold(at time: MonotonicInstant) -> MonotonicInstant? {
        guard hasPower, holdsClock else { return nil }
        return due.compactMap { $0 }.min()
    }

    private func takeReply(_ effects: inout PartEffects) {
        guard let reply else { return }
        let description = part.replies[reply]
        var sumStart = 0
        for item in description.items {
            switch item {
            case .register(let index):
                let register = part.registers[index]
                let bits = bits(index)
                for byte in 0..<register.width { replyBytes.append(register.byte(byte, of: bits)) }
            case .crc8(let polynomial, let start):
                replyBytes.append(crc8(replyBytes[sumStart...], polynomial: polynomial, start: start))
                sumStart = replyBytes.count
            }
        }
        position = 0
        perform(description.steps, &effects)
        drive(&effects)
    }

    func read(at time: MonotonicInstant, _ effects: inout PartEffects) -> UInt8 {
        guard hasPower else { return 0xFF }
        callTime = max(callTime, time)
        if part.codeWidth > 0 {
            if holdsClock {
                // A board that does not wait for the clock gets the reply of the time of its release.
                catchUp(to: max(time, clockHold(at: time) ?? time), &effects)
                holdsClock = false
                takeReply(&effects)
            }
            defer { position += 1 }
            return position < replyBytes.count ? replyBytes[position] : 0xFF
        }
        guard let place = map[pointer] else {
            if part.advances { advancePointer() }
            return 0
        }
        let register = part.registers[place.register]
        let byte = part.addressesRegisters ? position : place.byte
        let value = register.isReadable ? register.byte(byte, of: bits(place.register)) : 0
        position = byte + 1
        guard position == register.width else {
            if !part.addressesRegisters, part.advances { advancePointer() }
            return value
        }
        position = 0
        if part.advances { advancePointer() }
        if !register.onRead.isEmpty {
            perform(register.onRead, &effects)
            drive(&effects)
        }
        return value
    }

    private func advancePointer() {
        pointer = pointer == part.lastAddress ? 0 : (pointer + 1) & 0xFF
    }

    func write(_ byte: UInt8, at time: MonotonicInstant, _ effects: inout PartEffects) -> Bool {
        guard hasPower else { return false }
        catchUp(to: time, &effects)
        if part.codeWidth > 0 { return writeCommand(byte, &effects) }
        guard hasPointer else {
            (pointer, hasPointer, position) = (Int(byte), true, 0)
            return true
        }
        guard let place = map[pointer] else {
            effects.report("\(part.name): no register at 0x\(String(pointer, radix: 16, uppercase: true)) to write to")
            if part.advances { advancePointer() }
            return true
        }
        let register = part.registers[place.register]
        let index = part.addressesRegisters ? position : place.byte
        if position == 0 { incoming = 0 }
        let shift = UInt64(8 * (register.isLowFirst ? index : register.width - 1 - index))
        if part.addressesRegisters {
            incoming |= UInt64(byte) << shift
            position += 1
            guard position == register.width else { return true }
            position = 0
            store(place.register, incoming, &effects)
        } else {
            store(place.register, stored[place.register] & ~(0xFF << shift) | UInt64(byte) << shift, &effects)
        }
        if part.advances { advancePointer() }
        return true
    }

    private func store(_ index: Int, _ bits: UInt64, _ effects: inout PartEffects) {
        let register = part.registers[index]
        guard register.isWritable else { return }
        let old = stored[index]
        let allowed = bits & ~(register.clearOnly & ~old)
        stored[index] = (old & ~register.writable | allowed & register.writable) & register.mask
        guard !register.onWrite.isEmpty || !part.outputs.isEmpty || !part.readings.isEmpty else { return }
        written = register.number(bits)
        perform(register.onWrite, &effects)
        drive(&effects)
    }

    private func writeCommand(_ byte: UInt8, _ effects: inout PartEffects) -> Bool {
        received = received << 8 | Int(byte)
        position += 1
        if let command {
            // More bytes than the argument has are ignored.
            if position == part.commands[command].argument { run(command, &effects) }
            return true
        }
        guard position == part.codeWidth else { return true }
        let found = part.commands.firstIndex { $0.codes.contains { $0.contains(received) } }
        guard let found else {
            let digits = String(received, radix: 16, uppercase: true)
            effects.report("\(part.name): there is no command 0x\(digits)")
            return false
        }
        (command, code, received, position) = (found, Double(received), 0, 0)
        if part.commands[found].argument == 0 { run(found, &effects) }
        return true
    }

    private func run(_ index: Int, _ effects: inout PartEffects) {
        written = Double(received)
        if let reply = part.commands[index].reply { self.reply = reply }
        perform(part.commands[index].steps, &effects)
        drive(&effects)
    }

    func stop(at time: MonotonicInstant, _ effects: inout PartEffects) {
        catchUp(to: time, &effects)
        endTransaction()
    }
}

extension RegisterPart: PartNumbers {
    func quantity(_ index: Int) -> Double { quantities.indices.contains(index) ? quantities[index].value(at: now) : 0 }
    func setting(_ index: Int) -> Double { settings[index] }
    func name(_ index: Int) -> PartExpression { part.names[index] }

    func register(_ index: Int) -> Double {
        if let value = part.registers[index].value { return value.value(self) }
        return part.registers[index].number(stored[index])
    }

    func bits(_ index: Int) -> UInt64 {
        guard let value = part.registers[index].value else { return stored[index] }
        return part.registers[index].bits(value.value(self))
    }
}

extension RegisterPartDescription.Register {
    /// A byte in the order of the bus.
    fileprivate func byte(_ index: Int, of bits: UInt64) -> UInt8 {
        UInt8(truncatingIfNeeded: bits >> UInt64(8 * (isLowFirst ? index : width - 1 - index)))
    }
}

/// The check sum of bytes, the highest bit first.
func crc8(_ bytes: some Sequence<UInt8>, polynomial: UInt8, start: UInt8) -> UInt8 {
    bytes.reduce(start) { sum, byte in
        (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 != 0 ? sum << 1 ^ polynomial : sum << 1 }
    }
}
