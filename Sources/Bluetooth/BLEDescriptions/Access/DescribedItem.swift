public import BLECentral
import BLECore

/// A characteristic of a ``DescribedPeripheral``, or one of its values.
public struct DescribedItem: Sendable {
    /// What is known of the characteristic.
    public let description: CharacteristicDescription
    /// The characteristic.
    public let characteristic: Characteristic

    /// Which of its values is meant; `nil`: all.
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
    /// - Throws: `CentralError`; ``DescriptionError`` when the value is not as described.
    public func reading() async throws -> DescribedReading { try decode(await characteristic.read()) }

    /// Reads the value.
    ///
    /// - Throws: `CentralError`; ``DescriptionError``: when the value is not as described; `notThere` when it is not
    ///   present; `unknownName` when the name is that of a characteristic with several values.
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
    /// - Throws: as ``read()``; `invalidValue` when it is none.
    public func number() async throws -> Double {
        let value = try await read()
        guard let number = value.number else {
            throw DescriptionError(.invalidValue, "\(value.path): expected a number, got \(value.text)")
        }
        return number
    }

    /// Writes the value: a number, a text, or the name of a number. The other values of the characteristic are 0 or empty.
    ///
    /// - Throws: `CentralError`; ``DescriptionError``: `notEncodable`; `unknownName` when the name is that of a
    ///   characteristic with several values.
    public func write(_ content: DescribedContent) async throws {
        try await write([description.values[only()].name: content])
    }

    /// Writes the characteristic; values that are not given are 0 or empty.
    ///
    /// - Throws: `CentralError`; ``DescriptionError``: `unknownName`, `notEncodable`.
    public func write(_ values: [String: DescribedContent]) async throws {
        let bytes = try description.encode(values, context.current)
        try await characteristic.write(bytes)
        _ = try? decode(bytes)
    }

    /// Subscribes, and has the decoded values that the peripheral sends.
    ///
    /// - Throws: `CentralError` when subscribing fails.
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
        // Data is nothing that other values need.
        if description.role != .data { context.note(reading) }
        return reading
    }
}

/// The decoded values that a peripheral sends. Keeps the newest `Characteristic.valueBufferSize`.
///
/// Ends as `Characteristic.values(_:)` does. `next()` throws a ``DescriptionError`` for a value that is not as described, and
/// goes on with the next one when it is called again.
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
