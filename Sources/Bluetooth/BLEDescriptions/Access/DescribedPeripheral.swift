public import BLECentral
import Synchronization

/// A connected peripheral by the names of its description.
///
/// ```swift
/// let tag = try await DescribedPeripheral(peripheral, .sensorTag)
/// try await tag.humidity.turnOn()
/// print(try await tag.humidity.relative.read().text)
/// for try await reading in try await tag.humidity.data.readings() { print(reading.text) }
/// ```
///
/// A name that is not described is an error with what may have been meant. It is that of one connection: make another
/// after the next.
@dynamicMemberLookup
public struct DescribedPeripheral: Sendable {
    /// The peripheral.
    public let peripheral: Peripheral
    /// What is known of it.
    public let description: PeripheralDescription

    private let services: [String: DescribedService]

    /// Discovers the services, and looks for those described.
    ///
    /// - Parameters:
    ///   - wanted: the names of the services to be used; `nil`: all. Others are not looked for.
    /// - Throws: `CentralError`; ``DescriptionError``: `notThere` when a service or a characteristic is missing that is
    ///   not optional, `unknownName` for one of `wanted`.
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

    /// The service of that name.
    ///
    /// - Throws: `unknownName`; `notThere` when it is optional and missing, or was not wanted.
    public subscript(dynamicMember name: String) -> DescribedService {
        get throws(DescriptionError) { try service(name) }
    }

    /// The service of that name, as `peripheral.name` gives it.
    ///
    /// - Throws: `unknownName`; `notThere` when it is optional and missing, or was not wanted.
    public func service(_ name: String) throws(DescriptionError) -> DescribedService {
        if let service = services[name] { return service }
        let described = try description.service(named: name)
        throw DescriptionError(
            .notThere,
            "\(description.name): the peripheral lacks the service '\(name)' (\(described.uuid)), or it was not wanted")
    }
}

/// What was read of a service, which later values need; shared by all that use it.
final class SharedContext: Sendable {
    private let context = Mutex(DecodingContext())

    var current: DecodingContext { context.withLock { $0 } }
    func note(_ reading: DescribedReading) { context.withLock { $0.note(reading) } }
}
