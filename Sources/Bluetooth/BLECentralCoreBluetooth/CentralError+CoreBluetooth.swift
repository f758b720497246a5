#if canImport(CoreBluetooth)
    package import BLECentral
    package import CoreBluetooth
    import Foundation

    extension CentralError {
        /// Why Bluetooth cannot be used in this state; `nil` when it is on.
        package init?(_ state: CBManagerState) {
            switch state {
            case .poweredOn: return nil
            case .unauthorized:
                let rule =
                    CBManager.authorization == .restricted
                    ? "this Mac's rules forbid it"
                    : "allow this program in System Settings > Privacy & Security > Bluetooth"
                self.init(
                    .unavailable, "Bluetooth: expected the user's permission, got a refusal; \(rule)",
                    absence: .permission)
            case .poweredOff:
                self.init(
                    .unavailable, "Bluetooth: expected it to be on, got off; switch it on in System Settings",
                    absence: .power)
            case .unsupported:
                self.init(
                    .unavailable, "Bluetooth: expected an adapter for Bluetooth Low Energy, got none", absence: .adapter
                )
            case .resetting:
                self.init(
                    .unavailable, "Bluetooth: the connection to the system's service was lost", absence: .service)
            case .unknown: self.init(.unavailable, "Bluetooth: expected its state, got none yet", absence: .service)
            @unknown default:
                self.init(.unavailable, "Bluetooth: expected it to be on, got state \(state.rawValue)")
            }
        }

        /// CoreBluetooth's error of `operation`; with `code` if the error has no specific code.
        init(_ error: (any Error)?, _ operation: String, _ code: Code = .disconnected(reason: nil)) {
            guard let error = error.map({ $0 as NSError }) else {
                self.init(code, "\(operation): the connection ended")
                return
            }
            let text = "\(operation): \(error.localizedDescription) (\(error.domain) \(error.code))"
            self.init(Self.code(error) ?? code, text)
        }

        private static func code(_ error: NSError) -> Code? {
            if error.domain == CBATTErrorDomain { return UInt8(exactly: error.code).map { .attError($0) } }
            guard error.domain == CBErrorDomain else { return nil }
            return switch CBError.Code(rawValue: error.code) {
            case .notConnected: .notConnected
            case .connectionTimeout: .timedOut
            case .peripheralDisconnected: .disconnected(reason: nil)
            // PIN or key missing.
            case .peerRemovedPairingInformation: .encryptionFailed(status: 0x06)
            // LMP or LL response time-out.
            case .encryptionTimedOut: .encryptionFailed(status: 0x22)
            default: nil
            }
        }
    }

    extension CoreBluetoothRequest: CustomStringConvertible {
        /// The operation's name in errors.
        var description: String {
            switch self {
            case .services, .characteristics, .descriptors: "discovery"
            case .read: "read"
            case .write, .roomForWrite: "write"
            case .subscription: "subscribe"
            case .rssi: "read the RSSI"
            }
        }
    }
#endif
