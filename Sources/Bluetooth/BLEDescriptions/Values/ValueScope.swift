/// The values of one characteristic's value so far, which the formulas of the values after them may name.
struct ValueScope {
    let characteristic: CharacteristicDescription
    private let context: DecodingContext
    /// The undecoded number of each value.
    private(set) var raws: [Number?] = []
    /// What each value holds; `nil` when it is not present.
    private(set) var contents: [DescribedContent?] = []

    init(_ characteristic: CharacteristicDescription, _ context: DecodingContext) {
        self.characteristic = characteristic
        self.context = context
        raws.reserveCapacity(characteristic.values.count)
        contents.reserveCapacity(characteristic.values.count)
    }

    mutating func append(_ raw: Number?, _ content: DescribedContent?) {
        raws.append(raw)
        contents.append(content)
    }

    /// The first alternative whose condition holds.
    func field(
        _ value: ValueDescription, _ alternatives: [ValueDescription.Field]
    ) throws(DescriptionError) -> ValueDescription.Field? {
        for field in alternatives where try holds(field.condition, value) { return field }
        return nil
    }

    /// The value that a raw number stands for.
    func converted(
        _ raw: Number, _ content: DescribedContent, _ field: ValueDescription.Field, _ value: ValueDescription
    ) throws(DescriptionError) -> DescribedContent {
        switch field.conversion {
        case .none: content
        case .linear(let scale, let offset): .real(raw.double * scale + offset)
        case .formula(let formula): try result(formula, raw, value).content
        }
    }

    func holds(_ condition: Formula?, _ value: ValueDescription) throws(DescriptionError) -> Bool {
        guard let condition else { return true }
        return try result(condition, nil, value).isTrue
    }

    func result(
        _ formula: Formula, _ raw: Number?, _ value: ValueDescription
    ) throws(DescriptionError) -> Number {
        do throws(FormulaError) {
            return try formula.evaluate { reference throws(FormulaError) in try resolve(reference, raw) }
        } catch {
            throw DescriptionError(
                error.isMissingContext ? .missingContext : .noResult,
                "\(characteristic.path): '\(value.name)': \(error.message)")
        }
    }

    private func resolve(_ reference: Formula.Reference, _ raw: Number?) throws(FormulaError) -> Number {
        switch reference {
        case .ownRaw:
            if let raw { return raw }
        case .raw(let index):
            if let number = raws[index] { return number }
            throw absent(index)
        case .value(let index):
            if let number = contents[index].flatMap(Number.init) { return number }
            throw absent(index)
        case .context(let slot, let name, let unread):
            if let number = context.number(slot) ?? unread.map({ .integer($0) }) { return number }
            throw FormulaError(message: "needs '\(name)', which was not read yet", isMissingContext: true)
        }
        throw FormulaError(message: "expected a number, there is none")
    }

    private func absent(_ index: Int) -> FormulaError {
        FormulaError(message: "needs '\(characteristic.values[index].name)', which is not present")
    }
}
