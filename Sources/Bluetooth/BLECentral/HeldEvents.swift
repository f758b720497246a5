/// The events of connections that are not accepted yet, and the connections that have ended. A pure state machine.
struct HeldEvents {
    private struct Mailbox {
        var connection: ConnectionID
        var events: [CentralEvent] = []
        var hasEnded = false
    }

    /// The accepted connections.
    private var accepted: [ConnectionID] = []
    /// The connections that are not accepted, in the order of their first event.
    private var mailboxes: [Mailbox] = []
    /// The latest connections whose disconnection has been handled.
    private var ended: [ConnectionID] = []

    /// The number of dropped events.
    private(set) var dropped = 0

    /// Whether to handle an event of `connection` now; otherwise it is held or dropped.
    mutating func passes(_ event: CentralEvent, of connection: ConnectionID) -> Bool {
        guard let index = accepted.firstIndex(of: connection) else {
            hold(event, of: connection)
            return false
        }
        if case .disconnected = event {
            accepted.remove(at: index)
            remember(connection)
        }
        return true
    }

    /// Accepts a connection; returns its held events.
    mutating func accept(_ connection: ConnectionID) -> [CentralEvent] {
        guard !accepted.contains(connection), !ended.contains(connection) else { return [] }
        guard let index = mailboxes.firstIndex(where: { $0.connection == connection }) else {
            accepted.append(connection)
            return []
        }
        let mailbox = mailboxes.remove(at: index)
        if mailbox.hasEnded { remember(connection) } else { accepted.append(connection) }
        return mailbox.events
    }

    private mutating func hold(_ event: CentralEvent, of connection: ConnectionID) {
        guard !ended.contains(connection) else {
            dropped += 1
            return
        }
        let index = mailboxes.firstIndex { $0.connection == connection } ?? makeMailbox(connection)
        guard !mailboxes[index].hasEnded else {
            dropped += 1
            return
        }
        if mailboxes[index].events.count == CentralEventQueue.heldEventLimit {
            mailboxes[index].events.remove(at: mailboxes[index].events.firstIndex(where: \.isNotification) ?? 0)
            dropped += 1
        }
        mailboxes[index].events.append(event)
        if case .disconnected = event { mailboxes[index].hasEnded = true }
    }

    /// Makes room by dropping an ended connection first: its events are the least likely to be accepted.
    private mutating func makeMailbox(_ connection: ConnectionID) -> Int {
        if mailboxes.count == CentralEventQueue.heldConnectionLimit {
            dropped += mailboxes.remove(at: mailboxes.firstIndex(where: \.hasEnded) ?? 0).events.count
        }
        mailboxes.append(Mailbox(connection: connection))
        return mailboxes.count - 1
    }

    private mutating func remember(_ connection: ConnectionID) {
        if ended.count == CentralEventQueue.heldConnectionLimit { ended.removeFirst() }
        ended.append(connection)
    }
}

extension CentralEvent {
    fileprivate var isNotification: Bool {
        if case .notification = self { true } else { false }
    }
}
