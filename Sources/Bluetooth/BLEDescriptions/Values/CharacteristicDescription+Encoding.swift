import SourceText

extension CharacteristicDescription {
    /// Encodes a value; values that are not given are 0, empty or not present.
    ///
    /// - Parameters:
    ///   - values: by name; whole numbers also by the name that the description gives them.
    ///   - context: what was read of the service before, which formulas name.
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
    /// - Throws: as ``encode(_:_:)``; `notEncodable` when there are several.
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

/// Encodes the values of one characteristic's value, in their order.
struct ValueEncoder {
    private var scope: ValueScope
    private var bytes: [UInt8] = []
    private var offset = 0
    /// The raw numbers of the value before this one, by the index of the value.
    private let former: [Int128?]

    init(_ characteristic: CharacteristicDescription, _ context: DecodingContext, former: [Int128?] = []) {
        scope = ValueScope(characteristic, context)
        self.former = former
    }

    /// The raw numbers that were encoded.
    var raws: [Int128?] { scope.raws.map { if case .integer(let number)? = $0 { number } else { nil } } }

    /// The bytes; `contents` are as many as there are values.
    mutating func encode(_ contents: [DescribedContent?]) throws(DescriptionError) -> [UInt8] {
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
                    let near = former.indices.contains(index) ? former[index] : nil
                    try encode(value, field, withBits(content, of: index, contents), near: near)
                }
            case .bits(let parent, let lowest, let count):
                guard case .integer(let word)? = scope.raws[parent] else {
                    scope.append(nil, nil)
                    continue
                }
                let number = word >> Int128(lowest) & (1 << Int128(count) - 1)
                scope.append(.integer(number), .integer(number))
            case .computed(let formula, let condition):
                // What is computed has no bytes.
                let content = try scope.holds(condition, value) ? scope.result(formula, nil, value).content : nil
                scope.append(nil, content)
            }
        }
        return bytes
    }

    private mutating func encode(
        _ value: ValueDescription, _ field: ValueDescription.Field, _ content: DescribedContent,
        near former: Int128?
    ) throws(DescriptionError) {
        let raw = try RawSearch(scope, value, field, near: former).raw(content)
        try put(value, field, raw)
        guard let number = Number(raw) else { return scope.append(nil, raw) }
        scope.append(number, try scope.converted(number, raw, field, value))
    }

    private mutating func encodeList(
        _ value: ValueDescription, _ field: ValueDescription.Field, _ content: DescribedContent?
    ) throws(DescriptionError) {
        guard case .list(let elements) = content ?? .list([]) else {
            throw RawSearch.unfit(value, scope.characteristic, "a list")
        }
        for element in elements { try put(value, field, RawSearch(scope, value, field).raw(element)) }
        scope.append(nil, .list(elements))
    }

    private mutating func put(
        _ value: ValueDescription, _ field: ValueDescription.Field, _ raw: DescribedContent
    ) throws(DescriptionError) {
        guard let encoded = field.type.encode(raw, isBigEndian: field.isBigEndian) else {
            throw RawSearch.unfit(value, scope.characteristic, field.type.expectation)
        }
        let start = value.isList ? offset : field.offset ?? offset
        let missing = start + encoded.count - bytes.count
        if missing > 0 { bytes += Array(repeating: 0, count: missing) }
        bytes.replaceSubrange(start..<start + encoded.count, with: encoded)
        offset = start + encoded.count
    }

    /// The whole number with those of its bits that are given.
    private func withBits(
        _ content: DescribedContent, of index: Int, _ contents: [DescribedContent?]
    ) throws(DescriptionError) -> DescribedContent {
        var content = content
        for (other, value) in scope.characteristic.values.enumerated() {
            guard case .bits(index, let lowest, let count) = value.source, let given = contents[other],
                case .integer(let word) = content
            else { continue }
            let mask: Int128 = (1 << Int128(count)) - 1
            guard case .integer(let bits)? = RawSearch.whole(given, value), (0...mask).contains(bits) else {
                throw RawSearch.unfit(value, scope.characteristic, "a number of 0 to \(mask)")
            }
            content = .integer(word & ~(mask << Int128(lowest)) | bits << Int128(lowest))
        }
        return content
    }
}
