import BLECentral
import BLECore
import SourceText

/// A service of a ``DescribedPeripheral``.
@dynamicMemberLookup
public struct DescribedService: Sendable {
    /// What is known of it.
    public let description: ServiceDescription

    private let characteristics: [String: Characteristic]
    private let context = SharedContext()

    init(_ description: ServiceDescription, _ service: Service) throws(DescriptionError) {
        self.description = description
        var characteristics: [String: Characteristic] = [:]
        for described in description.characteristics {
            guard let found = service.characteristics.first(where: { $0.uuid == described.uuid }) else {
                guard described.isOptional else {
                    throw DescriptionError(
                        .notThere,
                        "expected the characteristic '\(described.path)' (\(described.uuid)), the peripheral lacks it")
                }
                continue
            }
            characteristics[described.name] = found
        }
        self.characteristics = characteristics
    }

    /// The characteristic or value of that name.
    ///
    /// - Throws: as ``item(_:)``.
    public subscript(dynamicMember name: String) -> DescribedItem {
        get throws(DescriptionError) { try item(name) }
    }

    /// The characteristic or value of that name, as `service.name` gives it. Of a characteristic and a value of the same
    /// name it is the value.
    ///
    /// - Throws: `unknownName`; `notThere` when the characteristic is optional and missing.
    public func item(_ name: String) throws(DescriptionError) -> DescribedItem {
        for described in description.characteristics {
            if let value = described.values.firstIndex(where: { $0.name == name }) {
                return DescribedItem(described, value, try found(described), context)
            }
        }
        if let described = description.characteristics.first(where: { $0.name == name }) {
            return DescribedItem(described, nil, try found(described), context)
        }
        let names = description.characteristics.flatMap { [$0.name] + $0.values.map(\.name) }
        var known: [String] = []
        for name in names where !known.contains(name) { known.append(name) }
        throw DescriptionError(unknown: "characteristic or value", name, in: description.name, among: known)
    }

    private func found(_ described: CharacteristicDescription) throws(DescriptionError) -> Characteristic {
        if let characteristic = characteristics[described.name] { return characteristic }
        throw DescriptionError(.notThere, "'\(described.path)' (\(described.uuid)): the peripheral lacks it")
    }

    private func register(
        _ described: CharacteristicDescription?, _ what: String
    ) throws(DescriptionError) -> DescribedItem {
        guard let described else {
            throw DescriptionError(.notThere, "\(description.name): its description has no \(what)")
        }
        return DescribedItem(described, 0, try found(described), context)
    }

    // MARK: Registers

    /// Switches the sensor on.
    ///
    /// - Throws: `CentralError`; ``DescriptionError``: `notThere` without a register for it.
    public func turnOn() async throws { try await configure { on, _, _ in on } }

    /// Switches the sensor off.
    ///
    /// - Throws: as ``turnOn()``.
    public func turnOff() async throws { try await configure { _, off, _ in off } }

    /// Reads the coefficients that decoding needs: asks the sensor for them, reads them and switches it on.
    ///
    /// - Throws: `CentralError`; ``DescriptionError``: `notThere` without a calibration.
    public func calibrate() async throws {
        let coefficients = try register(description.calibration, "calibration")
        if description.configuration != nil {
            try await configure { on, _, calibrate in calibrate ?? on }
        }
        _ = try await coefficients.reading()
        if description.configuration != nil { try await turnOn() }
    }

    private func configure(_ choose: (_ on: Int, _ off: Int, _ calibrate: Int?) -> Int) async throws {
        let item = try register(description.configuration, "switch")
        guard case .configuration(let off, let on, let calibrate) = item.description.role else { return }
        try await item.write(.integer(Int128(choose(on, off, calibrate))))
    }

    /// The time between values.
    ///
    /// - Throws: `CentralError`; ``DescriptionError``: `notThere` without a period register, or when it is 0.
    public func period() async throws -> Duration {
        let reading = try await register(description.period, "period register").reading()
        guard let period = reading.period else {
            throw DescriptionError(.notThere, "\(description.name): the period register is 0")
        }
        return period
    }

    /// Sets the time between values, to the next that the register can hold.
    ///
    /// - Throws: `CentralError`; ``DescriptionError``: `notThere` without a period register, `notEncodable` for a time
    ///   out of its range.
    public func setPeriod(_ period: Duration) async throws {
        let item = try register(description.period, "period register")
        try await item.write(.real(period / .milliseconds(1)))
    }
}
