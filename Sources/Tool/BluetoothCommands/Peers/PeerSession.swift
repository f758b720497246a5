internal import BenchExecutor
internal import BLECentral
internal import BLEClients
internal import BLECore
internal import ByteCodec
import BenchModel
import CommandSupport
internal import SourceText
import Synchronization

/// A central for the duration of a command on one peer: finds the peer, connects, answers pairings, and explains
/// failures.
final class PeerSession: Sendable {
    /// The maximum number of advertisements or values that wait for the command, e.g. because its output is slow.
    static let bufferSize = 50_000

    let central: Central
    private let prompt: PairingPrompt
    private let restoring = Mutex<RestoringCentral?>(nil)
    private let last = Mutex<(peer: PeerID, connection: ConnectionID)?>(nil)
    /// The peer as people know it, and the step of the command, for messages about a lost connection.
    private let progress = Mutex<(peer: String, step: String)>(("", ""))
    /// The time limit for an answer of the peer.
    private let limit: Duration

    private init(_ central: Central, _ prompt: PairingPrompt, limit: Duration) {
        self.central = central
        self.prompt = prompt
        self.limit = limit
    }

    /// Runs a command with a central that is powered on, and ends the connection, also at Ctrl-C.
    ///
    /// - Parameters:
    ///   - peer: the options with which pairings are answered; `nil` if the command does not connect.
    ///   - keepsBonds: whether new bonds are kept in a system's stack that stores bonds itself.
    ///   - log: the log of a long-running command.
    ///   - endsQuietly: whether Ctrl-C is the usual end of the command, not a failure.
    static func run(
        _ options: CentralOption, peer: PeerOptions? = nil, keepsBonds: Bool = false,
        log: (options: LogOptions, command: String)? = nil, endsQuietly: Bool = false, _ environment: Environment,
        _ output: Output, _ body: @escaping @Sendable (PeerSession) async throws -> Void
    ) throws {
        let interruption = Interruption()
        try ClientSession.run(
            options, keepsBonds: keepsBonds, log: log, endsQuietly: endsQuietly, closesAtRequest: true,
            interruption: interruption, environment, output
        ) { central in
            let session = PeerSession(
                central, PairingPrompt(peer, environment, output), limit: peer?.timeout ?? Central.connectTimeout)
            await central.addObserver { [weak session] in session?.observe($0) }
            do {
                try await body(session)
            } catch {
                let cause = await session.cause(of: error)
                // As after a crash, the next command continues after a lost connection, or without an adapter.
                let isLost = [.linkFailed, .noPeer, .noCentral].contains(CommandFailure(cause, .benchFault).status)
                await session.endKeeping(forgets: interruption.reason == nil ? !isLost : interruption.isByCtrlC)
                throw cause
            }
            await session.endKeeping(forgets: interruption.reason == nil ? !output.isDataLost : interruption.isByCtrlC)
            // The connections end with the central.
            if interruption.reason != nil { return }
            // A stack that cannot disconnect reports an error.
            for peripheral in await central.connectedPeripherals { try await peripheral.disconnect() }
        }
    }

    private func observe(_ observation: CentralObservation) {
        switch observation {
        case .connected(let peer, let connection, _): last.withLock { $0 = (peer, connection) }
        case .event(.pairingInput(_, let input)):
            guard let peer = last.withLock({ $0?.peer }) else { return }
            Task(executorPreference: central.executor) { [central, prompt] in
                let answer = await prompt.answer(input)
                // The pairing may have ended meanwhile; its own error reports that.
                try? await central.peripheral(peer).answerPairing(answer)
            }
        case .event(.passkeyDisplayed(_, let passkey)): prompt.show(passkey)
        default: break
        }
    }

    /// Throws if items were dropped after the first `count`; `what` names the items in the plural.
    func checkNothingDropped(_ what: String, after count: Int = 0) async throws(CommandFailure) {
        let dropped = await central.droppedCount - count
        guard dropped > 0 else { return }
        throw CommandFailure(
            .benchFault, "\(dropped) \(what) were dropped: they came faster than the output takes them",
            code: "central.dropped")
    }

    // MARK: Steps

    /// Runs a step of the command that waits for the peer, at most `--timeout`, or `times` as long, and longer while a
    /// user answers the questions of a pairing; a failure names the peer and the step, such as "reading 2A19 Battery
    /// Level".
    func step<Value: Sendable>(
        _ text: String, times: Int = 1, _ body: @escaping @Sendable () async throws(CentralError) -> Value
    ) async throws -> Value {
        begin(text)
        do throws(CentralError) {
            return try await central.timed(limit * times, "", pausing: { [prompt] in prompt.isWaiting }, body)
        } catch {
            guard error.code == .timedOut else { throw error }
            let peer = progress.withLock(\.peer)
            throw CommandFailure(
                .linkFailed, "\(peer) has not answered within \((limit * times).brief), \(text)",
                code: "central.timedOut")
        }
    }

    /// Begins a step without a time limit.
    func begin(_ text: String) {
        prompt.beginStep()
        progress.withLock { $0.step = text }
    }

    /// Discovers the services of the peer.
    func services(of peripheral: Peripheral) async throws -> [DiscoveredService] {
        try await step("discovering its services", times: 3) { () async throws(CentralError) in
            try await peripheral.services().map(\.discovered)
        }
    }

    /// Reads an attribute.
    func read(_ place: FoundAttribute, from peripheral: Peripheral) async throws -> [UInt8] {
        try await step("reading \(place.title)") { () async throws(CentralError) in
            try await peripheral.central.read(place.attribute, place.uuid, of: peripheral.id, within: nil)
        }
    }

    /// Writes an attribute; `withResponse`: `nil` uses the type of write that the characteristic supports.
    func write(
        _ value: WrittenValue, to place: FoundAttribute, of peripheral: Peripheral, withResponse: Bool? = nil
    ) async throws {
        let properties = place.characteristic.properties
        let isCommand =
            withResponse.map { !$0 }
            ?? (place.descriptor == nil && !properties.contains(.write) && properties.contains(.writeWithoutResponse))
        do {
            try await step("writing \(place.title)") { () async throws(CentralError) in
                try await peripheral.central.write(
                    value.bytes, isCommand ? .withoutResponse : .withResponse, to: place.attribute, place.uuid,
                    of: peripheral.id, within: nil)
            }
        } catch let error as CentralError {
            // A value that fits into every MTU was not refused because of its length.
            guard isCommand, error.code == .invalidState, value.bytes.count > 20 else { throw error }
            throw CommandFailure(.usage, error.detail, code: "central.longCommand")
        }
    }

    // MARK: Connecting

    /// Scans until `peer` is heard.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noPeer` when the peer was not heard within `time`.
    private func find(_ peer: PeerSelector, within time: Duration) async throws -> Advertisement {
        var search = PeerSearch(peer)
        // No filter by name or service, since a suggestion needs the other peers.
        let sightings = try await central.sightings(ScanFilter(), for: time, keeping: Self.bufferSize)
        for try await advertisement in sightings where search.receive(advertisement) { break }
        try Task.checkCancellation()
        try await central.stopSearching()
        return try search.result(after: time)
    }

    /// Finds the peer that a user names, connects, offers the largest MTU, and, if `encrypts` is true and there is a
    /// bond, encrypts. With `refusesBonded` a bond is an error.
    func connect(
        to name: String, within time: Duration, encrypts: Bool = true, refusesBonded: Bool = false
    ) async throws -> (Peripheral, Advertisement) {
        let selector = try PeerSelector(name, hidesAddresses: !central.abilities.contains(.address))
        let found = try await find(selector, within: time)
        let identity = found.identity ?? found.address
        let isBonded =
            central.abilities.contains(.bondList) && (encrypts || refusesBonded)
            ? try await central.bonds().contains { $0.identity == identity } : false
        if refusesBonded, isBonded, let identity {
            throw CommandFailure(
                .refused, "there is a bond with \(identity) already, and this system's stack does not replace it",
                code: "central.alreadyBonded")
        }
        let address = "\(found.peer)"
        let title = found.data.localName.map { "\($0.printable) (\(address))" } ?? address
        progress.withLock { $0 = (title, "connecting") }
        let peripheral = try await central.connect(to: found.peer, within: time)
        try await offerLargestMTU(to: peripheral)
        if encrypts, isBonded, found.identity != nil, central.abilities.contains(.encryption) {
            begin("encrypting the connection")
            try await peripheral.encrypt()
        }
        return (peripheral, found)
    }

    /// Ends the recording of connections for the next command; `forgets` discards them.
    private func endKeeping(forgets: Bool) async {
        guard let restoring = restoring.withLock({ $0 }) else { return }
        for peripheral in forgets ? await restoring.kept : [] { await restoring.forget(peripheral.peer) }
        await restoring.close()
    }

    private func offerLargestMTU(to peripheral: Peripheral) async throws {
        try Task.checkCancellation()
        guard central.abilities.contains(.mtuExchange) else { return }
        do {
            _ = try await step("exchanging the MTU") { () async throws(CentralError) in
                try await peripheral.exchangeMTU(517)
            }
        } catch let error as CentralError {
            // Ignored: a server need not support the MTU exchange.
            guard case .attError = error.code else { throw error }
        }
    }

    /// Reconnects, without a search, to the peer of an earlier command with the same `identifier` that was killed or
    /// ended by another program while connected; otherwise connects to the peer that the user names. Keeps the peer for
    /// the next such command.
    func connect(
        to name: String, within time: Duration, keptAs identifier: String, in folder: String, _ output: Output
    ) async throws -> Peripheral {
        let selector = try PeerSelector(name, hidesAddresses: !central.abilities.contains(.address))
        let restoring: RestoringCentral
        do throws(RestorationError) {
            restoring = try await RestoringCentral(central, identifier: identifier, folder: folder, log: output.log)
        } catch {
            throw CommandFailure(restoration: error)
        }
        self.restoring.withLock { $0 = restoring }
        let problems = await restoring.problems()
        Task {
            for await problem in problems { return output.note("--restore: \(problem)") }
        }
        for kept in restoring.restored where !selector.mayName(kept) {
            output.note("the kept peer \(kept.title) is not used: it is not the peer \(selector)")
            await restoring.forget(kept.peer)
        }
        for await result in await restoring.restore(within: time, subscribes: false) {
            switch result {
            case .connected(let restored):
                let (kept, peripheral) = (restored.record, restored.peripheral)
                // A record does not have the advertised services.
                if case .service(let uuid) = selector,
                    try await !peripheral.services().contains(where: { $0.uuid == uuid })
                {
                    output.note("the kept peer \(kept.title) is not used: it is not a peer \(selector)")
                    try await peripheral.disconnect()
                    continue
                }
                output.note("took up \(kept.title)")
                progress.withLock { $0 = (kept.title, "") }
                for operation in kept.unfinished {
                    let kind = if case .read = operation.kind { "read" } else { "write" }
                    output.note("a \(kind) of \(operation.path) had not ended: it may have been executed")
                }
                try await offerLargestMTU(to: peripheral)
                return peripheral
            case .failed(let kept, let error):
                try Task.checkCancellation()
                guard error.code != .unavailable else { throw error }
                output.note("did not take up \(kept.title): \(error)")
            }
        }
        let peripheral = try await connect(to: name, within: time).0
        for kept in await restoring.kept where kept.peer != peripheral.id { await restoring.forget(kept.peer) }
        return peripheral
    }

    /// The attributes that `selectors` name among the peer's services.
    ///
    /// - Throws: ``CommandFailure`` when a selector matches no attribute, or several.
    func find(_ selectors: [AttributeSelector], in services: [DiscoveredService]) throws -> [FoundAttribute] {
        try selectors.map { selector in
            do throws(CommandFailure) {
                return try selector.find(in: services)
            } catch {
                var failure = error
                if failure.code == "central.noAttribute", !central.abilities.contains(.systemServices) {
                    failure.code = selector.isOfSystemService ? "central.hiddenServices" : "central.cachedServices"
                }
                throw failure
            }
        }
    }

    /// Pairs; after a refusal by this side, throws the refusal, not the error that follows from it.
    func pair(_ peripheral: Peripheral) async throws -> LinkSecurity {
        begin("pairing")
        do throws(CentralError) {
            return try await peripheral.pair()
        } catch {
            if let failure = prompt.failure { throw failure }
            guard case .pairingFailed = error.code, !central.abilities.contains(.pairingFailureReason) else {
                throw error
            }
            var failure = CommandFailure(error)
            failure.code = "central.pairingUnknown"
            throw failure
        }
    }

    // MARK: Failures

    /// The error of a connection that the peer has ended; `nil` if still connected, or if this side disconnected.
    func loss() async -> CommandFailure? {
        guard let id = last.withLock({ $0?.peer }), let end = await central.lastEnd(of: id) else { return nil }
        let reason = if case .disconnected(let reason?) = end.code { ": \(DisconnectionText.text(reason))" } else { "" }
        let (peer, step) = progress.withLock { $0 }
        let place = [peer, step].filter { !$0.isEmpty }.joined(separator: ", ")
        return CommandFailure(
            .linkFailed, "\(place): the connection has ended\(reason)", code: "central.disconnected")
    }

    /// `error`, or its cause: a connection also ends when the adapter is unplugged or the stack's service stops, which
    /// may be reported later.
    private func cause(of error: any Error) async -> any Error {
        var failure = CommandFailure(error, .benchFault)
        guard !Task.isCancelled, failure.code == "central.disconnected", let last = last.withLock({ $0 }) else {
            return error
        }
        if let loss = await self.loss() { failure = loss }
        do throws(CentralError) {
            _ = try await central.sightings(ScanFilter(isActive: false))
            try await central.stopSearching()
        } catch {
            guard error.code == .unavailable else { return failure }
            var cause = CommandFailure(error)
            do throws(CentralError) {
                _ = try await central.backend.security(of: last.connection)
            } catch {
                if error.code == .unavailable { cause = CommandFailure(error) }
            }
            cause.message = "\(failure.message), as \(cause.message)"
            return cause
        }
        if !central.abilities.contains(.disconnectReason) { failure.code = "central.endUnknown" }
        return failure
    }
}

extension RestorablePeripheral {
    /// The peer's name, or its address.
    fileprivate var title: String { (name ?? "\(peer)").printable }
}

extension CommandFailure {
    fileprivate init(restoration error: RestorationError) {
        let (status, code): (ExitReason, String) =
            switch error.code {
            case .invalidIdentifier: (.usage, "")
            case .damaged: (.badInput, "restoration.damaged")
            case .inUse: (.benchFault, "restoration.inUse")
            case .storage: (.benchFault, "restoration.storage")
            }
        self.init(status, "--restore: \(error)", code: code)
    }
}
