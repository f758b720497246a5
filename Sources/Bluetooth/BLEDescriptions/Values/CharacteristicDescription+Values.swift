public import BLECore
import SourceText

extension CharacteristicDescription {
    /// Decodes a value.
    ///
    /// - Parameter context: values read from the service before: coefficients of a calibration, a range.
    /// - Throws: `wrongLength` if the number of bytes differs from the description; `invalidValue`; `noResult`;
    ///   `missingContext`.
    public func decode(
        _ bytes: [UInt8], _ context: DecodingContext = DecodingContext()
    ) throws(DescriptionError) -> DescribedReading {
        var decoder = ValueDecoder(self, context)
        return DescribedReading(characteristic: self, contents: try decoder.decode(bytes))
    }
}

/// Decodes the values in one characteristic's value, in order.
struct ValueDecoder {
    private var scope: ValueScope
    /// The start of the next field without an offset, and the largest end of any field.
    private var offset = 0
    private var end = 0

    init(_ characteristic: CharacteristicDescription, _ context: DecodingContext) {
        scope = ValueScope(characteristic, context)
    }

    mutating func decode(_ bytes: [UInt8]) throws(DescriptionError) -> [DescribedContent?] {
        for value in characteristic.values {
            switch value.source {
            case .field(let alternatives): try decodeField(value, alternatives, bytes)
            case .bits(let parent, let lowest, let count):
                guard case .integer(let word)? = scope.raws[parent] else {
                    scope.append(nil, nil)
                    continue
                }
                let number = word >> Int128(lowest) & (1 << Int128(count) - 1)
                scope.append(.integer(number), .integer(number))
            case .computed(let formula, let condition):
                guard try scope.holds(condition, value) else {
                    scope.append(nil, nil)
                    continue
                }
                scope.append(nil, try scope.result(formula, nil, value).content)
            }
        }
        guard characteristic.values.isEmpty || bytes.count <= end else {
            throw DescriptionError(
                .wrongLength, "\(characteristic.path): expected \(end) byte\(end == 1 ? "" : "s"), got \(bytes.count)")
        }
        return scope.contents
    }

    private var characteristic: CharacteristicDescription { scope.characteristic }

    private mutating func decodeField(
        _ value: ValueDescription, _ alternatives: [ValueDescription.Field], _ bytes: [UInt8]
    ) throws(DescriptionError) {
        guard let field = try scope.field(value, alternatives) else { return scope.append(nil, nil) }
        let start = field.offset ?? offset
        let length = value.isList ? max(0, bytes.count - start) : field.type.length ?? max(0, bytes.count - start)
        guard start + length <= bytes.count else {
            throw DescriptionError(
                .wrongLength,
                "\(characteristic.path): expected at least \(start + length) bytes for '\(value.name)', got \(bytes.count)"
            )
        }
        offset = start + length
        end = max(end, offset)
        if value.isList {
            scope.append(nil, .list(try list(value, field, bytes[start..<offset])))
        } else {
            let (raw, content) = try element(value, field, bytes[start..<offset])
            scope.append(raw, content)
        }
    }

    private func list(
        _ value: ValueDescription, _ field: ValueDescription.Field, _ bytes: ArraySlice<UInt8>
    ) throws(DescriptionError) -> [DescribedContent] {
        let width = field.type.length ?? 1
        guard bytes.count.isMultiple(of: width) else {
            throw DescriptionError(
                .wrongLength,
                "\(characteristic.path): expected '\(value.name)' to be a list of \(width) bytes each, got \(bytes.count) bytes"
            )
        }
        var list: [DescribedContent] = []
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: width) {
            list.append(try element(value, field, bytes[start..<start + width]).content)
        }
        return list
    }

    private func element(
        _ value: ValueDescription, _ field: ValueDescription.Field, _ bytes: ArraySlice<UInt8>
    ) throws(DescriptionError) -> (raw: Number?, content: DescribedContent) {
        let content: DescribedContent
        do throws(DescriptionError) {
            content = try field.type.decode(bytes, isBigEndian: field.isBigEndian)
        } catch {
            throw DescriptionError(error.code, "\(characteristic.path): '\(value.name)': \(error.description)")
        }
        guard let raw = Number(content) else { return (nil, content) }
        return (raw, try scope.converted(raw, content, field, value))
    }
}

extension CharacteristicDescription {
    /// Encodes a value; omitted values are 0, empty or not present.
    ///
    /// - Parameters:
    ///   - values: the values by name; for a whole number also the name of the number in the description.
    ///   - context: values read from the service before, for use in formulas.
    /// - Throws: `unknownName`; `notEncodable` for a value of another kind, or out of the described range.
    public func encode(
        _ values: [String: DescribedContent], _ context: DecodingContext = DecodingContext()
    ) throws(DescriptionError) -> [UInt8] {
        for name in values.keys.sorted() where !self.values.contains(where: { $0.name == name }) {
            throw DescriptionError(unknown: "value", name, in: path, among: self.values.map(\.name))
        }
        var encoder = ValueEncoder(self, context)
        return try encoder.encode(self.values.map { values[$0.name] })
    }

    /// Encodes the only value of the characteristic.
    ///
    /// - Throws: the errors of ``encode(_:_:)``; `notEncodable` if the characteristic has several values.
    public func encode(
        _ value: DescribedContent, _ context: DecodingContext = DecodingContext()
    ) throws(DescriptionError) -> [UInt8] {
        guard values.count == 1, let only = values.first else {
            throw DescriptionError(
                .notEncodable, "\(path): expected values by name, there are \(values.count): \(values.map(\.name).list)"
            )
        }
        return try encode([only.name: value], context)
    }
}

/// Encodes the values in one characteristic's value, in order.
package struct ValueEncoder {
    private var scope: ValueScope
    private var bytes: [UInt8] = []
    private var offset = 0
    /// The raw numbers of the previous encoding, in the order of the values.
    private var former: ArraySlice<Int128?>

    package init(
        _ characteristic: CharacteristicDescription, _ context: DecodingContext, former: ArraySlice<Int128?> = []
    ) {
        scope = ValueScope(characteristic, context)
        self.former = former
        bytes.reserveCapacity(20)
    }

    /// The raw number of a value in this encoding.
    package func raw(_ index: Int) -> Int128? {
        if case .integer(let number)? = scope.raws[index] { number } else { nil }
    }

    /// The bytes; `contents` has an element for each value.
    package mutating func encode(_ contents: [DescribedContent?]) throws(DescriptionError) -> [UInt8] {
        for (index, value) in scope.characteristic.values.enumerated() {
            switch value.source {
            case .field(let alternatives):
                guard let field = try scope.field(value, alternatives) else {
                    scope.append(nil, nil)
                    continue
                }
                if value.isList {
                    try encodeList(value, field, contents[index])
                } else if let content = contents[index] ?? field.type.zero {
                    let place = former.startIndex + index
                    let word = scope.characteristic.hasBits ? try withBits(content, of: index, contents) : content
                    try encode(value, field, word, near: place < former.endIndex ? former[place] : nil)
                }
            case .bits(let parent, let lowest, let count):
                guard case .integer(let word)? = scope.raws[parent] else {
                    scope.append(nil, nil)
                    continue
                }
                let number = word >> Int128(lowest) & (1 << Int128(count) - 1)
                scope.append(.integer(number), .integer(number))
            case .computed(let formula, let condition):
                // A computed value has no bytes.
                let content = try scope.holds(condition, value) ? scope.result(formula, nil, value).content : nil
                scope.append(nil, content)
            }
        }
        // The owner can now change its array in place.
        former = []
        return bytes
    }

    private mutating func encode(
        _ value: ValueDescription, _ field: ValueDescription.Field, _ content: DescribedContent,
        near former: Int128?
    ) throws(DescriptionError) {
        let raw = try scope.raw(content, value, field, near: former)
        try put(value, field, raw)
        guard let number = Number(raw) else { return scope.append(nil, raw) }
        scope.append(number, try scope.converted(number, raw, field, value))
    }

    private mutating func encodeList(
        _ value: ValueDescription, _ field: ValueDescription.Field, _ content: DescribedContent?
    ) throws(DescriptionError) {
        guard case .list(let elements) = content ?? .list([]) else {
            throw value.unfit(scope.characteristic, "a list")
        }
        for element in elements { try put(value, field, scope.raw(element, value, field)) }
        scope.append(nil, .list(elements))
    }

    private mutating func put(
        _ value: ValueDescription, _ field: ValueDescription.Field, _ raw: DescribedContent
    ) throws(DescriptionError) {
        guard let encoded = field.type.encode(raw, isBigEndian: field.isBigEndian) else {
            throw value.unfit(scope.characteristic, field.type.expectation)
        }
        let start = value.isList ? offset : field.offset ?? offset
        offset = start + encoded.count
        guard start != bytes.count else {
            bytes += encoded
            return
        }
        let missing = start + encoded.count - bytes.count
        if missing > 0 { bytes += Array(repeating: 0, count: missing) }
        bytes.replaceSubrange(start..<start + encoded.count, with: encoded)
    }

    /// The whole number, with the given values of its bits inserted.
    private func withBits(
        _ content: DescribedContent, of index: Int, _ contents: [DescribedContent?]
    ) throws(DescriptionError) -> DescribedContent {
        var content = content
        for (other, value) in scope.characteristic.values.enumerated() {
            guard case .bits(index, let lowest, let count) = value.source, let given = contents[other],
                case .integer(let word) = content
            else { continue }
            let mask: Int128 = (1 << Int128(count)) - 1
            guard case .integer(let bits)? = value.whole(given), (0...mask).contains(bits) else {
                throw value.unfit(scope.characteristic, "a number of 0 to \(mask)")
            }
            content = .integer(word & ~(mask << Int128(lowest)) | bits << Int128(lowest))
        }
        return content
    }
}

/// Interprets a peripheral's values: decodes each with the description that fits the peripheral best, and with values
/// read before, e.g. a calibration.
public struct ValueInterpreter: Sendable {
    private let descriptions: [PeripheralDescription]
    /// The values read so far, by the path of the service.
    private var contexts: [String: DecodingContext] = [:]

    /// An interpreter.
    ///
    /// - Parameters:
    ///   - descriptions: descriptions, of which the best match is tried first: that with the fewest missing services,
    ///     then with the most found ones.
    ///   - services: the services of the peripheral; `nil`: unknown.
    public init(
        _ descriptions: [PeripheralDescription] = PeripheralDescription.catalogue, services: [BLEUUID]? = nil
    ) {
        guard let services = services.map(Set.init) else {
            self.descriptions = descriptions
            return
        }
        let ranked = descriptions.enumerated().map { index, description in
            let found = description.services.count { services.contains($0.uuid) }
            let missing = description.services.count { !services.contains($0.uuid) && !$0.isOptional }
            return (description: description, rank: (missing, -found, index))
        }
        self.descriptions = ranked.sorted { $0.rank < $1.rank }.map(\.description)
    }

    /// Decodes a value; `nil` if it is not described.
    ///
    /// - Throws: the errors of ``CharacteristicDescription/decode(_:_:)``.
    public mutating func reading(
        _ bytes: [UInt8], of characteristic: BLEUUID, in service: BLEUUID
    ) throws(DescriptionError) -> DescribedReading? {
        for description in descriptions {
            if let found = description.characteristic(characteristic, in: service) {
                return try reading(bytes, found, description)
            }
        }
        return nil
    }

    /// The meaning of a value, or its difference from the description; `nil` if it is not described, or the bytes need
    /// no explanation.
    public mutating func text(_ bytes: [UInt8], of characteristic: BLEUUID, in service: BLEUUID) -> String? {
        Self.text { () throws(DescriptionError) in try reading(bytes, of: characteristic, in: service) }
    }

    /// The meaning of a value of the characteristic with this path or UUID, which must occur in exactly one
    /// description; otherwise `nil`.
    ///
    /// - Parameter given: descriptions whose characteristics may be given by name only: a suite's `state` must not
    ///   match a characteristic with this name in other peripherals.
    public mutating func text(
        _ bytes: [UInt8], named name: String, of given: [PeripheralDescription] = []
    ) -> String? {
        let uuid = BLEUUID(name)
        let all = descriptions.flatMap { description in
            description.services.flatMap(\.characteristics).map { (description, $0) }
        }
        let byPath = all.filter { $0.1.path == name || uuid == $0.1.uuid }
        let found =
            byPath.isEmpty
            ? all.filter { found in found.1.name == name && given.contains { $0.name == found.0.name } } : byPath
        guard let first = found.first, found.allSatisfy({ $0.1.uuid == first.1.uuid }) else { return nil }
        return Self.text { () throws(DescriptionError) in try reading(bytes, first.1, first.0) }
    }

    private mutating func reading(
        _ bytes: [UInt8], _ characteristic: CharacteristicDescription, _ description: PeripheralDescription
    ) throws(DescriptionError) -> DescribedReading? {
        guard !characteristic.values.isEmpty else { return nil }
        let place = "\(description.name) \(characteristic.path.prefix { $0 != "." })"
        let reading = try characteristic.decode(bytes, contexts[place] ?? DecodingContext())
        // No other values depend on data.
        if characteristic.role != .data { contexts[place, default: DecodingContext()].note(reading) }
        return reading
    }

    private static func text(_ read: () throws(DescriptionError) -> DescribedReading?) -> String? {
        do throws(DescriptionError) {
            guard let reading = try read() else { return nil }
            if reading.contents.count == 1, case .bytes? = reading.contents[0] { return nil }
            return reading.text
        } catch {
            return "(\(error))"
        }
    }
}
