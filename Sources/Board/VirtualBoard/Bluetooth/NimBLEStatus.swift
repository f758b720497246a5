import BLEHost
import BLEPackets

/// NimBLE's return codes (`BLE_HS_E…` and its bases for other layers' codes).
enum NimBLEStatus {
    static let alreadyDone: Int32 = 2
    static let invalidArguments: Int32 = 3
    static let noEntry: Int32 = 5
    static let noMemory: Int32 = 6
    static let notConnected: Int32 = 7
    static let notSupported: Int32 = 8
    static let badData: Int32 = 10
    static let controller: Int32 = 12
    static let timedOut: Int32 = 13
    static let disabled: Int32 = 30
    private static let controllerBase: Int32 = 0x200
    private static let securityBase: Int32 = 0x400
    private static let peerSecurityBase: Int32 = 0x500

    static func code(of reason: UInt8) -> Int32 { controllerBase + Int32(reason) }

    /// The return code of an ended pairing or encryption.
    static func code(of status: SecurityStatus) -> Int32 {
        switch status {
        case .success: 0
        case .failed(let reason): securityBase + Int32(reason.rawValue)
        case .failedByPeer(let reason): peerSecurityBase + Int32(reason.rawValue)
        case .weakerThanBond: securityBase + Int32(SMPFailureReason.authenticationRequirements.rawValue)
        case .controller(let code): controllerBase + Int32(code.rawValue)
        case .malformedPDU: badData
        case .timedOut: timedOut
        case .disconnected: notConnected
        }
    }
}
