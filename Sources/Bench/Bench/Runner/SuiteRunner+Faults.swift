import BLECentral
import BLEPackets
import BenchModel
import MonotonicTime
import BenchExecutor

/// Faults on the air, cuts of the power, and PDUs that no stack sends.
extension SuiteRunner {
    /// A cut of the power or a fault that a step has asked for and that has not come yet.
    struct PendingPoint {
        /// The number of the fault; `nil`: the cut of the power.
        var fault: Int?
        var step: Step
    }

    func cutPower(at point: PowerCutPoint, _ step: Step) async throws(StepFault) {
        let cut: PowerCut =
            switch point {
            case .console(let pattern): .console(try lineTest(pattern, at: step.position))
            case .storageWrite(let count): .storageWrite(try number(count, 1...Int64(Int32.max), at: step.position))
            case .pdu(let pattern): .pdu(try planned(pattern, at: step.position))
            }
        pendingPoints.append(PendingPoint(fault: nil, step: step))
        try await ask("a cut of the power to be planned") { try await self.device.cutPower(at: cut) }
    }

    private func lineTest(
        _ pattern: ConsolePattern, at position: SourcePosition
    ) throws(StepFault) -> @Sendable (String) -> Bool {
        switch pattern {
        case .line(let template):
            let text = try text(template, at: position)
            return { $0 == text }
        case .regex(let pattern):
            // Compiled each time: `Regex` is not Sendable, and there is one such line a cut.
            return { line in (try? Regex(pattern)).map { line.contains($0) } ?? false }
        }
    }

    func plant(_ step: FaultStep, _ source: Step) async throws(StepFault) {
        switch step {
        case .clear:
            record("suite", .fault("cleared"))
            pendingPoints.removeAll { $0.fault != nil }
            try await ask("the faults to be cleared") { try await self.device.clearFaults() }
        case .add(let fault):
            let point = try planned(fault.pattern, at: source.position)
            let action: PDUFault.Action =
                switch fault.action {
                case .drop: .drop
                case .corrupt: .corrupt
                case .replay: .replay
                case .cut: .cut
                case .delay(let time): .delay(time)
                case .alter(let byte): .alter(byte: try number(byte, AirFault.bytes, at: source.position), mask: 0x01)
                case .disconnect(let reason):
                    .disconnect(HCIErrorCode(rawValue: try octet(reason, at: source.position)))
                }
            lastFault += 1
            let planned = PDUFault(action, at: point, count: fault.isRepeated ? nil : 1)
            let number = lastFault
            pendingPoints.append(PendingPoint(fault: lastFault, step: source))
            record("suite", .fault("planted: \(source.source)"))
            try await ask("a fault to be planted") { try await self.device.plant(planned, number: number) }
        }
    }

    private func planned(_ pattern: PDUPattern, at position: SourcePosition) throws(StepFault) -> PDUPoint {
        PDUPoint(
            pattern.kind, from: pattern.sender.map { $0 == .board ? .peripheral : .central },
            occurrence: try number(pattern.count, 1...Int64(Int32.max), at: position))
    }

    func setAir(_ step: RadioStep, at position: SourcePosition) async throws(StepFault) {
        let loss: Int? = if let loss = step.loss { try number(loss, RadioStep.losses, at: position) } else { nil }
        let pathLoss: Int? =
            if let pathLoss = step.pathLoss { try number(pathLoss, RadioStep.pathLosses, at: position) } else { nil }
        try await ask("the air to be set") { try await self.device.setAir(loss: loss, pathLoss: pathLoss) }
    }

    /// A number that `expression` computes, within `range`.
    func number(
        _ expression: Expression, _ range: ClosedRange<Int64>, at position: SourcePosition
    ) throws(StepFault) -> Int {
        let value = try integer(expression, at: position)
        guard range.contains(value) else {
            throw StepFault(
                .benchFault, expected: "a number of \(range.lowerBound)...\(range.upperBound)", got: "\(value)",
                position: position)
        }
        return Int(value)
    }

    /// What was planned and did not come: a case that rests on it has proven nothing.
    func missingPoint() async -> Failure? {
        guard !pendingPoints.isEmpty else { return nil }
        let missing = await device.faultsToCome()
        guard let point = pendingPoints.first(where: { $0.fault.map(missing.contains) ?? true }) else { return nil }
        let what = point.fault == nil ? "the cut of the power" : "the fault"
        return failure(
            StepFault(.assertion, expected: "\(what) to come before the case ends", got: "it did not"), in: point.step,
            started: executor.now)
    }

    /// The power was cut as planned.
    func cutCame() {
        pendingPoints.removeAll { $0.fault == nil }
    }

    // MARK: ATT PDUs

    func exchange(_ step: AttributePDUStep, at position: SourcePosition) async throws(StepFault) {
        let (session, connection) = try link(step.client.index, expected: "an ATT PDU to be sent")
        context.handles = session.handles
        let pdu = try bytes(step.pdu)
        var timeout = step.timeout
        var wanted: [UInt8]?
        var expected = "the ATT PDU \(CaseLog.text(pdu)) to be answered"
        switch step.answer {
        case .any: if pdu[0] & 0x40 != 0 { timeout = .zero }
        case .pdu(let template):
            let bytes = try bytes(template)
            wanted = bytes
            expected += " with \(CaseLog.text(bytes))"
        case .silence: expected = "no answer to the ATT PDU \(CaseLog.text(pdu)) within \(timeout.brief)"
        }
        record(session.name, .attPDU(isSent: true, pdu: pdu))
        let limit = timeout
        let answer = try await perform(expected) { () async throws(CentralError) in
            try await session.backend.exchangeATT(pdu, on: connection, within: limit)
        }
        if let answer { record(session.name, .attPDU(isSent: false, pdu: answer)) }
        if let error = step.expectedError {
            let outcome = Self.outcome(answer, isConnected: sessions[step.client.index]?.connection == connection)
            try check(outcome, error, expected, at: position) { "ATT error \(ATTErrorCode(rawValue: $0))" }
            return
        }
        let got = answer.map { CaseLog.text($0) } ?? "no answer"
        switch step.answer {
        case .silence:
            if answer != nil { throw StepFault(.assertion, expected: expected, got: got) }
        case .pdu:
            if answer != wanted { throw StepFault(.assertion, expected: expected, got: got) }
        case .any:
            if timeout > .zero, answer == nil || answer?.first == 0x01 {
                throw StepFault(.assertion, expected: expected, got: got)
            }
        }
    }

    /// What came back of an ATT PDU, as an operation's outcome.
    private static func outcome(_ answer: [UInt8]?, isConnected: Bool) -> Result<Void, CentralError> {
        guard let answer else {
            return .failure(
                isConnected
                    ? CentralError(.timedOut, "no answer to the ATT PDU")
                    : CentralError(.notConnected, "the link ended before the ATT PDU was answered"))
        }
        guard answer.count == 5, answer[0] == 0x01 else { return .success(()) }
        return .failure(CentralError(.attError(answer[4]), "ATT error \(ATTErrorCode(rawValue: answer[4]))"))
    }
}
