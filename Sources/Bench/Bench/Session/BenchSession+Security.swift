public import BLECentral
import BLECore
import BLEPackets
import BenchExecutor
import BenchModel
import Console
import MonotonicTime

/// Pairing, encryption and bonds.
extension BenchSession {
    /// The time a user needs to read a passkey and type it.
    private static let answerTime = Duration.seconds(1)

    /// Pairs again, even if there is a bond.
    public func pair(
        _ central: CentralID, _ security: CentralSecurity = CentralSecurity(), answers pairingAnswers: PairingAnswers
    ) async throws(BenchFailure) -> OperationOutcome<LinkSecurity> {
        let (state, stack, peripheral) = try link(central, expected: "a pairing")
        answers[central.index] = pairingAnswers
        defer { answers[central.index] = nil }
        record(state.description.name, PairingBegan())
        var security = security
        security.privacy = state.description.usesPrivacy
        let request = security
        let outcome = try await attempt("a pairing of '\(state.description.name)'") { () async throws(CentralError) in
            try await stack.setSecurity(request)
            return try await peripheral.pair()
        }
        if let unexpected = answers[central.index]?.unexpected {
            throw BenchFailure(
                .assertion, expected: "a pairing that asks only for the inputs in the step", got: unexpected)
        }
        if case .success(let security) = outcome.result, let unrequested = answers[central.index]?.unrequested {
            throw BenchFailure(
                .assertion, expected: "a pairing of '\(state.description.name)' that asks for \(unrequested)",
                got: "it succeeded and asked for nothing (Just Works): the link is encrypted, "
                    + (security.isAuthenticated ? "and authenticated" : "but not authenticated"))
        }
        return recorded(outcome, state)
    }

    /// Encrypts the link with the key of the bond.
    public func encrypt(_ central: CentralID) async throws(BenchFailure) -> OperationOutcome<LinkSecurity> {
        let (state, _, peripheral) = try link(central, expected: "an encryption")
        let expected = "the link of '\(state.description.name)' to be encrypted with its bond"
        let outcome = try await attempt(expected) { () async throws(CentralError) in
            try await peripheral.encrypt()
        }
        return recorded(outcome, state)
    }

    private func recorded(
        _ outcome: OperationOutcome<LinkSecurity>, _ state: CentralState
    ) -> OperationOutcome<LinkSecurity> {
        if case .failure(let error) = outcome.result { record(state.description.name, SecurityFailed(error.detail)) }
        return outcome
    }

    /// The security of the central's link.
    public func security(
        of central: CentralID, expected: String = "the protection of the link"
    ) async throws(BenchFailure) -> LinkSecurity {
        let (_, _, peripheral) = try link(central, expected: expected)
        return try await perform(expected) { () async throws(CentralError) in try await peripheral.security }
    }

    /// The parameters of the central's link.
    public func linkParameters(
        of central: CentralID, expected: String = "the parameters of the link"
    ) async throws(BenchFailure) -> LinkParameters {
        let (_, _, peripheral) = try link(central, expected: expected)
        return try await perform(expected) { () async throws(CentralError) in try await peripheral.linkParameters() }
    }

    // MARK: Answers

    /// Answers a request of a pairing, after the time that a user takes.
    func answer(_ input: PairingInput, on connection: ConnectionID, for central: Int) {
        record(centrals[central].description.name, PairingInputRequested(input.words))
        guard answers[central] != nil else { return }
        switch input {
        case .enterPasskey, .displayPasskey: answers[central]?.isPasskeyRequested = true
        case .compareNumbers: answers[central]?.isComparisonRequested = true
        case .outOfBand: break
        }
        executor.schedule(at: executor.now.advanced(by: Self.answerTime)) {
            self.assumeIsolated { $0.answer(to: input, on: connection, for: central) }
        }
    }

    /// The central's stack has chosen a passkey, which the board's user enters: nothing to answer.
    func displayed(_ passkey: UInt32, for central: Int) {
        let digits = String(passkey)
        let words = "show the passkey \(String(repeating: "0", count: max(0, 6 - digits.count)))\(digits)"
        record(centrals[central].description.name, PairingInputRequested(words))
        answers[central]?.isPasskeyRequested = true
    }

    private func answer(to input: PairingInput, on connection: ConnectionID, for central: Int) {
        let state = centrals[central]
        guard let link = state.link, connection == link.connection, let answer = answer(to: input, central) else {
            return
        }
        record(state.description.name, PairingInputGiven(answer.words))
        Task(executorPreference: executor) {
            // A pairing that has ended meanwhile needs no answer, and its step already has the result.
            try? await link.peripheral.answerPairing(answer)
        }
    }

    /// The answer to a request; `nil`: none. A request that the suite does not expect is refused.
    private func answer(to input: PairingInput, _ central: Int) -> PairingAnswer? {
        guard let answers = answers[central] else { return nil }
        switch input {
        case .enterPasskey, .displayPasskey:
            switch answers.passkey {
            case .unanswered: return nil
            case .refused: return .cancel
            case .number(let number): return .passkey(number)
            case .console(let pattern):
                switch passkey(matching: pattern, of: answers.board) {
                case .success(let number): return .passkey(number)
                case .failure(let missing): return refuse(central, missing.reason)
                }
            case .wrongConsole(let pattern):
                switch passkey(matching: pattern, of: answers.board) {
                case .success(let number): return .passkey((number + 1) % (PairingAnswers.passkeys.upperBound + 1))
                case .failure(let missing): return refuse(central, missing.reason)
                }
            case .unexpected: return refuse(central, "it asks to \(input.words), and the step has no 'passkey'")
            }
        case .compareNumbers:
            if let confirmation = answers.confirmation { return .confirm(confirmation) }
            return refuse(central, "it asks to \(input.words), and the step has no 'confirm'")
        case .outOfBand: return refuse(central, "it asks for out-of-band data")
        }
    }

    private func refuse(_ central: Int, _ question: String) -> PairingAnswer {
        answers[central]?.unexpected = question
        return .cancel
    }

    /// The number in the newest console line that matches: the first group, or the whole match.
    private func passkey(matching pattern: String, of board: BoardID?) -> Result<UInt32, MissingPasskey> {
        let compiled = try? self.pattern(pattern)
        for (origin, line) in consoleHistory.reversed() where board.map({ $0.index == origin }) ?? true {
            switch compiled?.search(line) {
            case .found(let text):
                if let number = UInt32(text), PairingAnswers.passkeys.contains(number) { return .success(number) }
            case .missing, nil: break
            case .abandoned, .off:
                return .failure(MissingPasskey(reason: "a passkey, and /\(pattern)/ is \(EventLog.tooSlow(line))"))
            }
        }
        return .failure(MissingPasskey(reason: "a passkey, and no console line matches /\(pattern)/"))
    }

    private struct MissingPasskey: Error {
        let reason: String
    }

    // MARK: Bonds

    /// The number of the central's bonds.
    public func bondCount(
        of central: CentralID, expected: String = "the bonds of a central"
    ) async throws(BenchFailure) -> Int {
        let stack = try await stack(of: central.index)
        let foreign = centrals[central.index].foreignBonds
        return try await perform(expected) { () async throws(CentralError) in
            try await stack.bonds().count { !foreign.contains($0.identity) }
        }
    }

    /// Deletes all bonds of a central.
    public func forgetBonds(of central: CentralID) async throws(BenchFailure) {
        _ = try await stack(of: central.index)
        record(name(of: central), BondsDeleted("the board"))
        try await forgetBonds(of: central.index)
    }

    /// Deletes the bonds that the bench has made in the centrals' stacks; ignores errors.
    func cleanCentrals() async {
        await disconnectAll()
        guard bench.abilities.contains(.central(.bondList)) else { return }
        for state in centrals {
            guard let stack = state.central else { continue }
            let foreign = state.foreignBonds
            // Runs also after an interruption, and if the stack has failed.
            _ = await carryOut("the bonds to be deleted", endsWithCrash: false) { () async throws(CentralError) in
                try await stack.stopScanning()
                for bond in try await stack.bonds() where !foreign.contains(bond.identity) {
                    try await stack.forget(bond.identity)
                }
            }
        }
    }

    func forgetBonds(of central: Int) async throws(BenchFailure) {
        guard let stack = centrals[central].central, bench.abilities.contains(.central(.bondList)) else { return }
        let (name, foreign) = (centrals[central].description.name, centrals[central].foreignBonds)
        try await perform("'\(name)' to forget the board") { () async throws(CentralError) in
            for bond in try await stack.bonds() where !foreign.contains(bond.identity) {
                try await stack.forget(bond.identity)
            }
        }
    }
}

extension PairingInput {
    /// The request's text in reports.
    var words: String {
        switch self {
        case .displayPasskey: "choose a passkey"
        case .enterPasskey: "enter a passkey"
        case .compareNumbers(let number): "compare the number \(number)"
        case .outOfBand: "give out-of-band data"
        }
    }
}

extension PairingAnswer {
    /// The answer as reports show it.
    fileprivate var words: String {
        switch self {
        case .passkey(let number): "\(number)"
        case .confirm(let isSame): isSame ? "yes" : "no"
        case .cancel: "refused"
        case .temporaryKey, .outOfBand: "out-of-band data"
        }
    }
}
