import BLECentral
import BLEClients
import BLECore
import Testing

/// What a restoring central keeps.
@Suite struct RestorationStateTests {
    private let peer = PeerID(DeviceAddress(1, .public))
    private let path = CharacteristicPath(service: BLEUUID(0xFF00), characteristic: BLEUUID(0xFF03))

    @Test func theEndOfAnOperationMayBeLate() {
        var state = RestorationState()
        #expect(state.apply(.began(1, peer, CentralOperation(.read, path))) == .none)
        #expect(state.apply(.connected(peer, name: "One")) == .now)
        #expect(state.apply(.began(1, peer, CentralOperation(.read, path))) == .now)
        #expect(state.apply(.began(2, peer, CentralOperation(.read, path))) == .now)
        #expect(state.apply(.ended(1)) == .soon)
        #expect(state.peripherals[0].unfinished == [CentralOperation(.read, path)])
        #expect(state.apply(.ended(1)) == .none)
        #expect(state.apply(.ended(2)) == .soon)
        #expect(state.peripherals[0].unfinished.isEmpty && state.peripherals[0].name == "One")
        // Nobody waits for a command, and no attribute has a longer value.
        #expect(state.apply(.began(3, peer, CentralOperation(.write([1], .withoutResponse), path))) == .none)
        let long = [UInt8](repeating: 0, count: 513)
        #expect(state.apply(.began(4, peer, CentralOperation(.write(long, .withResponse), path))) == .none)
    }

    @Test func aConnectionForgetsTheOperationsOfTheLastOne() {
        var kept = RestorablePeripheral(peer, name: "One")
        kept.unfinished = [CentralOperation(.read, path)]
        kept.subscriptions = [.init(path, .notifications)]
        var state = RestorationState([kept])
        #expect(state.apply(.connected(peer, name: nil)) == .now)
        kept.unfinished = []
        #expect(state.peripherals == [kept])
        #expect(state.apply(.subscribed(peer, path, .notifications)) == .none)
        #expect(state.apply(.subscribed(peer, path, .indications)) == .now)
        #expect(state.apply(.subscribed(peer, path, .none)) == .now)
        #expect(state.peripherals[0].subscriptions.isEmpty)
        #expect(state.apply(.disconnected(peer)) == .now)
        #expect(state.peripherals.isEmpty && state.apply(.disconnected(peer)) == .none)
    }

    @Test func aPeerIsKnownByItsIdentityToo() {
        let identity = PeerID(DeviceAddress(2, .public))
        var state = RestorationState([RestorablePeripheral(identity)])
        #expect(state.apply(.connected(peer, name: nil)) == .now)
        #expect(state.identify(peer, peer) == .none)
        #expect(state.identify(peer, identity) == .now)
        #expect(state.peripherals == [RestorablePeripheral(peer, identity: identity)])
        #expect(state.identify(peer, identity) == .none)
        let next = PeerID(DeviceAddress(3, .random))
        #expect(state.apply(.connected(identity, name: nil)) == .now)
        #expect(state.identify(next, identity) == .none)
    }

    @Test func aStackThatHadToHearThePeerIsNamed() {
        let late = CentralError(
            .timedOut, "connect to 24:0A: expected an advertisement of it in time, BlueZ received none")
        #expect(late.explained(Set(CentralAbility.allCases)) == late)
        #expect(
            late.explained([]).detail.hasSuffix(
                "BlueZ received none; this stack has to hear a peer first, and forgets those that are not bonded"))
        let other = CentralError(.unavailable, "the adapter is gone")
        #expect(other.explained([]) == other)
    }

    @Test func itIsBounded() throws {
        var state = RestorationState()
        let value = [UInt8](repeating: 0xFF, count: 512)
        let name = String(repeating: "\u{1}", count: 255)
        for number in 0..<200 {
            let peer = PeerID(DeviceAddress(UInt64(number), .public))
            _ = state.apply(.connected(peer, name: name))
            for index in 0..<200 {
                let path = CharacteristicPath(
                    service: BLEUUID(literal: "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"), serviceIndex: index,
                    characteristic: BLEUUID(literal: "C1AB2C55-7914-4140-B85B-879C5E252FE5"), index: index)
                _ = state.apply(.subscribed(peer, path, .notifications))
                _ = state.apply(.began(index, peer, CentralOperation(.write(value, .withResponse), path)))
            }
        }
        #expect(state.peripherals.count == RestorationState.peripheralLimit)
        #expect(state.peripherals.last?.subscriptions.count == RestorationState.entryLimit)
        #expect(state.peripherals.last?.unfinished.count == RestorationState.entryLimit)
        #expect(state.peripherals.last?.subscriptions.last?.path.index == 199)
        // What is kept can be read again.
        let bytes = RestorationText.bytes(of: state.peripherals)
        #expect(bytes.count < 16 << 20)
        #expect(try RestorationText.peripherals(in: bytes, path: "f") == state.peripherals)
    }
}
