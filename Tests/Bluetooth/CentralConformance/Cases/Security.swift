import BLECentral
import BLECore

extension Conformance {
    static let securityCases = [
        Case("a passkey pairs, encrypts and bonds", needs: [.pairing, .pairingControl]) { suite in
            suite.recorder.setPasskey(ConformancePeer.passkey)
            try await suite.connected { link in
                try await suite.pair(link)
                let value = try await suite.central.read(
                    link.attribute(ConformancePeer.protected), on: link.connection)
                try suite.expect(value == [42], "the protected value 42, got \(value)")
                let asked = suite.recorder.all.contains { event in
                    if case .pairingInput(link.connection, .enterPasskey) = event { true } else { false }
                }
                try suite.expect(asked, "a request for the passkey")
            }
        },
        Case(
            "a read that needs a key is refused, or lets the stack pair by itself", needs: [.pairing, .pairingControl]
        ) { suite in
            suite.recorder.setPasskey(ConformancePeer.passkey)
            try await suite.connected { link in
                let protected = try link.attribute(ConformancePeer.protected)
                guard suite.central.abilities.contains(.attErrors) else {
                    let value = try await suite.central.read(protected, on: link.connection)
                    try suite.expect(value == [42], "the protected value 42, got \(value)")
                    // The link is encrypted, and the read repeated, before the keys of the bond have come.
                    try await suite.expect("an encrypted link with a bond") { event in
                        if case .securityChanged(link.connection, let security) = event {
                            security.isBonded && security.isEncrypted
                        } else {
                            false
                        }
                    }
                    return
                }
                let error = try await suite.failure("the read") {
                    try await suite.central.read(protected, on: link.connection)
                }
                try suite.expect(error.code == .attError(0x05), "ATT error 0x05, got \(error.code)")
            }
        },
        Case("a wrong passkey fails the pairing; the right one succeeds after it", needs: [.pairing, .pairingControl]) {
            suite in
            suite.recorder.setPasskey(654_321)
            try await suite.connected { link in
                let error = try await suite.failure("the pairing") {
                    try await suite.central.pair(link.connection)
                }
                guard case .pairingFailed = error.code else {
                    throw ConformanceFailure("expected pairingFailed, got \(error.code): \(error)")
                }
            }
            suite.recorder.setPasskey(ConformancePeer.passkey)
            try await suite.sleep(ConformancePeer.pairingPause)
            try await suite.connected { try await suite.pair($0) }
        },
        Case("a pairing that is refused fails", needs: [.pairing, .pairingControl]) { suite in
            try await suite.connected { link in
                async let outcome = suite.central.pair(link.connection)
                try await suite.expect("a request for the passkey") { event in
                    if case .pairingInput(link.connection, .enterPasskey) = event { true } else { false }
                }
                try await suite.central.answerPairing(.cancel, on: link.connection)
                do {
                    let security = try await outcome
                    throw ConformanceFailure("expected the pairing to fail, got \(security)")
                } catch let error as CentralError {
                    guard case .pairingFailed = error.code else {
                        throw ConformanceFailure("expected pairingFailed, got \(error.code): \(error)")
                    }
                }
            }
            try await suite.sleep(ConformancePeer.pairingPause)
        },
        Case("a bond encrypts the next connection without a question", needs: [.pairing, .pairingControl]) { suite in
            suite.recorder.setPasskey(ConformancePeer.passkey)
            try await suite.connected { try await suite.pair($0) }
            suite.recorder.setPasskey(nil)
            try await suite.connected { link in
                if suite.central.abilities.contains(.encryption) {
                    _ = try await suite.central.encrypt(link.connection)
                }
                let value = try await suite.central.read(
                    link.attribute(ConformancePeer.protected), on: link.connection)
                try suite.expect(value == [42], "the protected value 42, got \(value)")
            }
        },
        Case(
            "a bonded peer that notifies at once is heard when its connection is accepted",
            needs: [.earlyNotifications, .encryption, .pairing, .pairingControl]
        ) { suite in
            suite.recorder.setPasskey(ConformancePeer.passkey)
            let early = try await suite.subscribedToEarly()
            let peer = PeerID(ConformancePeer.addresses[0])
            let connection = try await suite.central.connect(to: peer, within: suite.patience)
            _ = try await suite.central.encrypt(connection)
            try await suite.sleep(.seconds(1))
            let values = suite.recorder.values(of: early, on: connection)
            try suite.expect(values.isEmpty, "no notification of a connection that is not accepted, got \(values)")
            suite.central.events.accept(connection)
            try await suite.expect("the notification") { event in
                event == .notification(connection, early, value: [0xEA], isIndication: false)
            }
            try await suite.central.disconnect(connection)
        },
        Case("bonds are listed and forgotten", needs: [.pairing, .pairingControl, .bondList]) { suite in
            suite.recorder.setPasskey(ConformancePeer.passkey)
            try await suite.connected { try await suite.pair($0) }
            let bonds = try await suite.central.bonds().map(\.identity)
            try suite.expect(bonds == [ConformancePeer.addresses[0]], "the peer's bond, got \(bonds)")
            try await suite.central.forget(ConformancePeer.addresses[0])
            let rest = try await suite.central.bonds()
            try suite.expect(rest.isEmpty, "no bond, got \(rest)")
        },
        Case("a bond that the peer has lost fails the protected read", needs: [.pairing, .pairingControl]) { suite in
            suite.recorder.setPasskey(ConformancePeer.passkey)
            try await suite.connected { link in
                try await suite.pair(link)
                try await suite.write(ConformancePeer.Trigger.forget, link)
            }
            suite.recorder.setPasskey(nil)
            do {
                try await suite.connected { link in
                    if suite.central.abilities.contains(.encryption) {
                        _ = try await suite.central.encrypt(link.connection)
                    }
                    let value = try await suite.central.read(
                        link.attribute(ConformancePeer.protected), on: link.connection)
                    throw ConformanceFailure("expected the read to fail, got \(value)")
                }
            } catch let error as CentralError {
                switch error.code {
                case .encryptionFailed, .disconnected, .notConnected, .attError(0x05), .attError(0x0F): break
                default: throw ConformanceFailure("expected the encryption to fail, got \(error.code): \(error)")
                }
            }
        },
    ]

    /// Pairs with the first peer and subscribes to what it notifies as soon as a link is encrypted; returns that.
    private func subscribedToEarly() async throws -> AttributeID {
        let link = try await connect()
        try await pair(link)
        let early = try link.attribute(ConformancePeer.early)
        try await central.setSubscription(.notifications, of: early, on: link.connection)
        try await central.disconnect(link.connection)
        return early
    }

    /// Pairs by passkey, and checks what it achieved.
    func pair(_ link: Link) async throws {
        let security = try await central.pair(link.connection)
        try expect(
            security.isEncrypted && security.isAuthenticated && security.isBonded,
            "an encrypted and authenticated link, and a bond, got \(security)")
    }
}
