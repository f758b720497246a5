import BLECentral
import BLECore
import BLEPackets
import Bench

/// Why a pairing fails, in the words of the specification (Core 5.4, Vol 3 Part H 3.5.5).
package enum PairingFailure: String, Hashable, Sendable, CaseIterable {
    /// 0x01
    case passkeyEntryFailed = "passkey entry failed"
    /// 0x02
    case outOfBandNotAvailable = "OOB not available"
    /// 0x03
    case authenticationRequirements = "authentication requirements"
    /// 0x04
    case confirmValueFailed = "confirm value failed"
    /// 0x05
    case pairingNotSupported = "pairing not supported"
    /// 0x06
    case encryptionKeySize = "encryption key size"
    /// 0x07
    case commandNotSupported = "command not supported"
    /// 0x08
    case unspecifiedReason = "unspecified reason"
    /// 0x09
    case repeatedAttempts = "repeated attempts"
    /// 0x0A
    case invalidParameters = "invalid parameters"
    /// 0x0B
    case keyCheckFailed = "DHKey check failed"
    /// 0x0C
    case numericComparisonFailed = "numeric comparison failed"

    /// The number of the reason.
    package var code: UInt8 {
        UInt8(1 + (Self.allCases.firstIndex(of: self) ?? 0))
    }
}

extension StepRun {
    /// Compares how a pairing or an encryption ended with how it should.
    func checkSecurity(
        _ outcome: OperationOutcome<LinkSecurity>, _ error: ExpectedError?
    ) throws(BenchFailure) {
        try check(outcome, error) { number in
            if case .failure(let error) = outcome.result, case .encryptionFailed = error.code {
                return "HCI error \(HCIErrorCode(rawValue: number))"
            }
            return "\(SMPFailureReason(rawValue: number))"
        }
    }
}
