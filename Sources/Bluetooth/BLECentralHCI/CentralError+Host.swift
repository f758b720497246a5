import BLECentral
import BLEHost
internal import BLEPackets

extension CentralError {
    init(_ error: HostError) {
        let code: Code =
            switch error.code {
            case .commandTimedOut: .timedOut
            case .commandRefused(_, let status): .controller(status: status.rawValue)
            case .notConnected: .notConnected
            case .notBonded: .notBonded
            case .unsupportedController, .notReady, .alreadyActive, .tooManyPairings, .notAwaited, .invalidParameters:
                .invalidState
            }
        self.init(code, error.detail)
    }

    init(_ error: GATTClientError) {
        let code: Code =
            switch error.code {
            case .attError(let code): .attError(code.rawValue)
            case .timedOut: .timedOut
            case .protocolViolation: .protocolViolation
            case .disconnected(let reason): .disconnected(reason: reason.rawValue)
            case .bearerClosed, .invalidArgument: .invalidState
            }
        self.init(code, error.detail)
    }
}
