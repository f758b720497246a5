import BLECentral
import BLECentralBlueZ
import BLECore
import DBus
import MonotonicTime
import Testing

/// The states of an attempt to connect, without a bus.
@Suite struct ConnectAttemptTests {
    private typealias Action = ConnectAttempt.Action

    private static let peer = PeerID(DeviceAddress(0x240A_C400_0110, .public))
    private static let connection = ConnectionID(rawValue: 7)
    private static let busy = DBusError(.remote("org.bluez.Error.Failed"), "Operation already in progress")
    private static let failure = CentralError(.timedOut, "connect to \(peer): expected a connection in time, got none")

    /// An attempt with its circumstances and a clock.
    private struct Fixture {
        var attempt: ConnectAttempt
        var situation = ConnectAttempt.Situation()
        var now = MonotonicInstant(nanoseconds: 5_000_000_000)

        init(within timeout: Duration = .seconds(3600)) {
            attempt = ConnectAttempt(to: peer, from: now, until: now.advanced(by: timeout))
        }

        mutating func handle(_ event: ConnectAttempt.Event) -> [Action] { attempt.handle(event, situation, at: now) }

        /// Sleeps until the attempt wants to proceed; the time that this took, and what it then does.
        mutating func wake() throws -> (Duration, [Action]) {
            let start = now
            now = try #require(attempt.wake)
            return (start.duration(to: now), handle(.proceed))
        }

        /// Begins, and calls Connect.
        mutating func call() {
            #expect(handle(.proceed) == [.awaitKernel])
            #expect(handle(.kernelEnded(true)) == [.flush])
            #expect(handle(.flushed) == [.forgetReasons, .connect, .beginRound])
            #expect(attempt.state == .calling)
        }
    }

    @Test func connectIsCalledWhenNothingIsLeftOfTheLastConnection() {
        var fixture = Fixture()
        fixture.call()
        #expect(fixture.handle(.connected(Self.connection)) == [])
        #expect(fixture.handle(.answered(nil)) == [.finish(.success(Self.connection))])
        // It has ended.
        #expect(fixture.attempt.state == .ended && fixture.attempt.wake == nil)
        #expect(fixture.handle(.cancelled(Self.failure)) == [] && fixture.handle(.answered(nil)) == [])
    }

    @Test func aConnectionThatTheKernelKeepsIsAnError() {
        var fixture = Fixture()
        #expect(fixture.handle(.proceed) == [.awaitKernel])
        guard case .finish(.failure(let error))? = fixture.handle(.kernelEnded(false)).first else {
            Issue.record("expected a failure")
            return
        }
        #expect(error.code == .invalidState && error.detail.contains("the kernel keeps the connection"))
    }

    @Test(arguments: [(Duration.seconds(3600), Duration.seconds(2)), (.seconds(4), .seconds(1))])
    func aTurnIsWaitedForNoLongerThanAPartOfTheTime(limit: Duration, turn: Duration) throws {
        var fixture = Fixture(within: limit)
        fixture.situation.areOthersSetUp = true
        #expect(fixture.handle(.proceed) == [] && !fixture.attempt.hasTurn)
        #expect(try fixture.wake() == (turn, [.awaitKernel]))
        #expect(fixture.attempt.hasTurn)
        // Others do not stop it any more.
        #expect(fixture.handle(.kernelEnded(true)) == [.flush])
    }

    @Test func aTurnBeginsWhenOthersAreDone() {
        var fixture = Fixture()
        fixture.situation.areOthersSetUp = true
        #expect(fixture.handle(.proceed) == [])
        // Its own changes do not matter.
        #expect(fixture.handle(.flushed) == [] && fixture.handle(.kernelEnded(true)) == [])
        fixture.situation.areOthersSetUp = false
        #expect(fixture.handle(.proceed) == [.awaitKernel])
    }

    @Test func anotherProgramsConnectionIsUsedWhenItsServicesAreThereAndLeftAloneOtherwise() throws {
        var fixture = Fixture(within: .seconds(8))
        fixture.situation.isConnected = true
        #expect(fixture.handle(.proceed) == [] && fixture.attempt.state == .awaitingLink)
        var other = fixture
        // No Disconnect.
        let (elapsed, actions) = try other.wake()
        guard case .finish(.failure(let error))? = actions.first else {
            Issue.record("expected a failure, got \(actions)")
            return
        }
        #expect(elapsed == .seconds(8) && error.detail.contains("that another program made"))
        fixture.situation.hasResolvedServices = true
        fixture.call()
    }

    /// The link came while the kernel ended the last one.
    @Test func anotherProgramsConnectionIsSeenAlsoAfterTheKernelsWas() {
        var fixture = Fixture()
        #expect(fixture.handle(.proceed) == [.awaitKernel])
        fixture.situation.isConnected = true
        #expect(fixture.handle(.kernelEnded(true)) == [] && fixture.attempt.state == .awaitingLink)
        // That which bluetoothd has made for this central has a channel.
        var own = Fixture()
        own.situation.isConnected = true
        #expect(own.handle(.connected(Self.connection)) == [])
        #expect(own.handle(.proceed) == [.awaitKernel] && own.handle(.kernelEnded(true)) == [.flush])
        // Its reasons are kept.
        #expect(own.handle(.flushed) == [.connect, .beginRound])
    }

    @Test func aBusyBluetoothdIsCalledAgainWithoutAnotherRound() throws {
        var fixture = Fixture()
        fixture.call()
        #expect(fixture.handle(.answered(Self.busy)) == [])
        // Changes of others do not shorten the pause; it keeps its turn.
        fixture.situation.areOthersSetUp = true
        #expect(fixture.handle(.proceed) == [] && fixture.attempt.hasTurn)
        #expect(try fixture.wake() == (.milliseconds(100), [.awaitKernel]))
        #expect(fixture.handle(.kernelEnded(true)) == [.flush])
        #expect(fixture.handle(.flushed) == [.forgetReasons, .connect])
        // Another failure, or no time for a pause, is the end.
        let refusal = DBusError(.remote("org.bluez.Error.Failed"), "le-connection-abort-by-local")
        var late = fixture
        #expect(
            fixture.handle(.answered(refusal))
                == [.finish(.failure(CentralError(refusal, "connect to \(Self.peer)")))])
        late.now = try #require(late.attempt.wake)
        #expect(
            late.handle(.answered(Self.busy)) == [.finish(.failure(CentralError(Self.busy, "connect to \(Self.peer)")))]
        )
    }

    @Test func aBondIsMentionedIfTheConnectionEnds() {
        let refusal = DBusError(.remote("org.bluez.Error.Failed"), "le-connection-abort-by-remote")
        for error in [refusal, nil] {
            var fixture = Fixture()
            fixture.situation.isPaired = true
            fixture.call()
            let actions = fixture.handle(.answered(error))
            guard case .finish(.failure(let failure))? = actions.last else {
                Issue.record("expected a failure, got \(actions)")
                return
            }
            #expect(failure.code == .disconnected(reason: nil))
            #expect(failure.detail.hasSuffix("; there is a bond with it, which it may have lost"))
            // bluetoothd says that it has a connection, and has none: it may connect once more.
            #expect(actions.dropLast() == (error == nil ? [.expectStray] : []))
        }
    }

    /// A Disconnect at once makes bluetoothd close a channel that the kernel is removing.
    @Test func bluetoothdHasTwoSecondsToAnswerAfterTheConnectionHasEnded() throws {
        var fixture = Fixture()
        fixture.call()
        #expect(fixture.handle(.connected(Self.connection)) == [] && fixture.handle(.linkEnded) == [])
        // It does not go on with what others have ended.
        #expect(fixture.handle(.proceed) == [] && fixture.attempt.hasTurn)
        var answered = fixture
        guard case .finish(.failure)? = answered.handle(.answered(Self.busy)).last else {
            Issue.record("expected a failure")
            return
        }
        let (elapsed, actions) = try fixture.wake()
        #expect(elapsed == .seconds(2) && actions == [.disconnect] && !fixture.attempt.hasTurn)
        let ended = fixture.handle(.disconnected)
        guard case .finish(.failure(let error))? = ended.first else {
            Issue.record("expected a failure, got \(ended)")
            return
        }
        #expect(error.detail == "connect to \(Self.peer): the connection ended while it was set up")
    }

    /// bluetoothd connects again by itself, and answers the same call for that connection.
    @Test func aConnectionAfterTheOneThatEndedIsUsed() throws {
        let second = ConnectionID(rawValue: 8)
        var fixture = Fixture()
        fixture.call()
        #expect(fixture.handle(.connected(Self.connection)) == [] && fixture.handle(.linkEnded) == [])
        #expect(fixture.handle(.connected(second)) == [] && fixture.attempt.state == .calling)
        fixture.now = fixture.now.advanced(by: .seconds(3))
        #expect(fixture.handle(.proceed) == [])
        var ended = fixture
        #expect(fixture.handle(.answered(nil)) == [.finish(.success(second))])
        // It may end as the first one did.
        #expect(ended.handle(.linkEnded) == [])
        #expect(try ended.wake() == (.seconds(2), [.disconnect]))
    }

    /// One that bluetoothd made by itself, before it was asked to.
    @Test func anEarlyConnectionThatEndsIsMadeAnew() {
        var fixture = Fixture()
        fixture.situation.areOthersSetUp = true
        #expect(fixture.handle(.proceed) == [])
        #expect(fixture.handle(.connected(Self.connection)) == [] && fixture.handle(.linkEnded) == [])
        fixture.situation.areOthersSetUp = false
        fixture.call()
    }

    @Test func anAttemptThatWasNotCalledDisconnectsNobody() {
        var fixture = Fixture()
        #expect(fixture.handle(.proceed) == [.awaitKernel])
        #expect(fixture.handle(.kernelEnded(true)) == [.flush])
        #expect(fixture.handle(.cancelled(Self.failure)) == [.finish(.failure(Self.failure))])
    }

    @Test func theEndOfACancelledAttemptIsTheAnswerToDisconnect() throws {
        var fixture = Fixture()
        fixture.call()
        let (elapsed, actions) = try fixture.wake()
        // Linux may have forgotten the peer: it begins anew long before bluetoothd gives up.
        #expect(elapsed == .seconds(14) && actions == [.disconnect] && fixture.attempt.wake == nil)
        #expect(fixture.handle(.answered(Self.busy)) == [] && fixture.handle(.proceed) == [])
        #expect(fixture.handle(.cancelled(CentralError(.invalidState, "closed"))) == [])
        #expect(fixture.handle(.disconnected) == [.finish(.failure(Self.failure))])
    }
}
