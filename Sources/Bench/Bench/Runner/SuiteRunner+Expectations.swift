import BLEPackets
import BenchModel
import MonotonicTime
import BenchExecutor

extension SuiteRunner {
    /// Waits for what an `expect` step describes.
    func expect(_ expectation: Expectation, within timeout: Duration, at position: SourcePosition)
        async throws(StepFault)
    {
        switch expectation {
        case .security(let client, let security):
            return try await expect(security, of: client, within: timeout, at: position)
        case .bonds(let holder, let bonds): return try await expect(bonds, of: holder, within: timeout, at: position)
        default: break
        }
        let started = executor.now
        let matcher = try matcher(expectation, at: position)
        let outcome = await wait(for: matcher, within: timeout)
        if case .nothing = expectation, outcome == nil, crash == nil { return }
        if case .matched? = outcome { return }
        let expected = describe(matcher, expectation) + " within \(timeout.brief)"
        switch outcome {
        case .mismatch(let got, let time)?:
            let since = started.duration(to: time)
            let moment = since < .zero ? "\((.zero - since).brief) before the step" : "after \(since.brief)"
            throw StepFault(.assertion, expected: expected, got: "\(got), \(moment)")
        case .linkLost(let reason)?:
            throw StepFault(.linkLost, expected: expected, got: "the link ended: \(HCIErrorCode(rawValue: reason))")
        case .matched?, nil:
            throw StepFault(.assertion, expected: expected, got: "nothing of the kind")
        }
    }

    private func matcher(_ expectation: Expectation, at position: SourcePosition) throws(StepFault) -> CaseLog.Matcher {
        switch expectation {
        case .value(let value):
            let client = value.client.index
            guard let session = sessions[client], let attribute = session.attributes[value.characteristic.index] else {
                throw StepFault(
                    .assertion, expected: "a value of \(name(value.characteristic))",
                    got: "'\(suite.clients[client].name)' has discovered no such characteristic")
            }
            let bytes: [UInt8]? = if let template = value.value { try self.bytes(template) } else { nil }
            return .value(client: client, attribute: attribute, isIndication: value.isIndication, bytes: bytes)
        case .console(.line(let template)): return .line(try text(template, at: position))
        case .console(.regex(let pattern)):
            guard let regex = patterns[pattern] else {
                throw StepFault(.benchFault, expected: "a regular expression", got: pattern)
            }
            return .regex(regex)
        case .disconnect(let client, let reason):
            let octet: UInt8? = if let reason { try self.octet(reason, at: position) } else { nil }
            return .disconnect(client: client.index, reason: octet)
        case .servo(let servo, let pin): return .servo(try pattern(servo, pin, at: position))
        case .powerCut: return .powerCut
        case .nothing(let kinds): return .nothing(kinds)
        case .security, .bonds:
            throw StepFault(.benchFault, expected: "an event to wait for", got: "a state")
        }
    }

    private func describe(_ matcher: CaseLog.Matcher, _ expectation: Expectation) -> String {
        switch (matcher, expectation) {
        case (.value(_, _, let isIndication, let bytes), .value(let value)):
            (isIndication ? "an indication" : "a notification") + " of \(name(value.characteristic))"
                + (bytes.map { " with \(CaseLog.text($0))" } ?? "")
        case (.line(let text), _): "the console line '\(text)'"
        case (.regex, .console(.regex(let pattern))): "a console line matching /\(pattern)/"
        case (.disconnect(let client, let reason), _):
            "a disconnect of '\(suite.clients[client].name)'" + (reason.map { ", \(HCIErrorCode(rawValue: $0))" } ?? "")
        case (.servo(let pattern), _): "the servo \(pattern)"
        case (.powerCut, _): "the cut of the power"
        case (.nothing(let kinds), _):
            "no " + EventKind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: " or ")
        default: "what the step says"
        }
    }
}
