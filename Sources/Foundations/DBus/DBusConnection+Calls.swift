import BenchExecutor
import MonotonicTime
import Synchronization

extension DBusConnection {
    static let busName = "org.freedesktop.DBus"
    static let busPath = "/org/freedesktop/DBus"

    /// Calls a method; `completion` is called once, on the executor. From any thread.
    ///
    /// The call fails with `remote` for an error of the peer, `timedOut` without an answer within `timeout` (`nil`: no
    /// limit), `disconnected`, or `invalidMessage`.
    public func call(
        _ message: DBusMessage, within timeout: Duration? = defaultTimeout,
        _ completion: @escaping @Sendable (Reply) -> Void
    ) {
        let deadline = timeout.map { executor.roughNow.advanced(by: $0 + BenchExecutor.roughness) }
        let pending = Pending(
            interface: message.interface, member: message.member, deadline: deadline, timeout: timeout,
            completion: completion)
        let (serial, closed, mustCheck) = state.withLock { state in
            let serial = Self.nextSerial(&state)
            guard state.closed == nil else { return (serial, state.closed, false) }
            state.pending[serial] = pending
            guard let deadline, state.nextCheck.map({ deadline < $0 }) ?? true else { return (serial, nil, false) }
            state.nextCheck = deadline
            return (serial, nil, true)
        }
        do throws(DBusError) {
            if let closed { throw closed }
            stream.send(try message.encoded(serial: serial))
        } catch {
            state.withLock { _ = $0.pending.removeValue(forKey: serial) }
            return executor.post { completion(.failure(error)) }
        }
        if mustCheck, let deadline { check(at: deadline) }
    }

    /// A single event checks the deadlines of all calls: nearly every call is answered long before its deadline.
    private func check(at deadline: MonotonicInstant) {
        executor.schedule(at: deadline) { [weak self] in self?.checkDeadlines(deadline) }
    }

    private func checkDeadlines(_ instant: MonotonicInstant) {
        let now = executor.now
        let (late, next) = state.withLock { state -> ([UInt32: Pending], MonotonicInstant?) in
            // An earlier check has been scheduled since.
            guard state.nextCheck == instant else { return ([:], nil) }
            let late = state.pending.filter { $0.value.deadline.map { $0 <= now } ?? false }
            for serial in late.keys { state.pending[serial] = nil }
            let next = state.pending.values.compactMap(\.deadline).min()
            state.nextCheck = next
            return (late, next)
        }
        if let next { check(at: next) }
        for (_, pending) in late.sorted(by: { $0.key < $1.key }) {
            let timeout = pending.timeout ?? .zero
            let name = DBusMessage.name(pending.interface, pending.member)
            pending.completion(
                .failure(DBusError(.timedOut, "\(name): expected an answer within \(timeout), got none")))
        }
    }

    static func nextSerial(_ state: inout State) -> UInt32 {
        // 0 is not a serial number.
        state.lastSerial = state.lastSerial == .max ? 1 : state.lastSerial + 1
        return state.lastSerial
    }

    /// Calls a method; returns its results.
    ///
    /// - Throws: `remote`, `timedOut`, `disconnected`, `invalidMessage`.
    public nonisolated(nonsending) func call(
        _ message: DBusMessage, within timeout: Duration? = defaultTimeout
    ) async throws(DBusError) -> [DBusValue] {
        let reply = await withCheckedContinuation { continuation in
            call(message, within: timeout) { continuation.resume(returning: $0) }
        }
        return try reply.get()
    }

    /// Receives the signals that `match` selects, once this function has returned.
    public nonisolated(nonsending) func addMatch(_ match: DBusMatch) async throws(DBusError) {
        _ = try await call(
            DBusMessage(call: Self.busName, Self.busPath, Self.busName, "AddMatch", [.string(match.rule)]))
    }

    /// Ends one ``addMatch(_:)``.
    public nonisolated(nonsending) func removeMatch(_ match: DBusMatch) async throws(DBusError) {
        _ = try await call(
            DBusMessage(call: Self.busName, Self.busPath, Self.busName, "RemoveMatch", [.string(match.rule)]))
    }

    /// Ends one ``addMatch(_:)`` without waiting for it.
    public func removeMatchLater(_ match: DBusMatch) {
        call(
            DBusMessage(call: Self.busName, Self.busPath, Self.busName, "RemoveMatch", [.string(match.rule)])
        ) { _ in }
    }

    /// The unique name of the owner of a name; `nil` if the name has no owner.
    public nonisolated(nonsending) func owner(of name: String) async throws(DBusError) -> String? {
        do throws(DBusError) {
            let reply = try await call(
                DBusMessage(call: Self.busName, Self.busPath, Self.busName, "GetNameOwner", [.string(name)]))
            return reply.first?.text
        } catch {
            guard error.name == "org.freedesktop.DBus.Error.NameHasNoOwner" else { throw error }
            return nil
        }
    }

    // MARK: Objects of this connection

    /// Emits a signal of an object of this connection. From any thread. A signal that cannot be sent is dropped.
    ///
    /// - Parameter destination: the only receiver; `nil`: all connections whose rules select the signal.
    public func emit(
        to destination: String? = nil, _ path: String, _ interface: String, _ member: String, _ body: [DBusValue]
    ) {
        var message = DBusMessage(.signal)
        message.destination = destination
        message.path = path
        message.interface = interface
        message.member = member
        message.body = body
        send(message)
    }

    /// Answers a call with results. From any thread.
    public func reply(to call: DBusMessage, _ body: [DBusValue]) {
        var message = DBusMessage(.methodReturn)
        message.body = body
        send(message, answering: call)
    }

    /// Answers a call with an error. From any thread.
    public func reply(to call: DBusMessage, error name: String, _ text: String) {
        var message = DBusMessage(.error)
        message.errorName = name
        message.body = [.string(text)]
        send(message, answering: call)
    }

    private func send(_ message: DBusMessage, answering call: DBusMessage) {
        guard call.expectsReply else { return }
        var message = message
        message.flags = 1
        message.replySerial = call.serial
        message.destination = call.sender
        send(message)
    }

    private func send(_ message: DBusMessage) {
        let serial = state.withLock { Self.nextSerial(&$0) }
        guard let bytes = try? message.encoded(serial: serial) else { return }
        stream.send(bytes)
    }
}
