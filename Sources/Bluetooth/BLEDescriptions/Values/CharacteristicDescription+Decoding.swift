extension CharacteristicDescription {
    /// Decodes a value.
    ///
    /// - Parameter context: what was read of the service before: coefficients of a calibration, a range.
    /// - Throws: `wrongLength` when the bytes are fewer or more than described; `invalidValue`; `noResult`;
    ///   `missingContext`.
    public func decode(
        _ bytes: [UInt8], _ context: DecodingContext = DecodingContext()
    ) throws(DescriptionError) -> DescribedReading {
        var decoder = ValueDecoder(self, context)
        return DescribedReading(characteristic: self, contents: try decoder.decode(bytes))
    }
}

/// Decodes the values of one characteristic's value, in their order.
struct ValueDecoder {
    private var scope: ValueScope
    /// Where the next field without an offset begins, and the end of the farthest.
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
