/// Limits the values on the way to bluetoothd, which has no flow control: after some values it is sent a ping, which it
/// answers in order. A pure state machine.
package struct NotificationWindow {
    /// Limit of values on the way.
    package static let limit = 32

    private var onTheWay = 0
    /// The number of values before the ping in progress; 0: no ping in progress.
    private var covered = 0
    private var isAwaitingRoom = false

    package init() {}

    /// True if another value may be sent; if not, ``answered()`` reports room later.
    package mutating func hasRoom() -> Bool {
        guard onTheWay >= Self.limit else { return true }
        isAwaitingRoom = true
        return false
    }

    /// A value was sent; returns whether to send a ping now.
    package mutating func sent() -> Bool {
        onTheWay += 1
        return ask()
    }

    /// The ping was answered; returns whether to send another one, and whether waiting callers have room.
    package mutating func answered() -> (asks: Bool, isRoomAvailable: Bool) {
        onTheWay -= covered
        covered = 0
        defer { isAwaitingRoom = false }
        return (ask(), isAwaitingRoom)
    }

    private mutating func ask() -> Bool {
        guard covered == 0, onTheWay > 0 else { return false }
        covered = onTheWay
        return true
    }
}
