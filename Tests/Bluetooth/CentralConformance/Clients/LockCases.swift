import BLECentral
import BLEClients
import BLECore
import BenchExecutor
import MonotonicTime
import Synchronization

extension ClientConformance {
    static let lockCases = [
        Case("the lock refuses a stranger's command, which pairs; its owner is not asked again") { suite in
            try await suite.lock([ConformancePeer.passkey]) { lock in
                try await lock.expect(.done(.unlock), after: .unlock)
                try await lock.expect(.done(.lock), after: .lock)
                await lock.client.disconnect()
                try await lock.connect()
                let bolt = await lock.client.state.bolt
                try suite.expect(bolt == .locked, "the owner to see the bolt at once, got \(bolt)")
                try await lock.expect(.done(.unlock), after: .unlock)
                try suite.expect(lock.user.askedCount == 1, "one question, got \(lock.user.askedCount)")
            }
        },
        Case("a lock that has lost its bond is an error, and opens after it was forgotten here") { suite in
            try await suite.lock([ConformancePeer.passkey, ConformancePeer.passkey], .never) { lock in
                try await lock.expect(.done(.unlock), after: .unlock)
                try await suite.conduct(.forgetful, ClientPeers.lock)
                await lock.client.disconnect()
                await lock.client.connect()
                let link = try await lock.wait("an error") {
                    if case .failed = $0.link { true } else { $0.link == .connected }
                }.link
                guard case .failed(let why) = link, why.contains("bond") || why.contains("key") else {
                    throw ConformanceFailure("expected an error that names the bond, got \(link)")
                }
                try await suite.central.backend.forget(ClientPeers.lock)
                try await lock.connect()
                try await lock.expect(.done(.lock), after: .lock)
            }
        },
        Case("a lock that is switched off in the middle of a command is told, and connected again") { suite in
            try await suite.lock([ConformancePeer.passkey]) { lock in
                try await lock.expect(.done(.unlock), after: .unlock)
                try await suite.conduct(.vanishing, ClientPeers.lock)
                try await lock.expectFailure(of: .lock)
                let outcome = await lock.client.state.outcome
                try suite.expect(
                    outcome == .failed(.lock, "the connection ended"), "the end of the connection, got \(outcome)")
                try await lock.connect()
                try await lock.expect(.done(.lock), after: .lock)
            }
        },
        // The lock makes strangers wait after those.
        Case("a wrong passkey is told and does not unlock; the next command asks again") { suite in
            try await suite.lock([1, ConformancePeer.passkey]) { lock in
                let why = try await lock.expectFailure(of: .unlock)
                // It is the pairing that failed, and that is said.
                try suite.expect(
                    !why.contains("the bolt has not moved") && why != "the connection ended",
                    "a failed pairing to be told, got \(why)")
                if suite.central.abilities.contains(.pairingFailureReason) {
                    try suite.expect(why.contains("0x04"), "the reason 0x04 of the pairing, got \(why)")
                }
                try suite.expect(lock.user.askedCount == 1, "one question, got \(lock.user.askedCount)")
                let bolt = await lock.client.state.bolt
                try suite.expect(bolt == .unknown, "no news of the bolt, got \(bolt)")
                try await suite.sleep(ConformancePeer.pairingPause)
                try await lock.connect()
                try await lock.expect(.done(.unlock), after: .unlock)
            }
        },
        Case("a user who refuses to pair with the lock is told so, once") { suite in
            try await suite.lock([]) { lock in
                // With a bond that another case has left, it opens without a question. Not every stack tells.
                let security = try? await suite.central.peripheral(PeerID(ClientPeers.lock)).security
                try suite.expect(security?.isBonded != true, "no bond at the beginning, there is one")
                try await lock.expectFailure(of: .unlock)
                try suite.expect(lock.user.askedCount == 1, "one question, got \(lock.user.askedCount)")
            }
        },
    ]

    /// - Parameter passkeys: what the user enters, one after the other; then nothing.
    private func lock(
        _ passkeys: [UInt32], _ policy: ReconnectionPolicy = ReconnectionPolicy(tries: 5, timeout: .seconds(10)),
        _ body: @Sendable (Lock) async throws -> Void
    ) async throws {
        let user = LockUser(passkeys)
        let lock = Lock(suite: self, client: LockClient(central, policy: policy) { user.answer($0) }, user: user)
        do {
            try await lock.connect()
            try await body(lock)
        } catch {
            await lock.client.disconnect()
            throw error
        }
        await lock.client.disconnect()
    }
}

/// Who holds the passkeys.
private final class LockUser: Sendable {
    private let state: Mutex<(passkeys: [UInt32], askedCount: Int)>

    init(_ passkeys: [UInt32]) { state = Mutex((passkeys, 0)) }

    var askedCount: Int { state.withLock { $0.askedCount } }

    func answer(_ input: PairingInput) -> PairingAnswer {
        state.withLock { state in
            state.askedCount += 1
            return state.passkeys.isEmpty ? .cancel : .passkey(state.passkeys.removeFirst())
        }
    }
}

/// A lock's client, and its user.
private struct Lock: Sendable {
    let suite: ClientConformance
    let client: LockClient
    let user: LockUser

    /// Connects, or waits until it is connected again.
    func connect() async throws {
        await client.connect()
        _ = try await wait("the connection") { $0.link == .connected }
    }

    func expect(_ outcome: LockModel.Outcome, after command: LockCommand) async throws {
        let end = try await perform(command)
        try suite.expect(end.outcome == outcome, "\(outcome), got \(end.outcome)")
    }

    /// Gives a command that must fail; returns why it did.
    @discardableResult
    func expectFailure(of command: LockCommand) async throws -> String {
        let end = try await perform(command)
        guard case .failed(command, let why) = end.outcome else {
            throw ConformanceFailure(
                "expected \(command) to fail, got \(end.outcome) after \(user.askedCount) questions: \(end.log)")
        }
        return why
    }

    private func perform(_ command: LockCommand) async throws -> LockModel {
        await client.perform(command)
        return try await wait("the end of \(command)") { !$0.isBusy && $0.outcome != .none }
    }

    /// The first state that is wanted: the present one, or a later one.
    func wait(_ what: String, where isWanted: @escaping @Sendable (LockModel) -> Bool) async throws -> LockModel {
        try await suite.first(what, of: await client.states(), where: isWanted)
    }
}
