public import BLECentral
import BLECore
import SourceText
import Synchronization

/// Access to a connected peripheral by the names in its description.
///
/// ```swift
/// let tag = try await DescribedPeripheral(peripheral, .sensorTag)
/// try await tag.humidity.turnOn()
/// print(try await tag.humidity.relative.read().text)
/// for try await reading in try await tag.humidity.data.readings() { print(reading.text) }
/// ```
///
/// An unknown name is an error that suggests a similar name. The object is valid for one connection: create another one
/// after reconnecting.
@dynamicMemberLookup
public struct DescribedPeripheral: Sendable {
    /// The peripheral.
    public let peripheral: Peripheral
    /// The peripheral's description.
    public let description: PeripheralDescription

    private let services: [String: DescribedService]

    /// Discovers the services, and finds the described ones.
    ///
    /// - Parameters:
    ///   - wanted: the names of the services to be used; `nil`: all. Others are ignored.
    /// - Throws: `CentralError`; ``DescriptionError``: `notThere` if a required service or characteristic is missing,
    ///   `unknownName` for an unknown name in `wanted`.
    public init(
        _ peripheral: Peripheral, _ description: PeripheralDescription, services wanted: [String]? = nil
    ) async throws {
        for name in wanted ?? [] { _ = try description.service(named: name) }
        let discovered = try await peripheral.services()
        var services: [String: DescribedService] = [:]
        for service in description.services where wanted?.contains(service.name) ?? true {
            guard let found = discovered.first(where: { $0.uuid == service.uuid }) else {
                guard service.isOptional else {
                    throw DescriptionError(
                        .notThere,
                        "\(description.name): expected the service '\(service.name)' (\(service.uuid)), the peripheral lacks it"
                    )
                }
                continue
            }
            services[service.name] = try DescribedService(service, found)
        }
        self.peripheral = peripheral
        self.description = description
        self.services = services
    }

    /// The service with this name.
    ///
    /// - Throws: `unknownName`; `notThere` if the service is optional and missing, or was not in `wanted`.
    public subscript(dynamicMember name: String) -> DescribedService {
        get throws(DescriptionError) { try service(name) }
    }

    /// The service with this name, like `peripheral.name`.
    ///
    /// - Throws: `unknownName`; `notThere` if the service is optional and missing, or was not in `wanted`.
    public func service(_ name: String) throws(DescriptionError) -> DescribedService {
        if let service = services[name] { return service }
        let described = try description.service(named: name)
        throw DescriptionError(
            .notThere,
            "\(description.name): the peripheral lacks the service '\(name)' (\(described.uuid)), or it was not wanted")
    }
}

/// The values read from a service that later values need; shared by all users of the service.
final class SharedContext: Sendable {
    private let context = Mutex(DecodingContext())

    var current: DecodingContext { context.withLock { $0 } }
    func note(_ reading: DescribedReading) { context.withLock { $0.note(reading) } }
}

/// A service of a ``DescribedPeripheral``.
@dynamicMemberLookup
public struct DescribedService: Sendable {
    /// The service's description.
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

    /// The characteristic or value with this name.
    ///
    /// - Throws: the errors of ``item(_:)``.
    public subscript(dynamicMember name: String) -> DescribedItem {
        get throws(DescriptionError) { try item(name) }
    }

    /// The characteristic or value with this name, like `service.name`. If a characteristic and a value have the same
    /// name, returns the value.
    ///
    /// - Throws: `unknownName`; `notThere` if the characteristic is optional and missing.
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
    /// - Throws: `CentralError`; ``DescriptionError``: `notThere` without a configuration register.
    public func turnOn() async throws { try await configure { on, _, _ in on } }

    /// Switches the sensor off.
    ///
    /// - Throws: the errors of ``turnOn()``.
    public func turnOff() async throws { try await configure { _, off, _ in off } }

    /// Reads the coefficients needed for decoding: requests them from the sensor, reads them, and switches the sensor
    /// on.
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

    /// The interval between values.
    ///
    /// - Throws: `CentralError`; ``DescriptionError``: `notThere` without a period register, or if the register is 0.
    public func period() async throws -> Duration {
        let reading = try await register(description.period, "period register").reading()
        guard let period = reading.period else {
            throw DescriptionError(.notThere, "\(description.name): the period register is 0")
        }
        return period
    }

    /// Sets the interval between values, rounded to the units of the register.
    ///
    /// - Throws: `CentralError`; ``DescriptionError``: `notThere` without a period register, `notEncodable` for an
    ///   interval out of its range.
    public func setPeriod(_ period: Duration) async throws {
        let item = try register(description.period, "period register")
        try await item.write(.real(period / .milliseconds(1)))
    }
}

/// A characteristic of a ``DescribedPeripheral``, or one of its values.
public struct DescribedItem: Sendable {
    /// The characteristic's description.
    public let description: CharacteristicDescription
    /// The characteristic.
    public let characteristic: Characteristic

    /// The selected value; `nil`: all values.
    private let value: Int?
    private let context: SharedContext

    init(
        _ description: CharacteristicDescription, _ value: Int?, _ characteristic: Characteristic,
        _ context: SharedContext
    ) {
        self.description = description
        self.characteristic = characteristic
        self.value = value
        self.context = context
    }

    /// Reads the characteristic, and decodes all of its values.
    ///
    /// - Throws: `CentralError`; ``DescriptionError`` if the value does not match the description.
    public func reading() async throws -> DescribedReading { try decode(await characteristic.read()) }

    /// Reads the value.
    ///
    /// - Throws: `CentralError`; ``DescriptionError`` if the value does not match the description; `notThere` if it is
    ///   not present; `unknownName` if the item is a characteristic with several values.
    public func read() async throws -> DescribedValue {
        let index = try only()
        let reading = try await reading()
        guard let value = reading.value(at: index) else {
            throw DescriptionError(.notThere, "\(description.path): '\(description.values[index].name)' is not present")
        }
        return value
    }

    /// Reads the value as a number.
    ///
    /// - Throws: the errors of ``read()``; `invalidValue` if the value is not a number.
    public func number() async throws -> Double {
        let value = try await read()
        guard let number = value.number else {
            throw DescriptionError(.invalidValue, "\(value.path): expected a number, got \(value.text)")
        }
        return number
    }

    /// Writes the value: a number, a text, or the name of a number. The other values of the characteristic are 0 or empty.
    ///
    /// - Throws: `CentralError`; ``DescriptionError``: `notEncodable`; `unknownName` if the item is a characteristic
    ///   with several values.
    public func write(_ content: DescribedContent) async throws {
        try await write([description.values[only()].name: content])
    }

    /// Writes the characteristic; omitted values are 0 or empty.
    ///
    /// - Throws: `CentralError`; ``DescriptionError``: `unknownName`, `notEncodable`.
    public func write(_ values: [String: DescribedContent]) async throws {
        let bytes = try description.encode(values, context.current)
        try await characteristic.write(bytes)
        _ = try? decode(bytes)
    }

    /// Subscribes; returns the decoded values that the peripheral sends.
    ///
    /// - Throws: `CentralError` if subscribing fails.
    public func readings() async throws -> DescribedReadings {
        DescribedReadings(try await characteristic.values(), self)
    }

    private func only() throws(DescriptionError) -> Int {
        if let value { return value }
        if description.values.count == 1 { return 0 }
        throw DescriptionError(
            unknown: "value", description.name, in: description.path, among: description.values.map(\.name))
    }

    func decode(_ bytes: [UInt8]) throws(DescriptionError) -> DescribedReading {
        let reading = try description.decode(bytes, context.current)
        // No other values depend on data.
        if description.role != .data { context.note(reading) }
        return reading
    }
}

/// The decoded values that a peripheral sends. Keeps the newest `Characteristic.valueBufferSize`.
///
/// Ends like `Characteristic.values(_:)`. `next()` throws a ``DescriptionError`` for a value that does not match the
/// description; the next call continues with the next value.
public struct DescribedReadings: AsyncSequence, Sendable {
    /// The iterator.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var values: AsyncThrowingStream<[UInt8], any Error>.AsyncIterator
        private let item: DescribedItem

        fileprivate init(_ values: AsyncThrowingStream<[UInt8], any Error>.AsyncIterator, _ item: DescribedItem) {
            self.values = values
            self.item = item
        }

        /// The next value; `nil` after the last.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> DescribedReading?
        {
            guard let bytes = try await values.next(isolation: actor) else { return nil }
            return try item.decode(bytes)
        }
    }

    private let values: AsyncThrowingStream<[UInt8], any Error>
    private let item: DescribedItem

    init(_ values: AsyncThrowingStream<[UInt8], any Error>, _ item: DescribedItem) {
        self.values = values
        self.item = item
    }

    /// The values; a sequence has one iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(values.makeAsyncIterator(), item) }
}
