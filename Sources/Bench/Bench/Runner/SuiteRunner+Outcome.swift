import BLECentral
import BLEPackets
import BenchModel

extension SuiteRunner {
    /// Compares how an operation came out with how it should. `describe` names an error's number in its protocol.
    func check<Value>(
        _ outcome: Result<Value, CentralError>, _ error: ExpectedError?, _ operation: String,
        at position: SourcePosition, _ describe: (UInt8) -> String
    ) throws(StepFault) {
        guard let error else {
            if case .failure(let failure) = outcome { throw StepFault(failure, expected: operation) }
            return
        }
        var number: UInt8?
        if case .code(let expression) = error { number = try octet(expression, at: position) }
        let expected = "\(operation) to fail with \(Self.words(error, number, describe))"
        switch outcome {
        case .success: throw StepFault(.assertion, expected: expected, got: "it succeeded")
        case .failure(let failure):
            guard Self.matches(failure.code, error, number) else { throw StepFault(failure, expected: expected) }
        }
    }

    private static func words(_ error: ExpectedError, _ number: UInt8?, _ describe: (UInt8) -> String) -> String {
        switch error {
        case .code: number.map(describe) ?? ""
        case .pairing(let failure): "\(SMPFailureReason(rawValue: failure.code))"
        case .keyMissing: "\(HCIErrorCode(rawValue: 0x06))"
        case .notBonded: "no bond"
        case .timeout: "a time-out"
        case .disconnected: "the end of the link"
        }
    }

    private static func matches(_ code: CentralError.Code, _ error: ExpectedError, _ number: UInt8?) -> Bool {
        switch (code, error) {
        case (.attError(let got), .code), (.pairingFailed(let got), .code), (.encryptionFailed(let got), .code):
            got == number
        case (.pairingFailed(let got), .pairing(let failure)): got == failure.code
        case (.encryptionFailed(0x06), .keyMissing), (.notBonded, .notBonded), (.timedOut, .timeout),
            (.disconnected, .disconnected), (.notConnected, .disconnected):
            true
        default: false
        }
    }
}
