import BenchExecutor
import MonotonicTime
import Synchronization

extension DBusConnection {
    static let busName = "org.freedesktop.DBus"
    static let busPath = "/org/freedesktop/DBus"

    /// Calls a method; `completion` is called once, on the executor. From any thread.
    ///
    /// It fails with `remote` for an error of the peer, `timedOut` when there is no answer within `timeout` (`nil`:
    /// however long it takes), `disconnected`, or `invalidMessage`.
    public func call(
        _ message: DBusMessage, within timeout: Duration? = defaultTimeout,
        _ completion: @escaping @Sendable (Reply) -> Void
    ) {
        var message = message
        message.serial = state.withLock { state in
            // 0 is no serial number.
            state.lastSerial = state.lastSerial == .max ? 1 : state.lastSerial + 1
            return state.lastSerial
        }
        let serial = message.serial
        let name = message.name
        do throws(DBusError) {
            let bytes = try message.encoded()
            let timer = timeout.map { timeout in
                executor.schedule(at: executor.now.advanced(by: timeout)) { [weak self] in
                    self?.timedOut(serial, timeout)
                }
            }
            let closed = state.withLock { state -> DBusError? in
                if let closed = state.closed { return closed }
                state.pending[serial] = Pending(name: name, timer: timer, completion: completion)
                return nil
            }
            if let closed {
                if let timer { executor.cancel(timer) }
                throw closed
            }
            stream.send(bytes)
        } catch {
            executor.post { completion(.failure(error)) }
        }
    }

    private func timedOut(_ serial: UInt32, _ timeout: Duration) {
        guard let pending = state.withLock({ $0.pending.removeValue(forKey: serial) }) else { return }
        pending.completion(
            .failure(DBusError(.timedOut, "\(pending.name): expected an answer within \(timeout), got none")))
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

    /// Receives the signals that `match` selects, from when this returns.
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

    /// The unique name of the owner of a name; `nil` if it has none.
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

    // MARK: Answers

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
        message.serial = state.withLock { state in
            state.lastSerial = state.lastSerial == .max ? 1 : state.lastSerial + 1
            return state.lastSerial
        }
        guard let bytes = try? message.encoded() else { return }
        stream.send(bytes)
    }
}
