import Yams

extension SuiteReader {
    /// Gives the error of `expect: {error: …}` to the operation just before it.
    func attachExpectedError(_ step: StepWord, to steps: inout [Step]) {
        guard let value = step.value,
            let fields = Fields(value, of: "'expect: {error: …}'", known: ["error"], diagnostics),
            let node = fields["error"]
        else { return }
        guard let last = steps.indices.last, let words = steps[last].action.errorWords else {
            return diagnostics.report(
                "'expect: {error: …}' must follow the read, write, att, subscribe, unsubscribe, pair or encrypt that fails",
                at: value)
        }
        guard let error = expectedError(node, words) else { return }
        steps[last].action.expect(error)
    }

    /// An error by one of `words`, or by its number.
    private func expectedError(_ node: Node, _ words: [(word: String, error: ExpectedError)]) -> ExpectedError? {
        guard let text = scalars.text(node, "an error") else { return nil }
        if let known = words.first(where: { $0.word == text }) { return known.error }
        // A name that is none of an error's would be taken for one of a parameter's.
        guard text.contains(" "), !text.contains(where: \.isNumber) else {
            return scalars.expression(node, "an error's number", parameters).map { .code($0) }
        }
        diagnostics.report("unknown error '\(text)', expected a number or one of: \(words.map(\.word).list)", at: node)
        return nil
    }
}

extension Action {
    /// The words for errors that the operation can end with; `nil` when it is none that can.
    fileprivate var errorWords: [(word: String, error: ExpectedError)]? {
        let common: [(String, ExpectedError)] = [("timeout", .timeout), ("disconnected", .disconnected)]
        switch self {
        case .write(let step) where step.hasResponse: return common
        case .read, .subscribe: return common
        case .attribute(let step): if case .silence = step.answer { return nil } else { return common }
        case .pair: return PairingFailure.allCases.map { ($0.rawValue, .pairing($0)) } + common
        case .encrypt: return [("key missing", .keyMissing), ("no bond", .notBonded)] + common
        default: return nil
        }
    }

    fileprivate mutating func expect(_ error: ExpectedError) {
        switch self {
        case .read(var step):
            step.expectedError = error
            self = .read(step)
        case .write(var step):
            step.expectedError = error
            self = .write(step)
        case .subscribe(var step):
            step.expectedError = error
            self = .subscribe(step)
        case .attribute(var step):
            step.expectedError = error
            self = .attribute(step)
        case .pair(var step):
            step.expectedError = error
            self = .pair(step)
        case .encrypt(var step):
            step.expectedError = error
            self = .encrypt(step)
        default: break
        }
    }
}
