import BLECentral
import BLECentralHCI
import BLECore
import Testing

/// Our central pairs with a Bumble peripheral, by every method.
@Suite(.enabled(if: BumbleScript.isInstalled, "Scripts/test installs Bumble"), .timeLimit(.minutes(10)))
struct PairingInteropTests {
    /// Both sides' configurations, by their names in `pairing.py`.
    enum Method: String, CaseIterable {
        case justWorks = "just-works"
        case peripheralShows = "peripheral-shows"
        case centralShows = "central-shows"
        case compare
        case outOfBand = "oob"
        case legacyJustWorks = "legacy-just-works"
        case legacyPeripheralShows = "legacy-peripheral-shows"
        case legacyCentralShows = "legacy-central-shows"
        case legacyOutOfBand = "legacy-oob"

        var isJustWorks: Bool { self == .justWorks || self == .legacyJustWorks }
        var isLegacy: Bool { rawValue.hasPrefix("legacy") }
        var isAuthenticated: Bool { !isJustWorks }
        var isOutOfBand: Bool { self == .outOfBand || self == .legacyOutOfBand }

        var security: CentralSecurity {
            let capability: IOCapability =
                switch self {
                case .justWorks, .legacyJustWorks, .outOfBand, .legacyOutOfBand: .noInputNoOutput
                case .peripheralShows, .legacyPeripheralShows: .keyboardOnly
                case .centralShows, .legacyCentralShows: .displayOnly
                case .compare: .displayYesNo
                }
            return CentralSecurity(
                ioCapability: capability, mitm: isAuthenticated, secureConnections: isLegacy ? .off : .only,
                hasOutOfBandData: isOutOfBand)
        }
    }

    @Test(arguments: [Method.allCases.prefix(5), Method.allCases.dropFirst(5)])
    func everyPairingMethodWorks(methods: ArraySlice<Method>) async throws {
        try await InteropBench.run { bench in
            let peer = try await LockedPeer(on: bench)
            for (index, method) in methods.enumerated() {
                try await peer.pairAndComeBack(by: method, peripheralAsks: index % 2 == 1)
            }
            try await peer.script.finish()
        }
    }

    @Test func failuresHaveTheirReasons() async throws {
        try await InteropBench.run { bench in
            let peer = try await LockedPeer(on: bench)
            // Displayed by the peer and entered wrongly here, and the reverse.
            let wrong: @Sendable (UInt32) -> UInt32? = { $0 == 0 ? 1 : $0 - 1 }
            for method in [Method.peripheralShows, .legacyPeripheralShows, .centralShows, .legacyCentralShows] {
                #expect(try await peer.failure(of: method, typed: wrong) == .pairingFailed(reason: 0x04))
            }
            // Nothing entered; and equal numbers that one side refuses.
            #expect(try await peer.failure(of: .peripheralShows) { _ in nil } == .pairingFailed(reason: 0x01))
            #expect(try await peer.failure(of: .compare) { _ in nil } == .pairingFailed(reason: 0x0C))
            // Bumble's reason.
            #expect(try await peer.failure(of: .compare, typed: wrong) == .pairingFailed(reason: 0x04))
            // A key shorter than the accepted minimum.
            let short = try await peer.failure(of: .justWorks, orders: ["key-size 7"], keySizes: 16...16)
            #expect(short == .pairingFailed(reason: 0x06))

            // A key that the peripheral has lost.
            var connection = try await peer.connect(.justWorks, orders: ["method just-works"])
            _ = try await peer.pair(.justWorks, connection)
            try await peer.leave(connection)
            peer.script.send("forget")
            connection = try await peer.connect(.justWorks)
            let lost = await #expect(throws: CentralError.self) { try await peer.central.encrypt(connection) }
            #expect(lost?.code == .encryptionFailed(status: 0x06))
            try await peer.leave(connection)
            try await peer.script.finish()
        }
    }

    @Test func privateAddressesWork() async throws {
        try await InteropBench.run { bench in
            let peer = try await LockedPeer(on: bench, isPrivate: true)
            for method in [Method.justWorks, .legacyPeripheralShows] {
                try await peer.pairAndComeBack(by: method, peripheralAsks: false)
            }
            try await peer.script.finish()
        }
    }
}
