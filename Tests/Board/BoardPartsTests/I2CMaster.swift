import BoardParts
import MonotonicTime
import Testing

/// The chip's side of an I²C bus with one part.
final class I2CMaster {
    let kind: PartKind
    let part: any I2CPart
    var now = MonotonicInstant.zero
    /// All faults, and the latest drive of each terminal.
    var faults: [String] = []
    var drives: [Int: PinDrive] = [:]

    init(
        _ kind: PartKind, address: UInt8? = nil, pins: [String: [Int]] = [:],
        settings: [String: PartWiring.Value] = [:]
    ) throws {
        self.kind = kind
        let wiring = PartWiring(pins: pins, address: address ?? kind.addresses.first, settings: settings)
        part = try #require(try kind.make(wiring) as? any I2CPart)
        part.quantities = kind.quantities.map { .constant($0.initial) }
        perform { part.setPower(true, at: now, &$0) }
    }

    /// The built-in part of this name.
    convenience init(
        _ name: String, address: UInt8? = nil, pins: [String: [Int]] = [:], settings: [String: PartWiring.Value] = [:]
    ) throws {
        try self.init(
            try #require(PartCatalogue.kind(named: name)), address: address, pins: pins, settings: settings)
    }

    func perform<Result>(_ body: (inout PartEffects) -> Result) -> Result {
        var effects = PartEffects()
        let result = body(&effects)
        faults += effects.faults
        for drive in effects.drives { drives[drive.terminal] = drive.drive.drive }
        return result
    }

    /// Lets time pass; the part gets its turns.
    func wait(_ duration: Duration) {
        let end = now.advanced(by: duration)
        while let deadline = part.nextDeadline, deadline <= end {
            now = max(now, deadline)
            perform { part.advance(to: now, &$0) }
        }
        now = end
    }

    func set(_ quantity: String, _ value: Double) throws {
        let index = try #require(kind.quantities.firstIndex { $0.name == quantity })
        part.quantities[index] = .constant(value)
        perform { part.quantityChanged(index, at: now, &$0) }
    }

    /// Writes bytes up to the first that is not acknowledged; returns whether all were.
    @discardableResult
    func write(_ bytes: UInt8..., stop: Bool = true) -> Bool { write(bytes, stop: stop) }

    @discardableResult
    func write(_ bytes: [UInt8], stop: Bool = true) -> Bool {
        var isAcknowledged = perform { part.begin(isRead: false, at: now, &$0) }
        for byte in bytes where isAcknowledged {
            now = now.advanced(by: .microseconds(23))
            isAcknowledged = perform { part.write(byte, at: now, &$0) }
        }
        if stop { perform { part.stop(at: now, &$0) } }
        return isAcknowledged
    }

    /// Reads bytes; `nil` if the address is not acknowledged.
    func read(_ count: Int) -> [UInt8]? {
        guard perform({ part.begin(isRead: true, at: now, &$0) }) else { return nil }
        if let release = part.clockHold(at: now) { now = release }
        let bytes = (0..<count).map { _ in
            now = now.advanced(by: .microseconds(23))
            return perform { part.read(at: now, &$0) }
        }
        perform { part.stop(at: now, &$0) }
        return bytes
    }

    /// Sets the address pointer, and reads with a repeated START.
    func read(_ register: UInt8, _ count: Int) -> [UInt8]? {
        write(register, stop: false) ? read(count) : nil
    }

    /// The first reading, or that of a name.
    func reading(_ name: String? = nil) throws -> PartReading {
        let index = try #require(kind.readings.firstIndex { name == nil || $0.name == name })
        return part.reading(index, at: now)
    }
}

/// The number in bytes, the highest first.
func number(_ bytes: [UInt8]?) -> Int { (bytes ?? []).reduce(0) { $0 << 8 | Int($1) } }

/// The two's complement number in two bytes, the highest first.
func signed(_ bytes: [UInt8]?) -> Int { Int(Int16(truncatingIfNeeded: number(bytes))) }
