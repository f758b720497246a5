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

    /// A stranger whose Identity Address Information has the address of a bonded peer: with an identity of its own it gets
    /// a bond of its own, and with a private address none in place of the authenticated one.
    @Test func aClaimedIdentityDoesNotReplaceABond() async throws {
        let owner = DeviceAddress(0xF0F0_F0F0_F021, .random)
        let stranger = DeviceAddress(0xC1C1_C1C1_C1C1, .random)
        try await InteropBench.run { bench in
            let peer = try await LockedPeer(on: bench)
            var connection = try await peer.connect(.peripheralShows, orders: ["method peripheral-shows"])
            _ = try await peer.pair(.peripheralShows, connection)
            try await peer.leave(connection)
            let bond = try await peer.central.bonds()
            #expect(bond.map(\.identity) == [owner] && bond.map(\.isAuthenticated) == [true])

            for (address, isPrivate) in [("C1:C1:C1:C1:C1:C1", false), ("41:C1:C1:C1:C1:C1", true)] {
                for order in ["forget", "become \(address)"] {
                    peer.script.send(order)
                    try await peer.script.wait(for: "ready")
                }
                connection = try await peer.connect(.justWorks, orders: ["method just-works"])
                if isPrivate {
                    let error = await #expect(throws: CentralError.self) {
                        try await peer.pair(.justWorks, connection)
                    }
                    #expect(error?.code == .pairingFailed(reason: 0x03))
                    #expect(error?.detail.contains("the peer claims to be \(owner)") == true)
                } else {
                    #expect(try await peer.pair(.justWorks, connection).isBonded)
                }
                try await peer.leave(connection)
                let bonds = try await peer.central.bonds()
                #expect(bonds.first == bond.first && bonds.map(\.identity) == [owner, stranger])
            }
            try await peer.central.forget(stranger)
            #expect(try await peer.central.bonds() == bond)
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
