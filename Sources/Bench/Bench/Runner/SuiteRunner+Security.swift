import BLECentral
import BLECore
import BLEPackets
import BenchModel
import MonotonicTime
import BenchExecutor

/// Pairing, encryption and bonds.
extension SuiteRunner {
    /// How the user in the suite's mind answers while a pairing runs.
    struct PairingAnswers {
        var passkey: PairStep.Passkey
        /// The number of `passkey`, where it is known before the pairing.
        var number: UInt32?
        var confirmation: Bool?
        /// What the pairing asked and the step does not say.
        var unexpected: String?
    }

    /// What a user needs to read a passkey and type it.
    static let answerTime = Duration.seconds(1)

    func pair(_ step: PairStep, at position: SourcePosition) async throws(StepFault) {
        let client = step.client.index
        let (session, connection) = try link(client, expected: "a pairing")
        var number: UInt32?
        switch step.passkey {
        case .number(let expression): number = UInt32(try self.number(expression, PairStep.passkeys, at: position))
        case .overheard:
            number = await device.overheardPasskey()
            guard number != nil else {
                throw StepFault(
                    .assertion, expected: "a passkey entry with the board that could be overheard before",
                    got: "none that went through all 20 rounds on an unencrypted link")
            }
        default: break
        }
        answers[client] = PairingAnswers(passkey: step.passkey, number: number, confirmation: step.confirmation)
        defer { answers[client] = nil }
        record(session.name, .pairing)
        let keySize = try self.number(step.keySize, PairStep.keySizes, at: position)
        let security = CentralSecurity(step, keySize: keySize, usesPrivacy: suite.clients[client].usesPrivacy)
        let expected = "a pairing of '\(session.name)'"
        let outcome = try await attempt(expected) { () async throws(CentralError) in
            try await session.backend.setSecurity(security)
            return try await session.backend.pair(connection)
        }
        if let unexpected = answers[client]?.unexpected {
            throw StepFault(
                .assertion, expected: "a pairing that asks for nothing but what the step says", got: unexpected)
        }
        try check(outcome, step.expectedError, session, expected, at: position)
    }

    func encrypt(_ step: EncryptStep, at position: SourcePosition) async throws(StepFault) {
        let (session, connection) = try link(step.client.index, expected: "an encryption")
        let expected = "the link of '\(session.name)' to be encrypted with its bond"
        let outcome = try await attempt(expected) { () async throws(CentralError) in
            try await session.backend.encrypt(connection)
        }
        try check(outcome, step.expectedError, session, expected, at: position)
    }

    private func check(
        _ outcome: Result<LinkSecurity, CentralError>, _ error: ExpectedError?, _ session: ClientSession,
        _ expected: String, at position: SourcePosition
    ) throws(StepFault) {
        if case .failure(let error) = outcome { record(session.name, .securityFailure(error.detail)) }
        try check(outcome, error, expected, at: position) { number in
            if case .failure(let error) = outcome, case .encryptionFailed = error.code {
                return "HCI error \(HCIErrorCode(rawValue: number))"
            }
            return "\(SMPFailureReason(rawValue: number))"
        }
    }

    // MARK: Answers

    /// Answers what a pairing asks, after the time that a user takes.
    func answer(_ input: PairingInput, on connection: ConnectionID, for client: Int) {
        guard let session = sessions[client], connection == session.connection else { return }
        record(session.name, .pairingInput(input.words))
        guard answers[client] != nil else { return }
        let executor = executor
        executor.schedule(at: executor.now.advanced(by: Self.answerTime)) {
            self.assumeIsolated { $0.giveAnswer(to: input, on: connection, for: client) }
        }
    }

    private func giveAnswer(to input: PairingInput, on connection: ConnectionID, for client: Int) {
        guard let session = sessions[client], connection == session.connection, let answer = answer(to: input, client)
        else { return }
        record(session.name, .pairingAnswer(answer.words))
        let backend = session.backend
        Task(executorPreference: executor) {
            // A pairing that has ended meanwhile needs no answer, and its step knows how it ended.
            try? await backend.answerPairing(answer, on: connection)
        }
    }

    /// The answer; `nil` when there is none. A question that the step says nothing about is refused.
    private func answer(to input: PairingInput, _ client: Int) -> PairingAnswer? {
        guard let answers = answers[client] else { return nil }
        switch input {
        case .enterPasskey, .displayPasskey:
            switch answers.passkey {
            case .unanswered: return nil
            case .refused: return .cancel
            case .number, .overheard: return answers.number.map { .passkey($0) }
            case .console(let pattern):
                if let number = passkey(matching: pattern) { return .passkey(number) }
                return refuse(client, "a passkey, and no console line matches /\(pattern)/")
            case .wrongConsole(let pattern):
                if let number = passkey(matching: pattern) {
                    return .passkey((number + 1) % UInt32(PairStep.passkeys.upperBound + 1))
                }
                return refuse(client, "a passkey, and no console line matches /\(pattern)/")
            case .unexpected: return refuse(client, "it asks to \(input.words), and the step has no 'passkey'")
            }
        case .compareNumbers:
            if let confirmation = answers.confirmation { return .confirm(confirmation) }
            return refuse(client, "it asks to \(input.words), and the step has no 'confirm'")
        case .outOfBand: return refuse(client, "it asks for out-of-band data")
        }
    }

    private func refuse(_ client: Int, _ question: String) -> PairingAnswer {
        answers[client]?.unexpected = question
        return .cancel
    }

    /// The number in the newest console line that matches: the first group, or all that matches.
    private func passkey(matching pattern: String) -> UInt32? {
        guard let regex = patterns[pattern] else { return nil }
        for line in consoleHistory.reversed() {
            guard let match = line.firstMatch(of: regex) else { continue }
            let text = match.output.dropFirst().first?.substring ?? line[match.range]
            if let number = UInt32(text), PairStep.passkeys.contains(Int64(number)) { return number }
        }
        return nil
    }

    // MARK: Bonds

    func forget(_ step: ForgetStep) async throws(StepFault) {
        switch step.holder {
        case .client(let client):
            let session = try await session(client.index)
            record(session.name, .forgotten("the board"))
            try await forgetBoard(session)
        case .board:
            let peer: DeviceAddress? = if let peer = step.peer { try await session(peer.index).identity } else { nil }
            record("board", .forgotten(step.peer.map { suite.clients[$0.index].name } ?? "everyone"))
            try await ask("the board to forget") { try await self.device.forgetBonds(with: peer) }
        }
    }

    /// Deletes all bonds of a central.
    func forgetBoard(_ session: ClientSession) async throws(StepFault) {
        try await perform("'\(session.name)' to forget the board") { () async throws(CentralError) in
            for bond in try await session.backend.bonds() { try await session.backend.forget(bond.identity) }
        }
    }
}

extension CentralSecurity {
    fileprivate init(_ step: PairStep, keySize: Int, usesPrivacy: Bool) {
        self.init(
            ioCapability: step.capability, bonding: step.isBonding, mitm: step.isProtected,
            secureConnections: step.secureConnections, keySizes: min(7, keySize)...keySize, privacy: usesPrivacy)
    }
}

extension PairingInput {
    /// What it asks, as reports show it.
    fileprivate var words: String {
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
