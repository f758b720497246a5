import BLEDescriptions
import BLEPackets
import MonotonicTime

/// The values of one service of a simulated peripheral.
struct SimulatedService {
    let description: ServiceDescription
    /// The wave of each value, by its index in the service; `nil`: no value of its own.
    private var waves: [Wave?]
    private let random: [SeededRandom]
    /// The raw numbers encoded last, by the index of the value.
    private var former: [Int128?]
    /// The current values of registers and coefficients, used by the formulas of other values.
    private(set) var context = DecodingContext()
    /// True if the calibration was requested since the sensor was last switched off.
    private var isCalibrated = false
    /// From the registers, if the service has them: whether its sensor is on, and the interval between values.
    private(set) var isOn = true
    private(set) var period: Duration?

    init(_ description: ServiceDescription, _ random: SeededRandom) throws(DescriptionError) {
        self.description = description
        let values = description.characteristics.flatMap(\.values)
        waves = values.map(\.simulation)
        self.random = values.map { random.fork($0.name) }
        former = values.map { _ in nil }
        if let configuration = description.configuration, case .configuration(let off, _, _) = configuration.role {
            let slot = configuration.firstSlot
            waves[slot] = waves[slot] ?? .constant(.integer(Int128(off)))
        }
        for characteristic in description.characteristics where characteristic.role != .data {
            try note(characteristic.decode(encoded(characteristic, at: .zero), context))
        }
    }

    /// The index of the value with this name.
    func slot(_ name: String) throws(DescriptionError) -> (slot: Int, characteristic: Int) {
        for (index, characteristic) in description.characteristics.enumerated() {
            if let value = characteristic.values.firstIndex(where: { $0.name == name }) {
                return (characteristic.firstSlot + value, index)
            }
        }
        let known = description.characteristics.flatMap { $0.values.map(\.name) }
        throw DescriptionError(unknown: "value", name, in: description.name, among: known)
    }

    /// Sets the wave of the value at `slot`; keeps the former one if a value cannot be encoded.
    mutating func set(_ wave: Wave, _ slot: Int, _ characteristic: Int, at elapsed: Duration) throws(DescriptionError) {
        let before = waves[slot]
        waves[slot] = wave
        do throws(DescriptionError) {
            let described = description.characteristics[characteristic]
            // Encode even if the sensor is off.
            let bytes = try encoded(described, at: elapsed)
            if described.role != .data { note(try described.decode(bytes, context)) }
        } catch {
            waves[slot] = before
            throw error
        }
    }

    /// The value of a characteristic: all zeros if the sensor is off, or if coefficients were not requested.
    mutating func value(
        of characteristic: CharacteristicDescription, at elapsed: Duration
    ) throws(DescriptionError) -> [UInt8] {
        let bytes = try encoded(characteristic, at: elapsed)
        let isHidden =
            switch characteristic.role {
            case .data: !isOn && characteristic.trigger == .period
            case .calibration: !isCalibrated && needsCalibrating
            case .configuration, .period: false
            }
        return isHidden ? Array(repeating: 0, count: bytes.count) : bytes
    }

    private var needsCalibrating: Bool {
        guard case .configuration(_, _, let calibrate)? = description.configuration?.role else { return false }
        return calibrate != nil
    }

    private mutating func encoded(
        _ characteristic: CharacteristicDescription, at elapsed: Duration
    ) throws(DescriptionError) -> [UInt8] {
        let slots = characteristic.firstSlot..<characteristic.firstSlot + characteristic.values.count
        var encoder = ValueEncoder(characteristic, context, former: former[slots])
        let bytes = try encoder.encode(slots.map { waves[$0]?.content(at: elapsed, random[$0]) })
        for (index, slot) in slots.enumerated() { former[slot] = encoder.raw(index) }
        return bytes
    }

    /// Handles a client's write; returns the indices of the other characteristics whose values it has set.
    ///
    /// - Throws: `ATTErrorCode` if the bytes do not match the description.
    mutating func write(_ bytes: [UInt8], to index: Int) throws(ATTErrorCode) -> [Int] {
        let characteristic = description.characteristics[index]
        guard !characteristic.values.isEmpty else { return [] }
        let reading: DescribedReading
        do throws(DescriptionError) {
            reading = try characteristic.decode(bytes, context)
        } catch {
            throw error.code == .wrongLength ? .invalidAttributeValueLength : .valueNotAllowed
        }
        guard reading.values.allSatisfy(\.isInRange) else { throw .valueNotAllowed }
        for (value, content) in reading.contents.enumerated() {
            waves[characteristic.firstSlot + value] = content.map { .constant($0) }
        }
        note(reading)
        do throws(DescriptionError) {
            return try assign(characteristic, reading)
        } catch {
            throw .valueNotAllowed
        }
    }

    /// Sets the values in other characteristics of the service that depend on this write.
    private mutating func assign(
        _ characteristic: CharacteristicDescription, _ reading: DescribedReading
    ) throws(DescriptionError) -> [Int] {
        var changed: [Int] = []
        for assignment in characteristic.assignments {
            guard let content = try reading.content(of: assignment),
                let index = description.characteristics.lastIndex(where: { $0.firstSlot <= assignment.slot })
            else { continue }
            try set(.constant(content), assignment.slot, index, at: .zero)
            if !changed.contains(index) { changed.append(index) }
        }
        return changed
    }

    private mutating func note(_ reading: DescribedReading) {
        context.note(reading)
        guard let content = reading.contents.first ?? nil, let number = content.number else { return }
        switch reading.characteristic.role {
        case .configuration(let off, _, let calibrate):
            isOn = number != Double(off) && number != calibrate.map { Double($0) }
            if number == calibrate.map({ Double($0) }) { isCalibrated = true }
            if number == Double(off) { isCalibrated = false }
        case .period: period = reading.period
        case .data, .calibration: break
        }
    }
}
