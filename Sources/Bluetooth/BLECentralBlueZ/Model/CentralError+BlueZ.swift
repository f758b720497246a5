internal import ByteCodec
package import BLECentral
package import DBus

extension CentralError {
    /// The error of an operation, e.g. "read 0x0021", that BlueZ refused or did not answer. The detail contains BlueZ's
    /// error name and message.
    ///
    /// - Parameter elapsed: how long the operation took.
    package init(_ error: DBusError, _ operation: String, after elapsed: Duration = .zero) {
        if Self.isTransactionTimeout(error, after: elapsed) {
            self.init(
                .timedOut,
                "\(operation): expected the peer to answer within 30 s, it did not (\(error), as bluetoothd reports it)"
            )
            return
        }
        let code: Code =
            switch error.code {
            case .remote(let name): Self.code(name, error.detail)
            case .timedOut: .timedOut
            case .protocolViolation: .protocolViolation
            case .invalidMessage: .invalidState
            case .invalidAddress, .unreachable, .accessDenied, .disconnected: .unavailable
            }
        self.init(
            code, "\(operation): \(error)\(Self.remark(code, error))",
            absence: code == .unavailable ? error.absence : nil)
    }

    /// True if bluetoothd has ended an ATT transaction after 30 s (Core 5.4, Vol 3 Part F 3.3.3). bluetoothd reports
    /// this as Unlikely Error of the peer, but a peer cannot answer so late.
    private static func isTransactionTimeout(_ error: DBusError, after elapsed: Duration) -> Bool {
        guard case .remote(let name) = error.code else { return false }
        return elapsed >= .seconds(29) && attCode(name, error.detail) == 0x0E
    }

    private static func code(_ name: String, _ message: String) -> Code {
        if let code = attCode(name, message) { return .attError(code) }
        switch name {
        case BlueZ.Fault.notReady, BlueZ.Fault.blocked, "org.freedesktop.DBus.Error.ServiceUnknown",
            "org.freedesktop.DBus.Error.NameHasNoOwner", "org.freedesktop.DBus.Error.AccessDenied",
            "org.freedesktop.DBus.Error.Spawn.ServiceNotFound":
            return .unavailable
        case "org.freedesktop.DBus.Error.NoReply", BlueZ.Fault.notConnected: return .disconnected(reason: nil)
        case "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownMethod",
            BlueZ.Fault.doesNotExist:
            return .notConnected
        case BlueZ.Fault.failed where message == "Not connected": return .disconnected(reason: nil)
        case BlueZ.Fault.failed where endedEarly(message), BlueZ.Fault.connectionAttemptFailed:
            // "Connection Failed to be Established": BlueZ gives no status of the controller.
            return .disconnected(reason: nil)
        case BlueZ.Fault.authenticationTimeout: return .timedOut
        // BlueZ hides the Security Manager's reason: Unspecified Reason, and Passkey Entry Failed when cancelled.
        case BlueZ.Fault.authenticationFailed, BlueZ.Fault.authenticationRejected: return .pairingFailed(reason: 0x08)
        case BlueZ.Fault.authenticationCanceled: return .pairingFailed(reason: 0x01)
        default: return .invalidState
        }
    }

    /// True if Connect has failed because the connection ended during its setup: BlueZ's `ERR_LE_CONN_ABORT_BY_…`, or,
    /// for a connection that it has already reported, `ERR_BREDR_CONN_CANCELED`, even for LE.
    private static func endedEarly(_ message: String) -> Bool {
        message.hasPrefix("le-connection-abort") || message == "br-connection-canceled"
    }

    /// The ATT error code behind an error of BlueZ, where it can be known.
    package static func attCode(_ name: String, _ message: String) -> UInt8? {
        switch (name, message) {
        case (BlueZ.Fault.notPermitted, "Read not permitted"): return 0x02
        case (BlueZ.Fault.notPermitted, "Write not permitted"): return 0x03
        // The code may also be 0x0C or 0x0F: BlueZ has one message for the three.
        case (BlueZ.Fault.notPermitted, "Not paired"): return 0x05
        case (BlueZ.Fault.notSupported, _): return 0x06
        case (BlueZ.Fault.invalidArguments, "Invalid offset"): return 0x07
        case (BlueZ.Fault.notAuthorized, _): return 0x08
        case (BlueZ.Fault.invalidArguments, "Invalid Length"): return 0x0D
        case (BlueZ.Fault.failed, _):
            guard let digits = message.split(separator: "ATT error: 0x").dropFirst().last else { return nil }
            return UInt8(digits.prefix { $0.isHexDigit }, radix: 16)
        default: return nil
        }
    }

    /// A remark on cases that BlueZ's error does not distinguish.
    private static func remark(_ code: Code, _ error: DBusError) -> String {
        switch code {
        case .attError(0x05) where error.name == BlueZ.Fault.notPermitted: " (ATT error 0x05, 0x0C or 0x0F)"
        case .attError(let code): " (ATT error \(Hexadecimal.number(code, digits: 2)))"
        case .pairingFailed: " (BlueZ does not report the Security Manager's reason)"
        case .invalidState where error.name == BlueZ.Fault.notPermitted && error.detail == "Notify acquired":
            " (another program has subscribed; or a subscription failed when its connection ended, and bluetoothd keeps it "
                + "until it is started again, as it does before 5.84)"
        default: ""
        }
    }
}
